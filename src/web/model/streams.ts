// Passes live data of the exchange to the stores, and tracks its age. If data is late or the
// connection is lost, it is shown as stale. Markets and the account have separate connections,
// because a stream belongs to one account and the account may change.

import { effect, type Signal, signal } from '@preact/signals'
import type { Stream } from '../../client/stream/stream.ts'
import { followAccount } from './account/account-stream.ts'
import type { Desk } from './desk.ts'
import { followMarket } from './market/market-stream.ts'
import { followStanding } from './market/standing.ts'

export type Light = Readonly<{
  state: 'start' | 'live' | 'slow' | 'down'
  latencyMs: number | null
  /** Maximum age of prices, which arrive four times per second. */
  ageMs: number | null
}>

/** Time in ms without prices after which the data is stale. */
const lateMs = 3_000
const healthMs = 500
export const streamOptions = { pingMs: 5_000, backoffMs: { first: 200, most: 2_000 } }

export class Streams {
  readonly light: Signal<Light> = signal({ state: 'start', latencyMs: null, ageMs: null })
  readonly stale: Signal<boolean> = signal(true)
  /** Number of repaired gaps and wrong checksums of the book. */
  readonly repairs: Signal<number> = signal(0)
  private readonly desk: Desk
  private stream: Stream | null = null
  private accountStream: Stream | null = null
  private pricesAt: number | null = null
  private engineAt = 0
  private engineSeen = 0

  constructor(desk: Desk) {
    this.desk = desk
  }

  /** Time of the exchange, estimated from the last received time. */
  engineNow(): number {
    if (this.engineSeen === 0) return Date.now()
    const frozen = this.desk.sandbox.clock.peek()?.frozen === true
    return Math.round(this.engineSeen + (frozen ? 0 : performance.now() - this.engineAt))
  }

  /** Starts the streams. Repeated calls have no effect. */
  start(): void {
    if (this.stream !== null) return
    const { desk } = this
    const onHealth = () => this.updateHealth()
    this.stream = desk.visitor.stream({ ...streamOptions, onHealth })
    this.followPrices(this.stream)
    followMarket(desk, this.stream)
    followStanding(desk, this.stream)
    effect(() => {
      const trader = desk.trader.value
      desk.account.clear()
      if (trader === null) return
      const stream = trader.client.stream({ ...streamOptions, onHealth })
      this.accountStream = stream
      followAccount(desk, trader, stream)
      return () => {
        this.accountStream = null
        stream.close()
      }
    })
    setInterval(() => this.updateHealth(), healthMs)
  }

  private followPrices(stream: Stream): void {
    const { markets, account } = this.desk
    stream.subscribe('prices', {}, ({ data }) => {
      this.pricesAt = performance.now()
      markets.updatePrices(data)
      account.followMarks(markets.prices.peek(), (symbol) => markets.gridOf(symbol))
      // A market was listed meanwhile. After a failure the next prices trigger a retry.
      if (data.length > markets.list.peek().length) this.desk.loadMarkets().catch(() => undefined)
      const time = data[0]?.timestamp ?? 0
      if (time > 0) this.updateTime(time)
    })
  }

  updateTime(ms: number): void {
    this.engineSeen = ms
    this.engineAt = performance.now()
  }

  /** Shows the worse state of both connections. */
  private updateHealth(): void {
    const market = this.stream?.health()
    if (market === undefined) return
    const ageMs = this.pricesAt === null ? null : performance.now() - this.pricesAt
    const frozen = this.desk.sandbox.clock.peek()?.frozen === true
    const quiet = frozen || this.desk.markets.list.peek().length === 0
    const late = ageMs === null || (ageMs > lateMs && !quiet)
    const down =
      market.state !== 'open' || (this.accountStream?.health().state ?? 'open') !== 'open'
    const state = ageMs === null ? 'start' : down ? 'down' : late ? 'slow' : 'live'
    const latencyMs = market.latencyMs === null ? null : Math.round(market.latencyMs)
    this.light.value = { state, latencyMs, ageMs }
    this.stale.value = state !== 'live'
    this.desk.live.stale.value = state !== 'live'
  }
}
