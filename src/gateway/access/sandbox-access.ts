// Access to the sandbox routes, which need no signature. By default only this machine has access,
// and requests from other machines need the sandbox token. If other machines can reach the port, or
// if a token is configured, every request needs the token, because a proxy may hide the client.

import { createHash, timingSafeEqual } from 'node:crypto'
import { apiError } from '../api-error.ts'
import { clientAddress, type TrustedProxies } from '../limits/client-address.ts'
import { isLoopback, requireLocalHost, requireSameOrigin, type WithHeaders } from './host-names.ts'
import type { Origins } from './origins.ts'

export type SandboxAccess = Readonly<{
  allowedHosts: readonly string[]
  /** Empty if there is no token. Only this machine has access then. */
  token: string
  /** Whether every caller needs the token. */
  needsToken: boolean
}>

export function sandboxAccess(
  host: string,
  { allowedHosts, token }: Omit<SandboxAccess, 'needsToken'>,
): SandboxAccess {
  return { allowedHosts, token, needsToken: token !== '' || !isLoopback(host) }
}

type Incoming = WithHeaders & Readonly<{ socketAddress: string | undefined }>
type Parts = Readonly<{ sandbox: SandboxAccess; origins: Origins; trusted: TrustedProxies }>

export function requireSandboxAccess(incoming: Incoming, parts: Parts): void {
  const { sandbox, origins, trusted } = parts
  const { headers } = incoming
  if (!sandbox.needsToken && isThisMachine(incoming, trusted))
    return requireLocalHost(incoming, sandbox.allowedHosts)
  requireSameOrigin(incoming)
  origins.requireHost(headers)
  requireToken(headers.authorization, sandbox.token)
}

const forwardedHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Whether the client is on this machine. A proxy here may forward for other machines, and only a
 *  trusted proxy may name its client. */
function isThisMachine({ headers, socketAddress }: Incoming, trusted: TrustedProxies): boolean {
  const forwardedFor = headers['x-forwarded-for']
  if (!isLoopback(clientAddress({ socketAddress, forwardedFor }, trusted))) return false
  const isForwarded = forwardedHeaders.some((name) => headers[name] !== undefined)
  return !isForwarded || (forwardedFor !== undefined && trusted.has(socketAddress ?? ''))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function requireToken(authorization: string | undefined, token: string): void {
  const given = /^Bearer (.{1,256})$/.exec(authorization ?? '')?.[1]
  if (token !== '' && given !== undefined && timingSafeEqual(digest(given), digest(token))) return
  const found = given === undefined ? 'there is none' : 'this one is not it'
  throw apiError(
    'CREDENTIALS_REQUIRED',
    'these sandbox routes need the token of the sandbox: send `authorization: Bearer <token>` ' +
      `(${found}); the start prints it, and OPENPERP_SANDBOX_TOKEN sets it`,
  )
}
