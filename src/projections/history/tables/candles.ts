// Candles of any interval from the bars of the longest length that divides it. Without a gap: an
// interval in which nothing happened has the last price four times. They begin with the first price
// there is.

import {
  type Interval,
  intervalEnd,
  intervalLength,
  intervalStart,
} from '../../../units/intervals.ts'
import type { CandleQuery } from '../history.ts'
import { type Cells, type Database, prepare } from '../projection.ts'
import { type Bars, barLengths } from './bars.ts'

const dayLevel = barLengths.length - 1
const dayMs = barLengths[dayLevel]!

/** What a candle needs of a bar: prices of trades or of the mark. */
const columns = {
  trade: 'start, first, high, low, last, lots, trades',
  mark: 'start, mark_first, mark_high, mark_low, mark, 0, 0',
} as const
const closing = { trade: 'last', mark: 'mark' } as const

type Candle = { open: number; high: number; low: number; close: number; lots: number; n: number }

export class Candles {
  private readonly bars: Bars
  private readonly of

  constructor(database: Database, bars: Bars) {
    this.bars = bars
    const statements = (kind: 'trade' | 'mark') => {
      const where = 'FROM bars WHERE level = ? AND market = ?'
      const close = closing[kind]
      const from = `${where} AND start >= ? AND ${close} > 0`
      return {
        first: prepare(database, `SELECT start ${from} ORDER BY start LIMIT 1`),
        before: prepare(
          database,
          `SELECT ${close} ${where} AND start < ? ORDER BY start DESC LIMIT 1`,
        ),
        range: prepare(
          database,
          `SELECT ${columns[kind]} ${where} AND start >= ? AND start < ? ORDER BY start`,
        ),
      }
    }
    this.of = { trade: statements('trade'), mark: statements('mark') }
  }

  /** Oldest first: start, end, open, high, low, close, lots, trades. */
  page(market: number, query: CandleQuery): Cells[] {
    this.bars.writeAll(market)
    const { interval, endMs, limit } = query
    const firstPrice = this.firstPrice(market, query.kind)
    if (firstPrice === null) return []
    const start = intervalStart(interval, Math.max(query.startMs, firstPrice))
    const lastEnd = intervalEnd(interval, intervalStart(interval, endMs))
    const until = Math.min(lastEnd, start + (limit + 1) * intervalLength(interval))
    const level = levelOf(interval)
    const { before, range } = this.of[query.kind]
    const rows = range.all(level, market, start, until) as number[][]
    const carried = (before.get(level, market, start) as number[] | undefined)?.[0] ?? 0
    return laidOut(rows, { interval, start, endMs, limit, carried })
  }

  /** The minute of the first price; the days are few, and so are the minutes of one. */
  private firstPrice(market: number, kind: CandleQuery['kind']): number | null {
    const { first } = this.of[kind]
    const day = first.get(dayLevel, market, 0) as number[] | undefined
    if (day === undefined) return null
    const minute = first.get(0, market, day[0]!) as number[] | undefined
    return minute === undefined || minute[0]! >= day[0]! + dayMs ? day[0]! : minute[0]!
  }
}

function levelOf(interval: Interval): number {
  const length = interval === '1w' || interval === '1M' ? dayMs : intervalLength(interval)
  return barLengths.findLastIndex((bar) => length % bar === 0)
}

type Layout = Readonly<{
  interval: Interval
  start: number
  endMs: number
  limit: number
  /** Last price before the start. */
  carried: number
}>

function laidOut(rows: readonly number[][], layout: Layout): Cells[] {
  const { interval, endMs, limit } = layout
  const candles: Cells[] = []
  let { start, carried } = layout
  let at = 0
  while (start <= endMs && candles.length < limit) {
    const end = intervalEnd(interval, start)
    const candle = { open: carried, high: carried, low: carried, close: carried, lots: 0, n: 0 }
    let moved = false
    while (at < rows.length && rows[at]![0]! < end) {
      moved = addRow(candle, rows[at]!, moved)
      at += 1
    }
    carried = candle.close
    const { open, high, low, close, lots, n } = candle
    candles.push([start, end, open, high, low, close, lots, n])
    start = end
  }
  return candles
}

/** `moved`: the candle has a price of its own already; gives whether it has one now. */
function addRow(candle: Candle, row: readonly number[], moved: boolean): boolean {
  const [, first, high, low, last, lots, trades] = row
  if (first === 0) return moved
  if (!moved) Object.assign(candle, { open: first, high, low })
  candle.high = Math.max(candle.high, high!)
  candle.low = Math.min(candle.low, low!)
  candle.close = last!
  candle.lots += lots!
  candle.n += trades!
  return true
}
