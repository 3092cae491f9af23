// Closing of HTTP servers, and their address while they listen.

import type { FastifyInstance } from 'fastify'

/** Time in ms that pending requests have to complete. */
const answerMsMax = 3_000

/** Completes pending requests, and closes connections that take too long. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), answerMsMax)
  await server.close()
  clearTimeout(cut)
}

export function portOf(server: FastifyInstance): number {
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
