// Candles of any interval, made from the longest bars that divide it. An interval without events
// repeats the last price as open, high, low and close. Candles begin with the first price.

import {
  type Interval,
  intervalEnd,
  intervalLength,
  intervalStart,
} from '../../../../units/intervals.ts'
import type { CandleQuery } from '../../history.ts'
import type { Database } from '../../projection.ts'
import { type Cells, computed, int } from '../../rows/column.ts'
import { pick, type Selected, select } from '../../rows/select.ts'
import { cellsOf } from '../../rows/wire-row.ts'
import { bars as barTable, type CandleRow, candleRow } from '../../schema/market-table.ts'
import { barLengths, barLevelOf } from './bars.ts'

const dayLevel = barLengths.length - 1
const dayMs = barLengths[dayLevel]!

const { columns: bar } = barTable
const none = computed(int, '0')

/** The part of a bar that a candle needs: prices of trades, or of the mark. */
const parts = {
  trade: pick(barTable, 'start', 'first', 'high', 'low', 'last', 'lots', 'trades'),
  mark: {
    start: bar.start,
    first: bar.markFirst,
    high: bar.markHigh,
    low: bar.markLow,
    last: bar.mark,
    lots: none,
    trades: none,
  },
} as const

type Part = Selected<(typeof parts)['trade']>
type Candle = { -readonly [F in keyof CandleRow]: CandleRow[F] }

export class Candles {
  private readonly of

  constructor(database: Database) {
    const statements = (kind: 'trade' | 'mark') => {
      const where = 'FROM bars WHERE level = ? AND market = ?'
      const { start, last } = parts[kind]
      const priced = `${where} AND start >= ? AND ${last.sql} > 0 ORDER BY start LIMIT 1`
      return {
        first: select(database, { start }, priced),
        before: select(database, { last }, `${where} AND start < ? ORDER BY start DESC LIMIT 1`),
        range: select(
          database,
          parts[kind],
          `${where} AND start >= ? AND start < ? ORDER BY start`,
        ),
      }
    }
    this.of = { trade: statements('trade'), mark: statements('mark') }
  }

  /** Returns candles, oldest first. */
  page(market: number, query: CandleQuery): Cells[] {
    const { interval, endMs, limit } = query
    const firstPrice = this.firstPrice(market, query.kind)
    if (firstPrice === null) return []
    const start = intervalStart(interval, Math.max(query.startMs, firstPrice))
    const lastEnd = intervalEnd(interval, intervalStart(interval, endMs))
    const until = Math.min(lastEnd, start + (limit + 1) * intervalLength(interval))
    const level = barLevelOf(interval)
    const { before, range } = this.of[query.kind]
    const rows = range.all(level, market, start, until)
    const carried = before.get(level, market, start)?.last ?? 0
    const candles = laidOut(rows, { interval, start, endMs, limit, carried })
    return candles.map((candle) => cellsOf(candleRow, candle))
  }

  /** Finds the minute of the first price: first the day, then the minute in it. */
  private firstPrice(market: number, kind: CandleQuery['kind']): number | null {
    const { first } = this.of[kind]
    const day = first.get(dayLevel, market, 0)?.start
    if (day === undefined) return null
    const minute = first.get(0, market, day)?.start
    return minute === undefined || minute >= day + dayMs ? day : minute
  }
}

type Layout = Readonly<{
  interval: Interval
  start: number
  endMs: number
  limit: number
  /** Last price before the start. */
  carried: number
}>

function laidOut(rows: readonly Part[], layout: Layout): CandleRow[] {
  const { interval, endMs, limit } = layout
  const candles: CandleRow[] = []
  let { start, carried } = layout
  let at = 0
  while (start <= endMs && candles.length < limit) {
    const end = intervalEnd(interval, start)
    const candle = candleAt(start, end, carried)
    let moved = false
    while (at < rows.length && rows[at]!.start < end) {
      moved = addRow(candle, rows[at]!, moved)
      at += 1
    }
    carried = candle.close
    candles.push(candle)
    start = end
  }
  return candles
}

function candleAt(startMs: number, endMs: number, price: number): Candle {
  const prices = { open: price, high: price, low: price, close: price }
  return { startMs, endMs, ...prices, lots: 0, trades: 0 }
}

/** `moved`: whether the candle already has its own price. Returns whether it has one now. */
function addRow(candle: Candle, row: Part, moved: boolean): boolean {
  const { first, high, low, last, lots, trades } = row
  if (first === 0) return moved
  if (!moved) Object.assign(candle, { open: first, high, low })
  candle.high = Math.max(candle.high, high)
  candle.low = Math.min(candle.low, low)
  candle.close = last
  candle.lots += lots
  candle.trades += trades
  return true
}
