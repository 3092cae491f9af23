// A venue's prices: what several sources push per market, combined into oracle ticks: in time, and
// at once when the price has moved (docs/rules/prices.md). Too few sources: no tick, and the market
// goes stale.

import type { CommandOf, MarketId } from '../../core/index.ts'
import { type MicroTicks, PPM } from '../../units/units.ts'
import type { SourceExchange } from '../exchange-port.ts'
import { realTimers, type Timers } from '../timers.ts'
import { combined, freshMsMax, isPrice, type Quotation } from './combined.ts'
import { apartMs, firstEveryMs, firstTicks, hasMoved, tickEveryMs } from './tick-times.ts'

type OracleTick = CommandOf<'OracleTick'>

type Pushed = Readonly<{ index: Quotation; external: Quotation | null }>
export type PushResult = 'taken' | 'unknown_source' | 'unknown_market' | 'invalid_price'

/** What a source said since the start. */
export type SourceCount = Readonly<{
  source: string
  weight: number
  /** Wall time of the last price that was taken; null: none was. */
  takenAtMs: number | null
  taken: number
  refused: number
}>

/** A source's newest word on a market, in millionths of a tick. */
export type SourceWord = Readonly<{
  source: string
  weight: number
  price: number
  external: number | null
  ageMs: number
  isFresh: boolean
}>

/** What sources say of a market, and what that makes; null: no price. */
export type MarketWords = Readonly<{
  market: number
  price: number | null
  words: readonly SourceWord[]
}>

/** What is known of one market. */
type MarketFeed = {
  /** By source, so no more than there are sources. */
  readonly pushed: Map<string, Pushed>
  /** The last tick: its wall time and what it said. */
  tickedAt: number
  said: number
  /** Since the start. */
  ticks: number
  /** A tick is on its way to the journal. */
  sending: boolean
  clear: (() => void) | null
}

export type PriceFeedParts = Readonly<{
  exchange: Pick<SourceExchange, 'submit' | 'view'>
  wall: () => number
  /** Weight of each source that may push, by its name. */
  weights: ReadonlyMap<string, number>
  fault: (error: unknown) => void
  timers?: Timers
}>

export class PriceFeed {
  private readonly parts: PriceFeedParts
  private readonly timers: Timers
  private readonly feeds = new Map<number, MarketFeed>()
  private readonly counts = new Map<string, { takenAtMs: number; taken: number; refused: number }>()
  private started = false
  private closed = false

  constructor(parts: PriceFeedParts) {
    for (const [source, weight] of parts.weights)
      if (!Number.isSafeInteger(weight) || weight < 1 || weight > PPM)
        throw new RangeError(`weight of price source ${source}: ${weight}`)
    this.parts = parts
    this.timers = parts.timers ?? realTimers
    for (const source of parts.weights.keys())
      this.counts.set(source, { takenAtMs: 0, taken: 0, refused: 0 })
  }

  /** A source's newest word on a market; an invalid one takes its older word away. */
  push(source: string, market: number, price: number, external: number | null): PushResult {
    const weight = this.parts.weights.get(source)
    const count = this.counts.get(source)
    if (weight === undefined || count === undefined) return 'unknown_source'
    const result = this.take({ source, weight }, market, price, external)
    if (result === 'taken') count.takenAtMs = this.parts.wall()
    count[result === 'taken' ? 'taken' : 'refused'] += 1
    return result
  }

  /** By source, those that never said anything included. */
  sourceCounts(): readonly SourceCount[] {
    return [...this.counts].map(([source, { takenAtMs, taken, refused }]) => {
      const weight = this.parts.weights.get(source)!
      return { source, weight, takenAtMs: taken === 0 ? null : takenAtMs, taken, refused }
    })
  }

