// Who may ask from a browser. Public reads and signed requests carry no cookie and no ambient
// right, so any page may make them. The sandbox and admin routes act without a signature: they
// answer no other origin, and refuse a Host that is not this machine, so that a page that rebinds
// its name to the loopback address gets nothing.

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { signedReadHeader } from '../../protocol/auth/signed-read.ts'
import { minSeqHeader, seqHeader } from '../../protocol/seq-headers.ts'
import { apiError } from '../api-error.ts'

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Names and values in turn. */
export const anyOrigin = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  `ratelimit, ratelimit-policy, retry-after, x-next-cursor, x-request-id, ${seqHeader}`,
] as const

export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header(anyOrigin[0], anyOrigin[1])
  reply.header(anyOrigin[2], anyOrigin[3])
}

/** A browser asks first whether it may send JSON and a key. */
export function answerPreflight(reply: FastifyReply, keyHeaders: readonly string[]): void {
  reply.header('access-control-allow-methods', 'GET, POST')
  reply.header(
    'access-control-allow-headers',
    ['content-type', minSeqHeader, signedReadHeader, ...keyHeaders].join(', '),
  )
  reply.header('access-control-max-age', 600)
}

/** `localhost:8080` is `localhost`. */
function nameOf(host: string): string {
  return host.replace(/:[0-9]+$/, '').toLowerCase()
}

type WithHeaders = Readonly<{ headers: IncomingHttpHeaders }>

/** As the origin of a page has it: without the port that its scheme has anyway. */
function hostAt(protocol: string, host: string): string {
  return host.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '')
}

/** Another port of this machine is another origin: whatever is served there may be anyone's. */
function isSameOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  const { protocol, host: asked } = new URL(origin)
  return asked === hostAt(protocol, host)
}

export function requireLocalHost({ headers }: WithHeaders, allowed: readonly string[]): void {
  const { origin, host = '' } = headers
  const name = nameOf(host)
  if (!loopbackNames.includes(name) && !allowed.includes(name))
    throw apiError('HOST_REFUSED', 'this route is served to this machine and allowedHosts only')
  if (origin !== undefined && !isSameOrigin(origin, host))
    throw apiError('HOST_REFUSED', 'this route is not served to pages of another origin')
}
