// A websocket client that does what no library would: it sends frames of any kind and number, and
// reads only on request.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const handshake =
  'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

export const opcodes = { more: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa }

/** A frame as a client sends it, masked with zeros. */
export function frameOf(opcode: number, payload: Buffer | string = '', isLast = true): Buffer {
  const body = Buffer.from(payload)
  const first = (isLast ? 0x80 : 0) | opcode
  const mask = Buffer.alloc(4)
  if (body.length < 126)
    return Buffer.concat([Buffer.from([first, 0x80 | body.length]), mask, body])
  const head = Buffer.alloc(4)
  head[0] = first
  head[1] = 0x80 | 126
  head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, mask, body])
}

export class RawSocket {
  closed = false
  readonly socket: Socket
  private tail = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.closed = true
    })
  }

  /** It does not read before `read`. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawSocket> {
    const raw = new RawSocket(connect({ port, host: '127.0.0.1', localAddress }))
    await once(raw.socket, 'connect')
    raw.socket.write(handshake)
    await once(raw.socket, 'readable')
    raw.socket.read()
    return raw
  }

  /** Sends it again and again, as fast as the exchange reads, until `enough`. Gives how many bytes
   *  left this process. */
  async flood(bytes: Buffer, enough: () => boolean): Promise<number> {
    const before = this.sent
    while (!this.closed && !enough()) {
      if (this.socket.writableLength < 262_144) this.socket.write(bytes)
      await new Promise((later) => setImmediate(later))
    }
    return this.sent - before
  }

  private get sent(): number {
    return this.socket.bytesWritten - this.socket.writableLength
  }

  /** Reads to the end and gives the last words. */
  async readToEnd(): Promise<string> {
    this.socket.on('data', (bytes: Buffer) => {
      this.tail = Buffer.concat([this.tail, bytes]).subarray(-200)
    })
    this.socket.resume()
    if (!this.closed) await new Promise((gone) => this.socket.once('close', gone))
    return this.tail.toString('latin1')
  }

  end(): void {
    this.socket.destroy()
  }
}
