// The candles of one market and interval. History is requested in pages; the newest candle is
// streamed.

import type { Interval } from '../../../units/intervals.ts'
import type { Candle } from '../wire.ts'

export type CandleKind = 'trade' | 'mark'
export type CandleQuestion = Readonly<{
  kind: CandleKind
  symbol: string
  interval: Interval
  start: number
  end: number
}>

const minute = 60_000
const lengths: Readonly<Record<Interval, number>> = {
  '1m': minute,
  '3m': 3 * minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': 60 * minute,
  '2h': 120 * minute,
  '4h': 240 * minute,
  '8h': 480 * minute,
  '12h': 720 * minute,
  '1d': 1_440 * minute,
  '1w': 10_080 * minute,
  '1M': 44_640 * minute,
}

/** Number of candles in a page, about a screen and a half. */
const pageSize = 400
const keptMax = 5_000
/** A chart with at most this many candles is requested again. */
const emptyMax = 3
const againMax = 6
const againMs = 5_000

export type CandleListener = Readonly<{ reset: () => void; update: (candle: Candle) => void }>

export class Candles {
  /** Candles, oldest first. */
  rows: readonly Candle[] = []
  loading = false
  private readonly ask: (question: CandleQuestion) => Promise<readonly Candle[]>
  private readonly wall: () => number
  private readonly listeners = new Set<CandleListener>()
  private kind: CandleKind = 'trade'
  private symbol = ''
  private interval: Interval = '1m'
  private generation = 0
  private ended = false
  private again = 0
  private againAt = 0

  constructor(
    ask: (question: CandleQuestion) => Promise<readonly Candle[]>,
    wall: () => number = Date.now,
  ) {
    this.ask = ask
    this.wall = wall
  }

  follow(listener: CandleListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Starts again with the newest page. */
  async open(kind: CandleKind, symbol: string, interval: Interval, now: number): Promise<void> {
    const generation = ++this.generation
    const same = this.kind === kind && this.symbol === symbol && this.interval === interval
    this.kind = kind
    this.symbol = symbol
    this.interval = interval
    this.ended = false
    this.again = 0
    this.againAt = this.wall() + againMs
    if (!same) this.replace([])
    await this.page(now, generation, () => [])
  }

  /** Removes the candles, because a revert of a sandbox has made them invalid. */
  forget(): void {
    this.generation += 1
    this.loading = false
    this.replace([])
  }

  /** Loads one more page of the past. */
  async older(): Promise<void> {
    const first = this.rows[0]
    if (first === undefined || this.loading || this.ended || this.rows.length >= keptMax) return
    await this.page(first.t - 1, this.generation, () => this.rows)
  }

  private async page(end: number, generation: number, after: () => readonly Candle[]) {
    const { kind, symbol, interval } = this
    const start = Math.max(0, end - pageSize * lengths[interval])
    this.loading = true
    try {
      const found = await this.ask({ kind, symbol, interval, start, end })
      if (generation !== this.generation) return
      const first = after()[0]?.t ?? Number.POSITIVE_INFINITY
      const fresh = found.filter(({ t }) => t < first)
      this.ended = fresh.length === 0
      // Candles streamed while the page was requested are newer than the page.
      const newest = this.rows.filter(({ t }) => t >= (fresh.at(-1)?.t ?? 0))
      const rows = after().length > 0 ? after() : newest
      const kept = fresh.filter(({ t }) => t < (rows[0]?.t ?? Number.POSITIVE_INFINITY))
      this.replace([...kept, ...rows])
    } finally {
      if (generation === this.generation) this.loading = false
    }
  }

  update(candle: Candle, kind: CandleKind): void {
    if (kind !== this.kind || candle.s !== this.symbol || candle.i !== this.interval) return
    const last = this.rows.at(-1)
    if (last !== undefined && candle.t < last.t) return
    const before = last !== undefined && candle.t === last.t ? this.rows.slice(0, -1) : this.rows
    this.rows = [...before, candle]
    for (const { update } of this.listeners) update(candle)
    this.askAgain()
  }

  /** Requests history again after a delay. A new sandbox is ready shortly before its history is
   *  complete. */
  private askAgain(): void {
    const now = this.wall()
    if (this.rows.length > emptyMax || this.again >= againMax || now < this.againAt) return
    this.again += 1
    this.againAt = now + againMs
    this.ended = false
    // Missing pages are requested again by the next retry, or when the user scrolls.
    this.older().catch(() => undefined)
  }

  private replace(rows: readonly Candle[]): void {
    this.rows = rows
    for (const { reset } of this.listeners) reset()
  }
}
