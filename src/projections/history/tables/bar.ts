// One market in one stretch of time: its trades by price and size, its mark price, and the prices
// at its end. A price that did not move keeps its last value; what did not happen is 0.

/** The columns of the table, in its order. */
export type Bar = {
  readonly level: number
  readonly market: number
  /** Milliseconds, a multiple of the level's length. */
  start: number
  /** Micro-dollars; only of minutes, because a busy month has more than a number can hold. */
  volume: number
  lots: number
  trades: number
  first: number
  high: number
  low: number
  /** Of the newest trade, in this stretch or before it. */
  last: number
  oracle: number
  mark: number
  markFirst: number
  markHigh: number
  markLow: number
}

export const barColumns =
  'level, market, start, volume, lots, trades, first, high, low, last, oracle, mark, ' +
  'mark_first, mark_high, mark_low'

export function newBar(level: number, market: number, start: number, before?: Bar): Bar {
  const { last = 0, oracle = 0, mark = 0 } = before ?? {}
  const trades = { volume: 0, lots: 0, trades: 0, first: 0, high: 0, low: 0 }
  const marks = { markFirst: 0, markHigh: 0, markLow: 0 }
  return { level, market, start, ...trades, last, oracle, mark, ...marks }
}

export function barOf(cells: readonly number[]): Bar {
  const [level, market, start, volume, lots, trades, first, high, low, last] = cells
  const [oracle, mark, markFirst, markHigh, markLow] = cells.slice(10)
  const place = { level: level!, market: market!, start: start! }
  const prices = { first: first!, high: high!, low: low!, last: last! }
  const marks = { markFirst: markFirst!, markHigh: markHigh!, markLow: markLow! }
  const sums = { volume: volume!, lots: lots!, trades: trades! }
  return { ...place, ...sums, ...prices, oracle: oracle!, mark: mark!, ...marks }
}

export function cellsOfBar(bar: Bar): number[] {
  const { level, market, start, volume, lots, trades, first, high, low, last } = bar
  const { oracle, mark, markFirst, markHigh, markLow } = bar
  const marks = [oracle, mark, markFirst, markHigh, markLow]
  return [level, market, start, volume, lots, trades, first, high, low, last, ...marks]
}

export function addTrade(bar: Bar, price: number, lots: number): void {
  if (bar.trades === 0) {
    bar.first = price
    bar.high = price
    bar.low = price
  }
  bar.lots += lots
  bar.trades += 1
  if (price > bar.high) bar.high = price
  if (price < bar.low) bar.low = price
  bar.last = price
}

export function addMark(bar: Bar, oracle: number, mark: number): void {
  if (bar.markFirst === 0) {
    bar.markFirst = mark
    bar.markHigh = mark
    bar.markLow = mark
  }
  if (mark > bar.markHigh) bar.markHigh = mark
  if (mark < bar.markLow) bar.markLow = mark
  bar.oracle = oracle
  bar.mark = mark
}

/** Adds a bar that comes after everything this one has. */
export function addBar(bar: Bar, part: Bar): void {
  if (part.trades > 0) {
    if (bar.trades === 0) Object.assign(bar, { first: part.first, high: part.high, low: part.low })
    bar.lots += part.lots
    bar.trades += part.trades
    bar.high = Math.max(bar.high, part.high)
    bar.low = Math.min(bar.low, part.low)
  }
  if (part.markFirst > 0) {
    const { markFirst, markHigh, markLow } = part
    if (bar.markFirst === 0) Object.assign(bar, { markFirst, markHigh, markLow })
    bar.markHigh = Math.max(bar.markHigh, markHigh)
    bar.markLow = Math.min(bar.markLow, markLow)
  }
  bar.last = part.last
  bar.oracle = part.oracle
  bar.mark = part.mark
}
