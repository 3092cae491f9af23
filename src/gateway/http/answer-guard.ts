// Nothing leaves a server whose process may no longer answer: whoever leads a cluster and has
// slept through the end of its lease may hold requests that it read before, and state that is old
// by now. The last moment at which that can be asked is when bytes go to a socket, and everything
// passes there: both roads through HTTP, websockets, and what refuses a connection.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Before anything else looks at its connections. */
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
