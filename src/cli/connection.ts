// The connection of a command to an exchange: the typed client with a key, and failures as exit
// codes with hints.

import { Client } from '../client/client.ts'
import type { ClientOptions } from '../client/client-options.ts'
import {
  ApiRefusal,
  NetworkFailure,
  OutcomeUnknown,
  TimeoutFailure,
  UnexpectedReply,
  VenueMismatch,
} from '../client/errors.ts'
import type { Key } from '../client/key.ts'
import { sandboxKeys } from '../client/sandbox-keys.ts'
import { CliError, misused } from './frame/exit-codes.ts'
import type { Environment, Screen } from './frame/screen.ts'
import { findKey, keyIfAny, keyOptions } from './key-source.ts'
import { keyVenues, venueIn, venueOptions } from './key-venues.ts'
import { inShellWords, type OrderWords } from './refusal-words.ts'

const urlDefault = 'http://127.0.0.1:8080'

export const serverOptions = {
  url: {
    value: '<url>',
    about: `address of the exchange, or several: a,b (default: ${urlDefault})`,
  },
} as const

/** Options of a command that signs. */
export const signerOptions = { ...keyOptions, ...venueOptions, ...serverOptions } as const

/** Options of a command that reads an account. */
export const accountOptions = {
  account: { value: '<address>', about: 'account (default: the address of your key)' },
  ...signerOptions,
} as const

type Given = Readonly<{
  url?: string
  key?: string
  'key-file'?: string
  account?: string
  venue?: string
}>
type Asking = Readonly<{
  values: Given
  environment: Environment
  /** For messages to the user. */
  screen?: Pick<Screen, 'remark'>
  /** Absent: messages keep the API's words. */
  said?: OrderWords
}>

/** Several are separated by commas. */
export function urlOf({ values, environment }: Asking): string {
  const given = values.url ?? environment.OPENPERP_URL ?? urlDefault
  for (const url of given.split(',').map((text) => text.trim()))
    if (!URL.canParse(url) || !/^https?:\/\//.test(url))
      throw misused(`${url} is not an address of an exchange`, `addresses look like ${urlDefault}`)
  return given
}

/** `more`: of a client that trades with the key of an agent. */
export function clientOf(
  asking: Asking,
  signer?: Key,
  more: Pick<ClientOptions, 'account' | 'agent'> = {},
): Client {
  const { values, environment, screen } = asking
  const remark = (text: string) => screen?.remark(text)
  return new Client({
    url: urlOf(asking),
    signer,
    ...more,
    venue: venueIn(values, environment),
    venues: keyVenues(environment, remark),
    sandboxToken: environment.OPENPERP_SANDBOX_TOKEN,
    onVenueReplaced: ({ before, now }) =>
      remark(`another sandbox: the key belonged to ${before}, and belongs to ${now} now`),
  })
}

/** A client with the signing key. */
export function signingClient(asking: Asking): Client {
  return clientOf(asking, findKey(asking.values, asking.environment).key)
}

/** The account: given by address, by a sandbox name, or by the key; `null` if none is. */
export function accountIfAny({ values, environment }: Asking): string | null {
  const named = sandboxKeys.find(({ name }) => name === values.account)
  if (named !== undefined) return named.key.address
  if (values.account !== undefined) return values.account
  const found = keyIfAny(values, environment)
  return found === null ? null : found.key.address
}

export function accountOf(asking: Asking): string {
  return accountIfAny(asking) ?? findKey(asking.values, asking.environment).key.address
}

/** A client for reads of that account: signed by its key, if available, so that the owner sees
 *  everything. */
export function readingClient(asking: Asking): Client {
  const account = accountOf(asking)
  const named = sandboxKeys.find(({ key }) => key.address === account)
  const key = named?.key ?? keyIfAny(asking.values, asking.environment)?.key
  return key?.address === account ? clientOf(asking, key) : clientOf(asking, undefined, { account })
}

/** Awaits a reply of the exchange. Refusals, network failures and timeouts are rethrown as
 *  `CliError`s with the matching exit code. */
export async function replyTo<T>(asking: Asking, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw endOf(asking, error)
  }
}

/** A message of the exchange, in the words of the command. */
export function messageFor({ said }: Asking, message: string): string {
  return said === undefined ? message : inShellWords(message, said)
}

export function endOf(asking: Asking, error: unknown): unknown {
  if (error instanceof ApiRefusal) {
    const { reason, code, status, seq } = error
    const message = messageFor(asking, error.message)
    const hint = hintOf(error) ?? explainHint(asking, error)
    const facts = { reason, code, status, ...(seq !== null && { seq }) }
    return new CliError('refused', message, { facts, ...(hint !== null && { hint }) })
  }
  if (error instanceof NetworkFailure || error instanceof TimeoutFailure) {
    const hint =
      '`openperp start` (or `npm start`) runs one here; --url or OPENPERP_URL names another place'
    return new CliError('unreachable', error.message, { hint, facts: { url: urlOf(asking) } })
  }
  if (error instanceof VenueMismatch)
    return new CliError('refused', error.message, {
      hint:
        'use another key there, or name its venue with --venue; `openperp key unpin` lets the ' +
        'key belong to the next exchange that it signs for',
      facts: { url: urlOf(asking), expected: error.expected, found: error.found },
    })
  if (error instanceof OutcomeUnknown)
    return new CliError('unreachable', error.message, {
      hint: '`openperp orders` and `openperp positions` show what is so; nothing is done twice',
      facts: { url: urlOf(asking), operation: error.operation },
    })
  if (error instanceof UnexpectedReply)
    return new CliError('unreachable', error.message, {
      hint: 'what answers there is not this exchange; --url or OPENPERP_URL says where it is',
      facts: { url: urlOf(asking) },
    })
  return error
}

function hintOf({ reason, status, message }: ApiRefusal): string | null {
  if (reason === 'ACCOUNT_NOT_FOUND')
    return 'its first deposit opens an account: in a sandbox `openperp fund 10000`'
  if (reason === 'BOOK_NOT_FOUND')
    return '`openperp markets` lists them; symbols are case-sensitive'
  if (reason === 'CREDENTIALS_REQUIRED' && message.includes('sandbox'))
    return 'set OPENPERP_SANDBOX_TOKEN to the token that the start of the sandbox printed'
  if (status === 404 && message.includes('/sandbox/')) return 'only a sandbox has this'
  return null
}

/** Refusals whose numbers are those of an account. */
const explained: readonly string[] = [
  'AGENT_LIMIT',
  'IMMEDIATE_LIQUIDATION',
  'INSUFFICIENT_BALANCE',
  'OVER_WITHDRAWAL',
  'POSITION_LIMIT_EXCEEDED',
  'WITHDRAWAL_BLOCKED',
]

function explainHint(asking: Asking, { reason, seq }: ApiRefusal): string | null {
  if (seq === null || !explained.includes(reason)) return null
  const { key, 'key-file': file } = asking.values
  const isName = sandboxKeys.some(({ name }) => name === key)
  const by = key !== undefined ? ` --key ${isName ? key : '…'}` : file ? ` --key-file ${file}` : ''
  return `why: openperp explain refusal ${seq} --url ${urlOf(asking)}${by}`
}
