// A reader during trading: positions on one connection, a book on another, each requested at fixed
// times. A reply counts from the time its request was due, so that one that delays the next is
// counted twice.

import { connect, type Socket } from 'node:net'

const beatMs = 20
const bodyStart = Buffer.from('\r\n\r\n')

class ReadConnection {
  readonly waits: number[] = []
  private readonly request: string
  private readonly due: number[] = []
  private socket: Socket | null = null
  private timer: NodeJS.Timeout | null = null
  private isPending = false

  constructor(path: string) {
    this.request = `GET /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  }

  async start(port: number): Promise<void> {
    this.due.length = 0
    this.isPending = false
    await this.open(port)
    let next = performance.now() + beatMs
    this.timer = setInterval(() => {
      for (; next <= performance.now(); next += beatMs) this.due.push(next)
      this.ask()
    }, 1)
  }

  stop(): void {
    clearInterval(this.timer!)
    this.socket!.destroy()
  }

  private open(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, resolve)
      socket.on('error', reject)
      socket.on('data', (bytes) => this.read(bytes as Buffer))
      this.socket = socket
    })
  }

  private ask(): void {
    if (this.isPending || this.due.length === 0) return
    this.isPending = true
    this.socket!.write(this.request)
  }

  /** Replies arrive in one piece: they are smaller than the buffer of a loopback socket. */
  private read(bytes: Buffer): void {
    const ok = bytes[9] === 0x32 && bytes.indexOf(bodyStart) > 0
    if (!ok) throw new Error(`a read failed: ${bytes.toString('latin1')}`)
    this.waits.push(performance.now() - this.due.shift()!)
    this.isPending = false
    this.ask()
  }
}

export class Reader {
  private readonly connections: readonly ReadConnection[]

  constructor(account: string) {
    const paths = [`/positions?account=${account}`, '/book?symbol=BTC']
    this.connections = paths.map((path) => new ReadConnection(path))
  }

  /** On new connections for each turn: the exchange closes idle ones. */
  async start(port: number): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.start(port)))
  }

  stop(): void {
    for (const connection of this.connections) connection.stop()
  }

  /** In rising order, since the last call. */
  takeWaits(): readonly number[] {
    const waits = this.connections.flatMap(({ waits }) => waits.splice(0))
    return waits.sort((a, b) => a - b)
  }
}
