// Stops all output of a server whose process may no longer reply. A leader that was paused beyond
// the end of its lease may hold outdated state and earlier requests. The check is made when bytes
// are written to a socket, which covers both HTTP paths, websockets and refused connections.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Must be called before any other handler of connections is installed. */
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
