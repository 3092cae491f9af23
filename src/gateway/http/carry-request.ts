// Executes a request of any HTTP transport, and in a sandbox with latencies passes it through the
// lab on its way in and out.

import { apiKeyPrefixOf } from '../../protocol/api-key.ts'
import { laneOf } from '../intake/line.ts'
import type { Lab } from '../lab/lab.ts'
import type { Traits } from '../lab/matching.ts'
import { clientAddress } from '../limits/client-address.ts'
import { isRead, type Operation } from '../operation.ts'
import {
  type Answer,
  type AnswerOptions,
  answerTo,
  failedAnswer,
  type Incoming,
  keyIn,
  onceRead,
} from './answer.ts'

export type CarriedRequest = Incoming &
  Readonly<{
    /** The client's connection; absent within the process. */
    socket?: object
    /** Called when the request leaves the intake before it is done. */
    held?: () => void
  }>

/** The status of an answer in place of which the connection is cut. */
export const cutStatus = 0

export function carryRequest(
  operation: Operation,
  incoming: CarriedRequest,
  options: AnswerOptions,
): Promise<Answer> {
  const { lab } = options.door.exchange
  if (lab === null || !lab.isActive || operation.only === 'sandbox')
    return answerTo(operation, incoming, options)
  return throughLab(lab, operation, incoming, options)
}

function throughLab(
  lab: Lab,
  operation: Operation,
  incoming: CarriedRequest,
  options: AnswerOptions,
): Promise<Answer> {
  const read = onceRead(incoming.read)
  const request = { ...incoming, read }
  return lab.carry<Answer>({
    leg: laneOf(operation, read),
    traits: traitsOf(operation, request, options),
    read,
    isRead: isRead(operation),
    held: () => incoming.held?.(),
    perform: (skewMs) => answerTo(operation, { ...request, skewMs }, options),
    refuse: (error) => failedAnswer(operation, error),
    cut: () => ({ status: cutStatus, headers: null, body: null }),
    describe: (answer) => answer,
  })
}

function traitsOf(
  operation: Operation,
  { headers, socketAddress, socket, read }: CarriedRequest,
  { door, trusted, keyHeaders }: AnswerOptions,
): Traits {
  const key = apiKeyPrefixOf(keyIn(headers, keyHeaders) ?? '')
  const forwardedFor = headers['x-forwarded-for']
  const ip = clientAddress({ socketAddress, forwardedFor }, trusted)
  const account = accountIn(read) ?? keyAccount(door.exchange.view.accounts, key)
  const op = opOf(operation)
  return { account, key, ip, op, channel: null, connection: numberOf(socket) }
}

/** The path of an operation without the leading slash. */
export const opOf = ({ http }: Operation) => http.slice(http.indexOf('/') + 1)

type Accounts = AnswerOptions['door']['exchange']['view']['accounts']

function keyAccount(accounts: Accounts, key: string | null): string | null {
  const kept = key === null ? null : accounts.apiKeyOf(key)
  return kept === null ? null : accounts.addressOf(kept.account)
}

/** The account that a request names; `null` if it names none or cannot be parsed. */
function accountIn(read: () => unknown): string | null {
  try {
    return accountOfBody(read())
  } catch {
    // The operation reports what is wrong.
    return null
  }
}

export function accountOfBody(body: unknown): string | null {
  const { account, user, main_account } = Object(body) as Readonly<Record<string, unknown>>
  const named = account ?? user ?? main_account
  return typeof named === 'string' ? named : null
}

const numbers = new WeakMap<object, number>()
let count = 0

/** Numbers the connections, for requests that name no account. */
function numberOf(socket: object | undefined): number {
  if (socket === undefined) return 0
  const known = numbers.get(socket) ?? ++count
  numbers.set(socket, known)
  return known
}
