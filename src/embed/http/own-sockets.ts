import { openSocket } from '../../client/platform/node-socket.ts'
import type { SocketMaker } from '../../client/platform/socket.ts'
import type { Listening } from './reached.ts'

/** Sockets for streams: those of the open port, or of the last one while they reconnect. */
export function socketMakerOf(open: ReadonlySet<Listening>): SocketMaker {
  let last: string | null = null
  return (_, headers) => {
    const [listening] = open
    last = listening?.wsUrl ?? last
    if (last !== null) return openSocket(last, headers)
    throw new Error('streams of an embedded exchange need a port: await exchange.listen() first')
  }
}
