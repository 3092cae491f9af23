// Index price, mark price and open interest of a market at the end of each interval, newest first.
// An interval without events has the values of the previous one. The list begins with the first
// price.

import { intervalEnd, intervalStart } from '../../../../units/intervals.ts'
import type { MarketStateQuery } from '../../history.ts'
import type { Database } from '../../projection.ts'
import type { Cells } from '../../rows/column.ts'
import { pick, type Selected, select } from '../../rows/select.ts'
import { cellsOf } from '../../rows/wire-row.ts'
import { bars, marketStateRow } from '../../schema/market-table.ts'
import { barLevelOf } from './bars.ts'

const ends = pick(bars, 'start', 'oracle', 'mark', 'openInterest')
type End = Selected<typeof ends>

export class MarketStates {
  private readonly first
  private readonly before
  private readonly range

  constructor(database: Database) {
    const where = 'FROM bars WHERE level = ? AND market = ?'
    const first = `${where} AND oracle > 0 ORDER BY start LIMIT 1`
    this.first = select(database, pick(bars, 'start'), first)
    this.before = select(database, ends, `${where} AND start < ? ORDER BY start DESC LIMIT 1`)
    this.range = select(database, ends, `${where} AND start >= ? AND start < ? ORDER BY start`)
  }

  page(market: number, { interval, startMs, endMs, before, limit }: MarketStateQuery): Cells[] {
    const first = this.first.get(0, market)
    if (first === undefined) return []
    const newest = intervalStart(interval, before === null ? endMs : Math.min(endMs, before - 1))
    const oldest = intervalStart(interval, Math.max(startMs ?? 0, first.start))
    const starts: number[] = []
    for (
      let at = newest;
      at >= oldest && starts.length < limit;
      at = intervalStart(interval, at - 1)
    )
      starts.push(at)
    return this.endsOf(market, interval, starts.reverse()).reverse()
  }

  /** `starts`: starts of adjacent intervals, oldest first. */
  private endsOf(
    market: number,
    interval: MarketStateQuery['interval'],
    starts: readonly number[],
  ): Cells[] {
    if (starts.length === 0) return []
    const level = barLevelOf(interval)
    const until = intervalEnd(interval, starts.at(-1)!)
    const rows = this.range.all(level, market, starts[0]!, until)
    let end: End | undefined = this.before.get(level, market, starts[0]!)
    let at = 0
    return starts.map((startMs) => {
      const endMs = intervalEnd(interval, startMs)
      while (at < rows.length && rows[at]!.start < endMs) end = rows[at++]
      const { oracle, mark, openInterest } = end!
      return cellsOf(marketStateRow, { startMs, endMs, oracle, mark, openInterest })
    })
  }
}