  /** By market, those of which nobody says anything included; sources in the order of weights. */
  marketWords(): readonly MarketWords[] {
    const now = this.parts.wall()
    const markets = [...this.parts.exchange.view.markets.all()]
    return markets.map(({ id }) => {
      const feed = this.feeds.get(id)
      const words = [...this.parts.weights.keys()].flatMap((source) => {
        const word = feed?.pushed.get(source)
        return word === undefined ? [] : { source, ...wordOf(word, now) }
      })
      const price = feed === undefined ? null : (this.tickOf(id as MarketId, feed)?.price ?? null)
      return { market: id, price, words }
    })
  }

  private take(
    { source, weight }: Readonly<{ source: string; weight: number }>,
    market: number,
    price: number,
    external: number | null,
  ): PushResult {
    if (this.parts.exchange.view.markets.get(market) === undefined) return 'unknown_market'
    const feed = this.feedOf(market)
    if (!isPrice(price) || (external !== null && !isPrice(external))) {
      feed.pushed.delete(source)
      return 'invalid_price'
    }
    const atMs = this.parts.wall()
    feed.pushed.set(source, {
      index: { price, weight, atMs },
      external: external === null ? null : { price: external, weight, atMs },
    })
    this.look(market, feed)
    return 'taken'
  }

  /** The exchange has started, or has taken the lead. */
  start(): void {
    this.started = true
    for (const [market, feed] of this.feeds) this.look(market, feed)
  }

  close(): void {
    this.closed = true
    for (const { clear } of this.feeds.values()) clear?.()
  }

  private feedOf(market: number): MarketFeed {
    const known = this.feeds.get(market)
    if (known !== undefined) return known
    const never = { tickedAt: 0, said: 0, ticks: 0, sending: false, clear: null }
    const feed: MarketFeed = { pushed: new Map(), ...never }
    this.feeds.set(market, feed)
    return feed
  }

  /** Sends the market's tick if it is due, or comes back when it is. Without a price there is
   *  nothing to come back for: the next push looks again. */
  private look(market: number, feed: MarketFeed): void {
    if (!this.started || this.closed || feed.sending) return
    feed.clear?.()
    feed.clear = null
    const tick = this.tickOf(market as MarketId, feed)
    if (tick === null) return
    const wait = this.waitOf(tick, feed)
    if (wait <= 0) this.send(tick, feed)
    else feed.clear = this.timers.after(wait, () => this.look(market, feed))
  }

  /** Milliseconds until the tick is due. */
  private waitOf({ market, price }: OracleTick, feed: MarketFeed): number {
    const since = this.parts.wall() - feed.tickedAt
    // The first one, or the machine's clock was set back.
    if (feed.ticks === 0 || since < 0) return 0
    if (hasMoved(price, feed.said)) return apartMs - since
    if (feed.ticks < firstTicks) return firstEveryMs - since
    return tickEveryMs(this.parts.exchange.view.markets.paramsOf(market)) - since
  }

  private tickOf(market: MarketId, { pushed }: MarketFeed): OracleTick | null {
    const found = this.parts.exchange.view.markets.get(market)
    if (found === undefined || found.settled) return null
    const now = this.parts.wall()
    const { minSources } = found.params
    const all = [...pushed.values()]
    const indexes = all.map(({ index }) => index)
    const price = combined(indexes, now, minSources) as MicroTicks | null
    if (price === null) return null
    const externals = all.flatMap(({ external }) => (external === null ? [] : [external]))
    const external = combined(externals, now, minSources) as MicroTicks | null
    return { type: 'OracleTick', market, price, external, jump: false }
  }

  private send(tick: OracleTick, feed: MarketFeed): void {
    feed.tickedAt = this.parts.wall()
    feed.said = tick.price
    feed.ticks += 1
    feed.sending = true
    this.parts.exchange.submit(tick).then(
      () => {
        feed.sending = false
        this.look(tick.market, feed)
      },
      (error: unknown) => {
        this.close()
        this.parts.fault(error)
      },
    )
  }
}

function wordOf({ index: { price, weight, atMs }, external }: Pushed, now: number) {
  const ageMs = now - atMs
  return { weight, price, external: external?.price ?? null, ageMs, isFresh: ageMs <= freshMsMax }
}
