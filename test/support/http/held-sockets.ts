// Bare sockets that a test holds open: from an address of its choice, sending the given bytes.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export class HeldSocket {
  said = ''
  closed = false
  readonly socket: Socket

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.closed = true
    })
    socket.on('data', (bytes) => {
      this.said += bytes.toString('latin1')
    })
  }

  /** On Linux all of 127.0.0.0/8 is this machine. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<HeldSocket> {
    const held = new HeldSocket(connect({ port, host: '127.0.0.1', localAddress }))
    await Promise.race([once(held.socket, 'connect'), once(held.socket, 'close')])
    return held
  }

  /** A request on this connection, kept alive; resolves with what came, when something came. */
  async get(path: string): Promise<string> {
    this.said = ''
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
    await until(() => this.said.includes('\r\n\r\n') || this.closed)
    return this.said
  }

  close(): void {
    this.socket.destroy()
  }
}

export async function until(isSo: () => boolean | Promise<boolean>, ms = 180_000): Promise<void> {
  const deadline = performance.now() + ms
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it did not come true in ${ms} ms: ${isSo}`)
    await new Promise((later) => setTimeout(later, 20))
  }
}
