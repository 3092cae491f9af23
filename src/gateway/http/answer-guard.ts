// Stops all output of a server whose process may no longer answer: a leader that was paused past
// the end of its lease may hold requests that it read before, and outdated state. The last moment
// to check that is when bytes are written to a socket, which covers both paths through HTTP,
// websockets and refusals of connections.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** To be called before anything else handles its connections. */
export function guardAnswers(server: Server, mayAnswer: () => boolean): void {
  server.prependListener('connection', (socket: Socket) => guardSocket(socket, mayAnswer))
}

type Write = NonNullable<Socket['_write']>
type Writev = NonNullable<Socket['_writev']>

function guardSocket(socket: Socket, mayAnswer: () => boolean): void {
  const { _write: write, _writev: writev } = socket
  const guarded: { _write: Write; _writev?: Writev } = {
    _write(chunk, encoding, done) {
      if (mayAnswer()) write.call(socket, chunk, encoding, done)
      else socket.destroy()
    },
  }
  if (writev !== undefined)
    guarded._writev = (chunks, done) => {
      if (mayAnswer()) writev.call(socket, chunks, done)
      else socket.destroy()
    }
  Object.assign(socket, guarded)
}
