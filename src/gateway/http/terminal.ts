// The web terminal at the root of a public port, and the way to it from another.

import type { FastifyInstance } from 'fastify'
import { addPages } from './pages.ts'

/** Without the bundle there is still an exchange; `/` then leads to the reference. */
export function addTerminal(server: FastifyInstance, folder: string): void {
  const isThere = addPages(server, folder, () => undefined)
  if (!isThere) server.get('/', (_, reply) => reply.redirect('/docs'))
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
