// Serves the files of a web page from memory; they are read once at startup. No file outside the
// folder can be requested, and the page may only access its own origin.

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

/** Returns `false` if there is no such page. `admit` throws if the request must be refused. The
 *  page is also served at the `addresses`, which it interprets itself. */
export function addPages(
  server: FastifyInstance,
  folder: string,
  admit: (request: FastifyRequest) => void,
  addresses: readonly string[] = [],
): boolean {
  const pages = pagesIn(folder)
  const index = pages.get('index.html')
  if (index === undefined) return false
  const serve = (url: string, page: Page, caching: string) =>
    server.get(url, (request, reply) => {
      admit(request)
      return send(request, reply, page, caching)
    })
  for (const url of ['/', ...addresses]) serve(url, index, 'no-cache')
  for (const [name, page] of pages) serve(`/assets/${name}`, page, cachingOf(name))
  return true
}

/** A file whose name contains a hash of its content never changes. */
function cachingOf(name: string): string {
  return /-[0-9a-f]{12}\.|^part-/.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
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
