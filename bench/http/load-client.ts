// The load client, a separate process: signs everything first, then replays bytes on its
// connections, each of which sends its next request after the complete reply to the last.

import { connect, type Socket } from 'node:net'
import { replyEnd } from './reply-end.ts'
import { Trader } from './signed-orders.ts'

export type ClientStart = Readonly<{
  traders: number
  /** Index of the first key; different for any two clients of an exchange (default: 0). */
  firstTrader?: number
  connections: number
  requests: number
}>

/** `fresh`: requests that were not sent yet. Otherwise the first ones again, for a server that does
 *  not read them. */
export type ClientTask = Readonly<{ port: number; requests: number; fresh: boolean }>

export type ClientReady = Readonly<{ addresses: readonly string[] }>
export type ClientResult = Readonly<{
  requests: number
  ms: number
  /** Replies other than 200, and the first of them. */
  refused: number
  refusal: string | null
  p50: number
  p99: number
}>

class Connection {
  readonly waits: number[] = []
  refused = 0
  refusal: string | null = null
  private readonly requests: readonly Buffer[]
  private readonly done: () => void
  private socket: Socket | null = null
  private next = 0
  private sentAt = 0
  private rest: Buffer | null = null

  constructor(requests: readonly Buffer[], done: () => void) {
    this.requests = requests
    this.done = done
  }

  open(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, resolve)
      socket.on('error', reject)
      socket.on('data', (bytes) => this.read(bytes as Buffer))
      socket.on('close', () => {
        if (this.next < this.requests.length) throw new Error('the server closed a connection')
      })
      this.socket = socket
    })
  }

  send(): void {
    const request = this.requests[this.next]
    if (request === undefined) {
      this.socket!.end()
      return this.done()
    }
    this.next += 1
    this.sentAt = performance.now()
    this.socket!.write(request)
  }

  private read(bytes: Buffer): void {
    const all = this.rest === null ? bytes : Buffer.concat([this.rest, bytes])
    const end = replyEnd(all)
    if (end < 0 || end > all.length) {
      this.rest = all
      return
    }
    this.rest = null
    this.waits.push(performance.now() - this.sentAt)
    // "HTTP/1.1 200": the other two digits do not matter.
    if (all[9] !== 0x32) {
      this.refused += 1
      this.refusal ??= all.toString('latin1', 0, end)
    }
    this.send()
  }
}

class LoadClient {
  private readonly start: ClientStart
  readonly traders: readonly Trader[]
  private signed: Buffer[][] = []
  private sent = 0

  constructor(start: ClientStart) {
    this.start = start
    const { traders: length, firstTrader = 0 } = start
    this.traders = Array.from({ length }, (_, at) => new Trader(firstTrader + at))
  }

  /** A trader's requests all use one connection, so an order exists when its cancel is sent. */
  async sign(): Promise<void> {
    const { connections, requests, traders } = this.start
    this.signed = Array.from({ length: connections }, () => [])
    const each = Math.ceil(requests / connections)
    const perConnection = Math.ceil(traders / connections)
    for (let n = 0; n < each; n++)
      for (let at = 0; at < connections; at++) {
        const trader = this.traders[at + connections * (n % perConnection)]!
        this.signed[at]!.push(await trader.next())
      }
  }

  async run({ port, requests, fresh }: ClientTask): Promise<ClientResult> {
    const each = Math.floor(requests / this.start.connections)
    const first = fresh ? this.sent : 0
    if (fresh) this.sent += each
    let open = this.signed.length
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const done = () => {
      open -= 1
      if (open === 0) finish()
    }
    const connections = this.signed.map(
      (all) => new Connection(all.slice(first, first + each), done),
    )
    await Promise.all(connections.map((connection) => connection.open(port)))
    const started = performance.now()
    for (const connection of connections) connection.send()
    await finished
    const ms = performance.now() - started
    const waits = connections.flatMap((connection) => connection.waits).sort((a, b) => a - b)
    return {
      requests: waits.length,
      ms,
      refused: connections.reduce((sum, { refused }) => sum + refused, 0),
      refusal: connections.find(({ refusal }) => refusal !== null)?.refusal ?? null,
      p50: waits[Math.floor(waits.length * 0.5)]!,
      p99: waits[Math.floor(waits.length * 0.99)]!,
    }
  }
}

let client: LoadClient | null = null
process.on('message', async (message: ClientStart | ClientTask) => {
  if (client === null) {
    client = new LoadClient(message as ClientStart)
    await client.sign()
    const ready: ClientReady = { addresses: client.traders.map(({ key }) => key.address) }
    process.send!(ready)
  } else process.send!(await client.run(message as ClientTask))
})
process.on('disconnect', () => process.exit())
