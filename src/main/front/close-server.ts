// Closes HTTP servers, and returns their address while they listen.

import type { FastifyInstance } from 'fastify'

/** Time in ms that pending requests have to complete. */
const answerMsMax = 3_000

/** Completes pending requests, then closes connections that exceed the time limit. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), answerMsMax)
  await server.close()
  clearTimeout(cut)
}

export function portOf(server: FastifyInstance): number {
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
