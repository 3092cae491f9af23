// `candle` and `mark_price_candle`: the candle of the present interval. What happened before
// someone subscribed comes from history, what happens since is added here. Without a gap: an
// interval in which nothing happens has the last price four times.

import { type Interval, intervalEnd, intervalStart } from '../../units/intervals.ts'
import { priceText, sizeText } from '../market-text.ts'
import type { CandleKind, CandleNumbers, Sight } from '../sight.ts'
import type { Told } from '../topic.ts'
import type { Match } from './market-topic.ts'
import { ThrottledTopic } from './throttled-topic.ts'

export const candlePeriodMs = 100
const retryMs = 1_000

type Candle = { -readonly [F in keyof CandleNumbers]: CandleNumbers[F] }
type Place = Readonly<{ seq: number; atMs: number }>
type Late = Place & Readonly<{ price: number; lots: number }>

export type CandleOf = Readonly<{ market: number; kind: CandleKind; interval: Interval }>

export class CandleTopic extends ThrottledTopic {
  private readonly of: CandleOf
  private readonly whenLoaded: () => void
  private candle: Candle | null = null
  /** The candle has no price of its own yet. */
  private isQuiet = false
  /** What came while history is being asked; null: it has answered. */
  private late: Late[] | null = null
  private load = 0

  constructor(key: string, sight: Sight, of: CandleOf, whenLoaded: () => void) {
    super(key, sight, of.market, candlePeriodMs)
    this.of = of
    this.whenLoaded = whenLoaded
    this.ask()
  }

  override traded({ seq, atMs, price, lots }: Match): void {
    if (this.of.kind === 'trade') this.add({ seq, atMs, price, lots })
  }

  override marked(price: number, { seq, atMs }: Place): void {
    if (this.of.kind === 'mark') this.add({ seq, atMs, price, lots: 0 })
  }

  /** It may belong to the interval that is under way. */
  override pastTold(): void {
    this.ask()
  }

  override batchEnded(): boolean {
    if (this.late === null) this.roll(this.sight.state.atMs)
    return super.batchEnded()
  }

  override reverted(): void {
    super.reverted()
    this.ask()
  }

  first(): Told | null {
    return this.late === null ? this.told() : null
  }

  protected news(): Told | null {
    return this.first()
  }

  private ask(): void {
    const { market, kind, interval } = this.of
    const { atMs } = this.sight.state
    this.candle = null
    this.late = []
    this.load += 1
    const load = this.load
    this.sight.history.candle(this.sight.seq(), { market, kind, interval, atMs }).then(
      ({ seq, value }) => {
        if (load === this.load) this.loaded(seq, value)
      },
      // History that is behind or restarting answers a later question; nobody else is concerned.
      () => setTimeout(() => load === this.load && this.isRead && this.ask(), retryMs).unref(),
    )
  }

  private loaded(seq: number, value: CandleNumbers | null): void {
    const late = this.late!
    this.late = null
    this.candle = value === null ? null : { ...value }
    this.isQuiet = this.of.kind === 'trade' && value?.trades === 0
    for (const each of late) if (each.seq > seq) this.add(each)
    this.roll(this.sight.state.atMs)
    this.sendFirstToAll()
    this.whenLoaded()
  }

  private add(each: Late): void {
    if (this.late !== null) {
      this.late.push(each)
      return
    }
    this.roll(each.atMs)
    const { price } = each
    const isTrade = this.of.kind === 'trade'
    this.candle ??= this.quiet(each.atMs, price)
    const { candle } = this
    // A candle that only repeats the price before it takes its prices from the first of its own.
    if (this.isQuiet) Object.assign(candle, { open: price, high: price, low: price })
    this.isQuiet = false
    candle.high = Math.max(candle.high, price)
    candle.low = Math.min(candle.low, price)
    candle.close = price
    candle.lots += each.lots
    if (isTrade) candle.trades += 1
    this.dirty = true
  }

  /** Ends the candle when its interval is over. */
  private roll(atMs: number): void {
    const { candle } = this
    if (candle === null || atMs < candle.end) return
    const ended = this.told()
    if (ended !== null) this.tell(ended)
    this.candle = this.quiet(atMs, candle.close)
    this.isQuiet = true
    this.dirty = true
  }

  private quiet(atMs: number, price: number): Candle {
    const start = intervalStart(this.of.interval, atMs)
    const end = intervalEnd(this.of.interval, start)
    return { start, end, open: price, high: price, low: price, close: price, lots: 0, trades: 0 }
  }

  private told(): Told | null {
    const { candle } = this
    const market = this.sight.state.markets[this.of.market]
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
    return { data, li: this.sight.seq() }
  }
}
