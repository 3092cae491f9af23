// Real sockets that a test can cut, hold shut, and alter what comes through.

import { openSocket as openReal } from '../../../src/client/platform/node-socket.ts'
import type { Socket, SocketMaker } from '../../../src/client/platform/socket.ts'

type Message = Readonly<Record<string, unknown>>

export class AlteredSockets {
  /** Null: the message is lost. */
  alter: (message: Message) => unknown = (message) => message
  /** What was sent, of all sockets. */
  readonly sent: Message[] = []
  opened = 0
  /** While true, no connection can be made. */
  shut = false
  private current: Socket | null = null

  readonly open: SocketMaker = (url, headers) => {
    this.opened += 1
    const real = openReal(this.shut ? 'ws://127.0.0.1:9/' : url, headers)
    const socket: Socket = {
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: (text) => {
        this.sent.push(JSON.parse(text) as Message)
        real.send(text)
      },
      close: () => real.close(),
    }
    real.onopen = () => socket.onopen?.()
    real.onclose = (event) => socket.onclose?.(event)
    real.onerror = (event) => socket.onerror?.(event)
    real.onmessage = ({ data }) => {
      const message = this.alter(JSON.parse(String(data)) as Message)
      if (message !== null) socket.onmessage?.({ data: JSON.stringify(message) })
    }
    this.current = real
    return socket
  }

  /** As if the cable were cut. */
  cut(): void {
    ;(this.current as unknown as { terminate(): void }).terminate()
  }
}
