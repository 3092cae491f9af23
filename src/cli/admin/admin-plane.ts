// The connection of a command to the admin plane: address, token, and failures as exit codes with a
// hint. The token is in the environment or in a file that only its owner may read: a flag would
// show in the process list and in the shell's history.

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AdminName,
  type AdminReply,
  type AdminRequest,
  adminApi,
} from '../../protocol/admin/admin-api.ts'
import { CliError, misused } from '../frame/exit-codes.ts'
import type { Environment } from '../frame/screen.ts'
import { requirePrivate } from '../key-source.ts'

const urlDefault = 'http://127.0.0.1:8081'

/** The given address, or this machine at the port of the setting `adminPort`. */
function urlIn({ values, environment }: Pick<Asking, 'values' | 'environment'>): string {
  const { OPENPERP_ADMIN_URL: url, OPENPERP_ADMIN_PORT: port } = environment
  const given = values['admin-url'] ?? url
  if (given !== undefined) return given
  if (port === undefined || port === '') return urlDefault
  if (/^\d{1,5}$/.test(port) && /[1-9]/.test(port) && URL.canParse(`http://127.0.0.1:${port}`))
    return `http://127.0.0.1:${port}`
  throw misused(
    `OPENPERP_ADMIN_PORT is ${JSON.stringify(port)}; it must be a whole number from 1 to 65535`,
    'where the exchange takes a free port (0), name it with --admin-url',
  )
}
/** Token files as written by `openperp init venue`: payments and their limits have separate
 *  tokens. */
const fileOf = (scope: string) =>
  scope === 'money' && existsSync(moneyFile) ? moneyFile : operatorFile
const operatorFile = 'secrets/operator.token'
const moneyFile = 'secrets/money.token'
/** Timeout of a backup, which copies all data. */
const answerMsMax = 120_000

export const adminOptions = {
  'admin-url': {
    value: '<url>',
    about:
      'where the admin plane is; or OPENPERP_ADMIN_URL, or OPENPERP_ADMIN_PORT on this machine ' +
      `(default: ${urlDefault})`,
  },
  'token-file': {
    value: '<file>',
    about: 'file with a token; or OPENPERP_ADMIN_TOKEN (default: one of ./secrets)',
  },
} as const

type Asking = Readonly<{
  /** The scope that the operation needs; `null` if none. */
  scope: string | null
  values: Readonly<{ 'admin-url'?: string; 'token-file'?: string }>
  environment: Environment
}>

export type Body = Readonly<Record<string, unknown>>
type Envelope = Readonly<{ data?: unknown; error?: unknown; code?: unknown }>

export class AdminPlane {
  readonly url: string
  private readonly token: string

  constructor({ values, environment, scope }: Asking) {
    const url = urlIn({ values, environment })
    if (!URL.canParse(url) || !/^https?:\/\//.test(url))
      throw misused(`${url} is not an address`, `addresses look like ${urlDefault}`)
    this.url = url.replace(/\/$/, '')
    this.token = tokenOf({ values, environment, scope })
  }

  async call<N extends AdminName>(name: N, request: AdminRequest<N>): Promise<AdminReply<N>> {
    const [method, path] = adminApi[name].http.split(' ') as ['GET' | 'POST', string]
    const fields = Object.entries(request as Body)
    const query = new URLSearchParams(
      fields.map(([field, value]): [string, string] => [field, `${value}`]),
    )
    const { status, said } =
      method === 'POST'
        ? await this.answer(method, path, JSON.stringify(request))
        : await this.answer(method, fields.length === 0 ? path : `${path}?${query}`)
    if (status === 200) return said.data as AdminReply<N>
    const message = typeof said.error === 'string' ? said.error : `the answer is ${status}`
    throw new CliError('refused', message, { facts: { status, code: said.code ?? null } })
  }

  private async answer(method: string, path: string, body?: string) {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const signal = AbortSignal.timeout(answerMsMax)
    try {
      const sent = { method, headers, signal, ...(body !== undefined && { body }) }
      let reply = await fetch(`${this.url}${path}`, sent)
      // A read node of a cluster, which has not executed it.
      const leader = leaderIn(reply, this.url)
      if (leader !== null) reply = await fetch(`${leader}${path}`, sent)
      return { status: reply.status, said: (await reply.json()) as Envelope }
    } catch (error) {
      const doubt =
        body === undefined
          ? ''
          : '. The action may have been executed; check with `openperp admin journal`'
      throw new CliError('unreachable', `no reply from the admin plane at ${this.url}${doubt}`, {
        hint:
          'Set the address with --admin-url, OPENPERP_ADMIN_URL or OPENPERP_ADMIN_PORT (the ' +
          "exchange's adminPort).",
        facts: { url: this.url },
        cause: error,
      })
    }
  }
}

/** Address of the leader's admin plane, if the reply names it. From an encrypted address the token
 *  is sent to an encrypted one only. */
function leaderIn({ status, headers }: Response, url: string): string | null {
  const leader = status === 421 ? headers.get('openperp-leader') : null
  if (leader === null || !URL.canParse(leader)) return null
  return new URL(url).protocol === 'https:' && !leader.startsWith('https:') ? null : leader
}

function tokenOf({ values, environment, scope }: Asking): string {
  const { OPENPERP_ADMIN_TOKEN: token, OPENPERP_ADMIN_TOKEN_FILE: named } = environment
  if (values['token-file'] === undefined && token !== undefined && token !== '') return token
  const given = values['token-file'] ?? named
  const file = resolve(given ?? fileOf(scope ?? ''))
  if (given === undefined && !existsSync(file))
    throw misused(
      'the admin plane requires a token',
      `set OPENPERP_ADMIN_TOKEN, --token-file or ./${operatorFile} to a token of the exchange`,
    )
  try {
    requirePrivate(file)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof CliError) throw error
    const { message } = error as Error
    throw new CliError('refused', `the token file ${file} cannot be read: ${message}`)
  }
}
