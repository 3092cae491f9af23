// Serves the web terminal at the root of a public port, and redirects to it from another port.

import type { FastifyInstance } from 'fastify'
import { addPages } from './pages.ts'

/** Addresses of the pages of the terminal (src/web/model/pages/pages.ts). */
const addresses = ['/trade/:symbol', '/markets', '/portfolio', '/leaderboard']

/** Without the bundle the exchange still works, and `/` redirects to the reference. */
export function addTerminal(server: FastifyInstance, folder: string): void {
  const isThere = addPages(server, folder, () => undefined, addresses)
  if (!isThere) server.get('/', (_, reply) => reply.redirect('/docs'))
}

/** For a port with another format of `/api/v1`: redirects to the terminal at the other port. */
export function leadToTerminal(server: FastifyInstance, portOfTerminal: () => number): void {
  server.get('/', ({ headers }, reply) => {
    const name = (headers.host ?? 'localhost').replace(/:[0-9]+$/, '')
    // Only a valid host name is repeated. The scheme stays the same.
    const host = /^[\w.-]+$|^\[[0-9A-Fa-f:.]+\]$/.test(name) ? name : 'localhost'
    reply.header('cache-control', 'no-store')
    return reply.redirect(`//${host}:${portOfTerminal()}/`)
  })
}
