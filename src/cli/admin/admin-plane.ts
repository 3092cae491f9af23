// How a command asks the admin plane: its address, a token, and its failures as exit codes with a
// way out.

import { CliError, misused } from '../frame/exit-codes.ts'
import type { Environment } from '../frame/screen.ts'

const urlDefault = 'http://127.0.0.1:8081'
const answerMsMax = 10_000

export const adminOptions = {
  'admin-url': {
    type: 'string',
    value: '<url>',
    about: `where the admin plane is, or OPENPERP_ADMIN_URL; ${urlDefault} unless given`,
  },
  token: {
    type: 'string',
    value: '<token>',
    about: 'a token of the exchange; better in OPENPERP_ADMIN_TOKEN, where nobody else sees it',
  },
} as const

type Asking = Readonly<{
  values: Readonly<{ 'admin-url'?: string; token?: string }>
  environment: Environment
}>

type Envelope = Readonly<{ data?: unknown; error?: unknown; code?: unknown }>

/** What a GET of the plane answers. */
export async function askAdmin<T>({ values, environment }: Asking, path: string): Promise<T> {
  const url = values['admin-url'] ?? environment.OPENPERP_ADMIN_URL ?? urlDefault
  if (!URL.canParse(url) || !/^https?:\/\//.test(url))
    throw misused(`${url} is not an address`, `addresses look like ${urlDefault}`)
  const token = values.token ?? environment.OPENPERP_ADMIN_TOKEN
  if (token === undefined)
    throw misused(
      'the admin plane asks for a token',
      'OPENPERP_ADMIN_TOKEN or --token: one of adminTokens of the exchange, with the scope read',
    )
  const { status, body } = await answerOf(`${url.replace(/\/$/, '')}${path}`, token)
  if (status === 200) return body.data as T
  const message = typeof body.error === 'string' ? body.error : `the answer is ${status}`
  throw new CliError('refused', message, { facts: { status, code: body.code ?? null } })
}

async function answerOf(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  try {
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(answerMsMax) })
    return { status: reply.status, body: (await reply.json()) as Envelope }
  } catch (error) {
    throw new CliError('unreachable', `no admin plane answers at ${url}`, {
      hint: '--admin-url or OPENPERP_ADMIN_URL says where it is; adminPort of the exchange',
      facts: { url },
      cause: error,
    })
  }
}
