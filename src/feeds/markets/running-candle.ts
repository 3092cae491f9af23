// The candle of the current interval. The part before the first subscription is read from history.
// An interval without events repeats the last price as open, high, low and close.

import { priceText, sizeText } from '../../projections/market-text.ts'
import { type Interval, intervalEnd, intervalStart } from '../../units/intervals.ts'
import type { CandleKind, CandleNumbers, FeedContext } from '../feed-context.ts'
import type { Payload, Topic } from '../topic.ts'
import type { Place } from './market-publisher.ts'
import { Throttle } from './throttle.ts'

const candlePeriodMs = 100
const retryMs = 1_000

type Candle = { -readonly [F in keyof CandleNumbers]: CandleNumbers[F] }
type Price = Place & Readonly<{ price: number; lots: number }>

export type CandleOf = Readonly<{ market: number; kind: CandleKind; interval: Interval }>

export type CandleParts = Readonly<{ topic: Topic; context: FeedContext; onPushed(): void }>

export class RunningCandle {
  readonly throttle = new Throttle(candlePeriodMs, () => this.payload())
  private readonly parts: CandleParts
  private readonly of: CandleOf
  private candle: Candle | null = null
  /** Whether the candle only repeats the previous price. */
  private isQuiet = false
  /** Updates that arrived during a query of history; `null` once it has been answered. */
  private late: Price[] | null = null
  private loads = 0

  constructor(parts: CandleParts, of: CandleOf) {
    this.parts = parts
    this.of = of
    this.load()
  }

  /** Returns `null` before history has answered, and before the market's first price. */
  payload(): Payload | null {
    return this.late === null ? this.present() : null
  }

  add(price: Price): void {
    if (this.late === null) this.apply(price)
    else this.late.push(price)
  }

  batchEnded(): void {
    if (this.late === null) this.roll(this.parts.context.view.atMs)
  }

  /** Reloads the interval from history, because it may have changed. */
  load(): void {
    const { market, kind, interval } = this.of
    const { topic, context } = this.parts
    const { atMs } = context.view
    this.candle = null
    this.late = []
    this.loads += 1
    const load = this.loads
    context.history.candle(context.seq(), { market, kind, interval, atMs }).then(
      ({ seq, value }) => {
        if (load === this.loads) this.loaded(seq, value)
      },
      // If history lags behind or restarts, a later attempt succeeds. Other readers are not
      // affected.
      () => setTimeout(() => load === this.loads && topic.isRead && this.load(), retryMs).unref(),
    )
  }

  private loaded(seq: number, value: CandleNumbers | null): void {
    const { topic, context, onPushed } = this.parts
    const late = this.late!
    this.late = null
    this.candle = value === null ? null : { ...value }
    this.isQuiet = this.of.kind === 'trade' && value?.trades === 0
    for (const each of late) if (each.seq > seq) this.apply(each)
    this.roll(context.view.atMs)
    topic.sendSnapshotToAll()
    onPushed()
  }

  private apply({ atMs, price, lots }: Price): void {
    this.roll(atMs)
    this.candle ??= this.quiet(atMs, price)
    const { candle } = this
    // A candle that only repeats the previous price takes all its prices from its first own price.
    if (this.isQuiet) Object.assign(candle, { open: price, high: price, low: price })
    this.isQuiet = false
    candle.high = Math.max(candle.high, price)
    candle.low = Math.min(candle.low, price)
    candle.close = price
    candle.lots += lots
    if (this.of.kind === 'trade') candle.trades += 1
    this.throttle.mark()
  }

  /** Ends the candle when its interval is over. */
  private roll(atMs: number): void {
    const { candle } = this
    if (candle === null || atMs < candle.end) return
    const ended = this.present()
    if (ended !== null) this.parts.topic.queue(ended)
    this.candle = this.quiet(atMs, candle.close)
    this.isQuiet = true
    this.throttle.mark()
  }

  private quiet(atMs: number, price: number): Candle {
    const start = intervalStart(this.of.interval, atMs)
    const end = intervalEnd(this.of.interval, start)
    return { start, end, open: price, high: price, low: price, close: price, lots: 0, trades: 0 }
  }

  private present(): Payload | null {
    const { candle } = this
    const market = this.parts.context.view.markets.get(this.of.market)
    if (candle === null || market === undefined) return null
    const { params } = market
    const data = JSON.stringify({
      t: candle.start,
      T: candle.end,
      s: params.symbol,
      i: this.of.interval,
      o: priceText(params, candle.open),
      c: priceText(params, candle.close),
      h: priceText(params, candle.high),
      l: priceText(params, candle.low),
      v: sizeText(params, candle.lots),
      n: candle.trades,
    })
    return { data, li: this.parts.context.seq() }
  }
}
