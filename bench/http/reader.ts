// Somebody who reads while the others trade: positions on one connection, a book on another, each
// asked on the beat of a clock. A reply counts from the beat it was due on, so that one that keeps
// the next waiting is counted twice.

import { connect, type Socket } from 'node:net'

const beatMs = 20
const bodyStart = Buffer.from('\r\n\r\n')

class ReadConnection {
  readonly waits: number[] = []
  private readonly request: string
  private readonly due: number[] = []
  private socket: Socket | null = null
  private timer: NodeJS.Timeout | null = null
  private asked = false

  constructor(path: string) {
    this.request = `GET /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  }

  async start(port: number): Promise<void> {
    this.due.length = 0
    this.asked = false
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
    if (this.asked || this.due.length === 0) return
    this.asked = true
    this.socket!.write(this.request)
  }

  /** Replies here come in one piece: they are smaller than what a loopback socket hands over. */
  private read(bytes: Buffer): void {
    const ok = bytes[9] === 0x32 && bytes.indexOf(bodyStart) > 0
    if (!ok) throw new Error(`a read failed: ${bytes.toString('latin1')}`)
    this.waits.push(performance.now() - this.due.shift()!)
    this.asked = false
    this.ask()
  }
}

export class Reader {
  private readonly connections: readonly ReadConnection[]

  constructor(account: string) {
    const paths = [`/positions?account=${account}`, '/book?symbol=BTC']
    this.connections = paths.map((path) => new ReadConnection(path))
  }

  /** On connections of its own for each turn: the exchange keeps none that is silent for long. */
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
