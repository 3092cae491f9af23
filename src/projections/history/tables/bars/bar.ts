// A bar: one market in one interval. It has the trades by price and size, the mark price, and the
// prices and open interest at the end. A price that did not change keeps its last value; absent
// values are 0.

import type { Bar } from '../../schema/market-table.ts'

export function newBar(level: number, market: number, start: number, before?: Bar): Bar {
  const { last = 0, oracle = 0, mark = 0, openInterest = 0 } = before ?? {}
  const trades = { volume: 0, lots: 0, trades: 0, first: 0, high: 0, low: 0 }
  const marks = { markFirst: 0, markHigh: 0, markLow: 0 }
  return { level, market, start, ...trades, last, oracle, mark, openInterest, ...marks }
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

/** Adds a later bar to this one. */
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
  bar.openInterest = part.openInterest
}
