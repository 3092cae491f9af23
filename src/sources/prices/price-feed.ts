// A venue's prices. Several sources per market push prices, which are combined into oracle ticks. A
// tick is sent periodically, when the price has moved, and as soon as it would release a due order
// (docs/rules/prices.md). With too few sources no tick is sent, and the market becomes stale.

import type { CommandOf, MarketId } from '../../core/index.ts'
import { type MicroTicks, PPM } from '../../units/units.ts'
import type { SourceExchange } from '../exchange-port.ts'
import { realTimers, type Timers } from '../timers.ts'
import { type Combined, combined, freshMsMax, isPrice, type Quotation } from './combined.ts'
import { LatencySamples, sampleEveryMs } from './latency.ts'
import type { Observed } from './observation.ts'
import { apartMs, firstEveryMs, firstTicks, hasMoved, tickEveryMs } from './tick-times.ts'

type OracleTick = CommandOf<'OracleTick'>
type Pushed = Quotation & Readonly<{ isTimed: boolean }>

export type PushResult = 'taken' | 'unknown_source' | 'unknown_market' | 'invalid_price'

/** Counters of a source since the start. */
export type SourceCount = Readonly<{
  source: string
  weight: number
  /** Wall time of the last accepted price; `null` if there was none. */
  takenAtMs: number | null
  taken: number
  refused: number
}>

/** A source's newest price of a market, in millionths of a tick. */
export type SourceWord = Readonly<{
  source: string
  weight: number
  price: number
  /** Time in ms since the price was received. */
  ageMs: number
  /** Time in ms since the price was observed. */
  observedAgeMs: number
  /** Whether the source provided the time of the price. */
  isTimed: boolean
  isFresh: boolean
}>

/** Prices of a market by source, and the combined price, which is `null` if there is none. */
export type MarketWords = Readonly<{
  market: number
  price: number | null
  /** Median latency of the last minute; `null` if unknown. */
  latencyMs: number | null
  words: readonly SourceWord[]
}>

/** State of one market. */
type MarketFeed = {
  /** Newest price of each source. */
  readonly pushed: Map<string, Pushed>
  readonly latency: LatencySamples
  /** Monotonic time and content of the last tick. */
  tickedAt: number
  said: number
  /** Number of ticks since the start. */
  ticks: number
  /** Whether a tick was submitted and is not applied yet. */
  sending: boolean
  clear: (() => void) | null
}

/** Orders that wait for a tick. */
export type DueOrders = Readonly<{
  /** Earliest arrival time, in engine time, of a due order of the market, whose speed bump is over
   *  and which crosses. `null` if there is none. */
  dueArrival(market: number): number | null
  /** Maximum age of the observation of a tick that releases orders. */
  observedWithinMs(market: number): number
}>

/** Due orders of the exchange, by its own limits. */
function dueOf({ view }: Pick<SourceExchange, 'view'>): DueOrders {
  return {
    dueArrival: (market) => view.markets.get(market)?.dueArrival ?? null,
    observedWithinMs: (market) => view.markets.get(market)?.params.observedWithinMs ?? 0,
  }
}

export type PriceFeedParts = Readonly<{
  exchange: Pick<SourceExchange, 'submit' | 'view'>
  wall: () => number
  monotonic: () => number
  /** Engine time of the next command, or an earlier time. */
  engineNow: () => number
  /** Weight of each source that may push, by name. */
  weights: ReadonlyMap<string, number>
  due?: DueOrders
  fault: (error: unknown) => void
  timers?: Timers
}>

export class PriceFeed {
  private readonly parts: PriceFeedParts
  private readonly timers: Timers
  private readonly due: DueOrders
  private readonly feeds = new Map<number, MarketFeed>()
  private readonly counts = new Map<string, { takenAtMs: number; taken: number; refused: number }>()
  private clearSampling: () => void = () => undefined
  private started = false
  private closed = false

  constructor(parts: PriceFeedParts) {
    for (const [source, weight] of parts.weights)
      if (!Number.isSafeInteger(weight) || weight < 1 || weight > PPM)
        throw new RangeError(`weight of price source ${source}: ${weight}`)
    this.parts = parts
    this.timers = parts.timers ?? realTimers
    this.due = parts.due ?? dueOf(parts.exchange)
    for (const source of parts.weights.keys())
      this.counts.set(source, { takenAtMs: 0, taken: 0, refused: 0 })
  }

  /** Adds a source's newest price of a market. An invalid price removes the source's older
   *  price. */
  push(source: string, market: number, price: number, seen: Observed): PushResult {
    const weight = this.parts.weights.get(source)
    const count = this.counts.get(source)
    if (weight === undefined || count === undefined) return 'unknown_source'
    const result = this.take({ source, weight }, market, price, seen)
    if (result === 'taken') count.takenAtMs = this.parts.wall()
    count[result === 'taken' ? 'taken' : 'refused'] += 1
    return result
  }

  /** Counts a push that could not be parsed; `market` is `null` if it contains no listed market. */
  refuse(source: string, market: number | null): void {
    const count = this.counts.get(source)
    if (count === undefined) return
    count.refused += 1
    if (market !== null) this.feeds.get(market)?.pushed.delete(source)
  }

