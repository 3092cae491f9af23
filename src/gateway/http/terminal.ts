// The web terminal's files, read once at the start and served from memory. Nothing outside the
// folder can be named, and the page may load and ask nothing but this exchange.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type Page = Readonly<{ type: string; plain: Buffer; packed: Buffer; tag: string }>

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const security: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Without the bundle there is still an exchange; `/` then leads to the reference. */
export function addTerminal(server: FastifyInstance, folder: string): void {
  const pages = pagesIn(folder)
  const index = pages.get('index.html')
  if (index === undefined) {
    server.get('/', (_, reply) => reply.redirect('/docs'))
    return
  }
  server.get('/', (request, reply) => send(request, reply, index, 'no-cache'))
  for (const [name, page] of pages)
    server.get(`/assets/${name}`, (request, reply) => send(request, reply, page, cachingOf(name)))
}

/** On a port whose `/api/v1` the terminal does not speak: it is at that other port. */
export function leadToTerminal(server: FastifyInstance, portOfTerminal: () => number): void {
  server.get('/', ({ headers }, reply) => {
    const name = (headers.host ?? 'localhost').replace(/:[0-9]+$/, '')
    // Nothing but a name is repeated, and whatever came by TLS goes on by TLS.
    const host = /^[\w.-]+$|^\[[0-9A-Fa-f:.]+\]$/.test(name) ? name : 'localhost'
    reply.header('cache-control', 'no-store')
    return reply.redirect(`//${host}:${portOfTerminal()}/`)
  })
}

/** A name that is made of the content never means anything else. */
function cachingOf(name: string): string {
  return /-[0-9a-f]{12}\./.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, plain, packed, tag }: Page,
  caching: string,
): FastifyReply {
  reply.headers(security).header('cache-control', caching).header('etag', tag)
  reply.header('vary', 'accept-encoding')
  if (headers['if-none-match'] === tag) return reply.code(304).send()
  reply.header('content-type', type)
  if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(packed)
}

function pagesIn(folder: string): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>()
  if (!existsSync(folder)) return pages
  for (const name of readdirSync(folder)) {
    const type = types[name.split('.').at(-1)!]
    if (type === undefined) continue
    const plain = readFileSync(join(folder, name))
    const packed = readFileSync(join(folder, `${name}.gz`))
    const tag = `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`
    pages.set(name, { type, plain, packed, tag })
  }
  return pages
}
