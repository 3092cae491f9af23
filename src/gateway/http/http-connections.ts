// The HTTP connections of a server, as routes of the sandbox see them.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Intake } from '../intake/intake.ts'
import type { ConnectionServer, Cut } from '../open-connections.ts'

/** `intake`: counts the requests in progress. */
export function httpConnections(servers: readonly Server[], intake: Intake): ConnectionServer {
  const sockets = new Set<Socket>()
  for (const server of servers)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  return {
    /** Connections with a request in progress are kept, so that the caller gets its reply. */
    drop({ kind, account }: Cut) {
      if (kind !== 'http' || account !== null) return 0
      for (const server of servers) server.closeIdleConnections()
      return [...sockets].filter(({ destroyed }) => destroyed).length
    },
    send(ignored) {
      const { underWay, waiting } = intake.load
      return { requests: Math.max(0, underWay + waiting - ignored), connections: 0 }
    },
  }
}
