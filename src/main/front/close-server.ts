// How every server of ours ends, and where it is while it listens.

import type { FastifyInstance } from 'fastify'

/** How long requests that are under way have. */
const answerMsMax = 3_000

/** Requests in progress are answered; connections that take too long are closed. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), answerMsMax)
  await server.close()
  clearTimeout(cut)
}

export function portOf(server: FastifyInstance): number {
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
