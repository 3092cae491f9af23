// One connection, and no other in its place: reads on it, one after the other, until it is lost.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type HeldReply = Readonly<{
  status: number
  headers: ReadonlyMap<string, string>
  body: string
}>

const replyMsMax = 20_000

export class HeldReads {
  private readonly socket: Socket
  private said = Buffer.alloc(0)
  private heard: () => void = () => undefined
  private lost = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.setTimeout(replyMsMax, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      this.said = Buffer.concat([this.said, bytes])
      this.heard()
    })
    socket.on('close', () => {
      this.lost = true
      this.heard()
    })
  }

  static async open(port: number): Promise<HeldReads> {
    const held = new HeldReads(connect({ port, host: '127.0.0.1' }))
    await Promise.race([once(held.socket, 'connect'), once(held.socket, 'close')])
    return held
  }

  /** Null: the connection was lost before the reply had come. */
  async get(path: string, headers: Readonly<Record<string, string>>): Promise<HeldReply | null> {
    if (this.lost) return null
    const lines = Object.entries({ host: '127.0.0.1', ...headers }).map((each) => each.join(': '))
    this.socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    for (;;) {
      const reply = this.next()
      if (reply !== null) return reply
      if (this.lost) return null
      await new Promise<void>((heard) => {
        this.heard = heard
      })
    }
  }

  close(): void {
    this.socket.destroy()
  }

  private next(): HeldReply | null {
    const headEnd = this.said.indexOf('\r\n\r\n')
    if (headEnd < 0) return null
    const [first, ...lines] = this.said.toString('latin1', 0, headEnd).split('\r\n')
    const pairs = lines.map((line) => /^([^:]+): *(.*)$/.exec(line)!)
    const headers = new Map(pairs.map(([, name, value]) => [name!.toLowerCase(), value!]))
    const start = headEnd + 4
    const end = start + Number(headers.get('content-length') ?? 0)
    if (this.said.length < end) return null
    const body = this.said.toString('utf8', start, end)
    this.said = this.said.subarray(end)
    return { status: Number(first!.split(' ')[1]), headers, body }
  }
}
