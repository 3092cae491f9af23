// A second implementation of candles, from a list of every price: each interval looks for its own.
// The borders of weeks and months are the calendar's.

import type { CandleRow } from '../../../src/projections/history/history.ts'
import type { Interval } from '../../../src/units/intervals.ts'

export type Price = Readonly<{ atMs: number; price: number; lots: number }>

type Span = Readonly<{ startMs: number; endMs: number }>

const minutesOf: Readonly<Partial<Record<Interval, number>>> = {
  ...{ '1m': 1, '3m': 3, '5m': 5, '15m': 15, '30m': 30 },
  ...{ '1h': 60, '2h': 120, '4h': 240, '8h': 480, '12h': 720, '1d': 1_440 },
}

function spanAt(interval: Interval, ms: number): Span {
  const date = new Date(ms)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (interval === '1M')
    return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) }
  if (interval === '1w') {
    const monday = day - ((date.getUTCDay() + 6) % 7)
    return { startMs: Date.UTC(year, month, monday), endMs: Date.UTC(year, month, monday + 7) }
  }
  const length = minutesOf[interval]! * 60_000
  const startMs = ms - (ms % length)
  return { startMs, endMs: startMs + length }
}

export type NaiveQuery = Readonly<{
  interval: Interval
  startMs: number
  endMs: number
  limit: number
}>

/** `prices` in the order in which they came. `counts`: they are trades, not marks. */
export function naiveCandles(
  prices: readonly Price[],
  { interval, startMs, endMs, limit }: NaiveQuery,
  counts: boolean,
): CandleRow[] {
  const [first] = prices
  if (first === undefined) return []
  const byStart = groupsOf(prices, interval)
  const start = spanAt(interval, Math.max(startMs, first.atMs)).startMs
  let close = prices.findLast(({ atMs }) => atMs < start)?.price ?? 0
  const candles: CandleRow[] = []
  for (let at = start; at <= endMs && candles.length < limit; ) {
    const span = spanAt(interval, at)
    const mine = byStart.get(at) ?? []
    const values = mine.length === 0 ? [close] : mine.map(({ price }) => price)
    close = values.at(-1)!
    candles.push({
      ...span,
      open: values[0]!,
      high: values.reduce((most, one) => Math.max(most, one)),
      low: values.reduce((least, one) => Math.min(least, one)),
      close,
      lots: counts ? mine.reduce((sum, { lots }) => sum + lots, 0) : 0,
      trades: counts ? mine.length : 0,
    })
    at = span.endMs
  }
  return candles
}

type Groups = Readonly<{ count: number; byStart: Map<number, Price[]> }>
/** Of a list that grows only, until it has grown. */
const grouped = new WeakMap<readonly Price[], Map<Interval, Groups>>()

function groupsOf(prices: readonly Price[], interval: Interval): Groups['byStart'] {
  const known = grouped.get(prices) ?? new Map<Interval, Groups>()
  grouped.set(prices, known)
  const groups = known.get(interval)
  if (groups?.count === prices.length) return groups.byStart
  const byStart = new Map<number, Price[]>()
  for (const price of prices) {
    const { startMs } = spanAt(interval, price.atMs)
    const group = byStart.get(startMs)
    if (group === undefined) byStart.set(startMs, [price])
    else group.push(price)
  }
  known.set(interval, { count: prices.length, byStart })
  return byStart
}
