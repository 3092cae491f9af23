// Places orders at the leader on some connections, and records when the reader publishes each. Both
// times are of one clock.

import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Key, keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { Connection, dataOf } from '../../test/support/running/connection.ts'

/** From the leader's reply on, in milliseconds; an order seen before the reply counts as 0. */
export type Lags = Readonly<{ p50: number; p99: number; count: number }>

const pauseMs = 5
/** All orders are cancelled after this many. */
const openMax = 20
const lanes = 6
const seenMsMax = 10_000

type Placed = Readonly<{ order_id: number }>
type OrderFrame = Readonly<{ channel: string; data: readonly Readonly<{ i: number }>[] }>

export class LagProbe {
  private readonly key: Key = keyOfSeed(new Uint8Array(32).fill(77))
  private readonly lanes: readonly Connection[]
  private readonly socket: WebSocket
  private readonly answeredAt = new Map<number, number>()
  private readonly seenAt = new Map<number, number>()
  private price = ''
  private lastMs = 0
  private placing: Promise<unknown> = Promise.resolve()
  private stopped = false

  private constructor(leader: number, reader: number) {
    this.lanes = Array.from({ length: lanes }, () => new Connection(leader))
    this.socket = new WebSocket(`ws://127.0.0.1:${reader}/ws`, { perMessageDeflate: false })
    this.socket.on('message', (bytes: Buffer) => this.onMessage(bytes.toString('utf8')))
  }

  static async open(leader: number, reader: number): Promise<LagProbe> {
    const probe = new LagProbe(leader, reader)
    await once(probe.socket, 'open')
    await probe.begin()
    return probe
  }

  start(): void {
    this.stopped = false
    this.placing = Promise.all(this.lanes.map((api) => this.place(api)))
  }

  async stop(): Promise<Lags> {
    this.stopped = true
    await this.placing
    const until = performance.now() + seenMsMax
    while ([...this.answeredAt.keys()].some((order) => !this.seenAt.has(order))) {
      if (performance.now() > until) throw new Error('the reader does not publish an order')
      await wait(pauseMs)
    }
    const sorted = [...this.answeredAt]
      .map(([order, answered]) => Math.max(0, this.seenAt.get(order)! - answered))
      .sort((one, other) => one - other)
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]!
    const lags = { p50: at(0.5), p99: at(0.99), count: sorted.length }
    this.answeredAt.clear()
    this.seenAt.clear()
    return lags
  }

  close(): void {
    this.socket.terminate()
    for (const api of this.lanes) api.close()
  }

  private async begin(): Promise<void> {
    const account = this.key.address
    const [api] = this.lanes as [Connection]
    dataOf(await api.post('/api/v1/sandbox/faucet', { account, amount: '1000000' }))
    const prices = await api.get('/api/v1/info/prices')
    const btc = dataOf<{ symbol: string; mark: string }[]>(prices).find(
      ({ symbol }) => symbol === 'BTC',
    )
    this.price = String(Math.round(Number(btc!.mark) * 0.9))
    const params = { source: 'account_order_updates', account }
    this.socket.send(JSON.stringify({ method: 'subscribe', params }))
  }

  private async place(api: Connection): Promise<void> {
    const resting = { side: 'bid', price: this.price, tif: 'ALO', reduce_only: false }
    const fields = { symbol: 'BTC', amount: '0.001', ...resting }
    for (let n = 1; !this.stopped; n++) {
      const order = await this.signed('create_order', fields)
      const reply = await api.post('/api/v1/orders/create', order)
      const answered = performance.now()
      this.answeredAt.set(dataOf<Placed>(reply).order_id, answered)
      if (n % openMax === 0) await this.cancelAll(api)
      await wait(pauseMs)
    }
    await this.cancelAll(api)
  }

  private async cancelAll(api: Connection): Promise<void> {
    const all = { all_symbols: true, exclude_reduce_only: false }
    const text = await this.signed('cancel_all_orders', all)
    dataOf(await api.post('/api/v1/orders/cancel_all', text))
  }

  private async signed(type: 'create_order' | 'cancel_all_orders', fields: object) {
    this.lastMs = Math.max(this.lastMs + 1, Date.now())
    const signing = { type, timestamp: this.lastMs } as const
    return JSON.stringify(await signedBody(this.key, fields as Record<string, unknown>, signing))
  }

  private onMessage(text: string): void {
    const now = performance.now()
    const { channel, data } = JSON.parse(text) as OrderFrame
    if (channel !== 'account_order_updates') return
    for (const { i } of data) if (!this.seenAt.has(i)) this.seenAt.set(i, now)
  }
}