  /** Counters by source, including sources that never pushed. */
  sourceCounts(): readonly SourceCount[] {
    return [...this.counts].map(([source, { takenAtMs, taken, refused }]) => {
      const weight = this.parts.weights.get(source)!
      return { source, weight, takenAtMs: taken === 0 ? null : takenAtMs, taken, refused }
    })
  }

  /** The combined price of each market and the latest price of each source, in the order of
   *  `weights`. Markets without a price are included. */
  marketWords(): readonly MarketWords[] {
    const now = this.parts.monotonic()
    const markets = [...this.parts.exchange.view.markets.all()]
    return markets.map(({ id }) => {
      const feed = this.feeds.get(id)
      const words = [...this.parts.weights.keys()].flatMap((source) => {
        const word = feed?.pushed.get(source)
        return word === undefined ? [] : { source, ...wordOf(word, now) }
      })
      const price = feed === undefined ? null : (this.priceOf(id, feed)?.price ?? null)
      return { market: id, price, latencyMs: feed?.latency.median() ?? null, words }
    })
  }

  /** Median latency of the last minute; `null` if unknown. */
  latencyOf(market: number): number | null {
    return this.feeds.get(market)?.latency.median() ?? null
  }

  /** Called when the exchange has started or this node has become the leader. */
  start(): void {
    this.started = true
    this.sample()
    for (const [market, feed] of this.feeds) this.look(market, feed)
  }

  close(): void {
    this.closed = true
    this.clearSampling()
    for (const { clear } of this.feeds.values()) clear?.()
  }

  /** Checks the markets that have a due order. */
  refresh(): void {
    for (const [market, feed] of this.feeds)
      if (this.due.dueArrival(market) !== null) this.look(market, feed)
  }

  private take(
    { source, weight }: Readonly<{ source: string; weight: number }>,
    market: number,
    price: number,
    { ageMs, isTimed }: Observed,
  ): PushResult {
    if (this.parts.exchange.view.markets.get(market) === undefined) return 'unknown_market'
    const feed = this.feedOf(market)
    if (!isPrice(price)) {
      feed.pushed.delete(source)
      return 'invalid_price'
    }
    const receivedAt = this.parts.monotonic()
    const observedAt = receivedAt - ageMs
    feed.pushed.set(source, { price, weight, receivedAt, observedAt, isTimed })
    this.look(market, feed)
    return 'taken'
  }

  private feedOf(market: number): MarketFeed {
    const known = this.feeds.get(market)
    if (known !== undefined) return known
    const never = { tickedAt: 0, said: 0, ticks: 0, sending: false, clear: null }
    const feed: MarketFeed = { pushed: new Map(), latency: new LatencySamples(), ...never }
    this.feeds.set(market, feed)
    return feed
  }

  private sample(): void {
    const now = this.parts.monotonic()
    for (const [market, feed] of this.feeds) {
      const price = this.priceOf(market, feed)
      if (price !== null) feed.latency.add(now - price.observedAt)
    }
    this.clearSampling = this.timers.after(sampleEveryMs, () => this.sample())
  }

  /** Sends the market's tick if it is due, or sets a timer. Without a price no timer is needed,
   *  because the next push checks again. */
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
  private waitOf(tick: OracleTick, feed: MarketFeed): number {
    if (feed.ticks === 0) return 0
    const since = this.parts.monotonic() - feed.tickedAt
    if (hasMoved(tick.price, feed.said) || this.wouldRelease(tick)) return apartMs - since
    if (feed.ticks < firstTicks) return firstEveryMs - since
    return tickEveryMs(this.parts.exchange.view.markets.paramsOf(tick.market)) - since
  }

  /** Whether an order waits for this tick. A stale market releases no orders. */
  private wouldRelease({ market, observedAtMs }: OracleTick): boolean {
    const arrival = this.due.dueArrival(market)
    if (arrival === null || observedAtMs === null || observedAtMs < arrival) return false
    if (this.parts.engineNow() - observedAtMs > this.due.observedWithinMs(market)) return false
    return this.parts.exchange.view.markets.get(market)?.hasLivePrice === true
  }

  private priceOf(market: number, { pushed }: MarketFeed): Combined | null {
    const found = this.parts.exchange.view.markets.get(market)
    if (found === undefined || found.settled) return null
    return combined([...pushed.values()], this.parts.monotonic(), found.params.minSources)
  }

  private tickOf(market: MarketId, feed: MarketFeed): OracleTick | null {
    const found = this.priceOf(market, feed)
    if (found === null) return null
    const ageMs = this.parts.monotonic() - found.observedAt
    const observedAtMs = Math.max(0, Math.floor(this.parts.engineNow() - ageMs))
    const price = found.price as MicroTicks
    return { type: 'OracleTick', market, price, observedAtMs, jump: false }
  }

  private send(tick: OracleTick, feed: MarketFeed): void {
    feed.tickedAt = this.parts.monotonic()
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

function wordOf({ price, weight, receivedAt, observedAt, isTimed }: Pushed, now: number) {
  const ageMs = Math.round(now - receivedAt)
  const isFresh = now - receivedAt <= freshMsMax
  return { weight, price, ageMs, observedAgeMs: Math.round(now - observedAt), isTimed, isFresh }
}
