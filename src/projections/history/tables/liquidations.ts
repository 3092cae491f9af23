// Positions closed by force, of all accounts: liquidations, takeovers by the backstop and
// deleveragings. These are fills that partial indexes find.

import type { Page } from '../history.ts'
import type { Database } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { selectWire } from '../rows/wire-row.ts'
import { fills, isForced, liquidationRow } from '../schema/fill-table.ts'
import { TimeIndex } from './time-index.ts'

export class Liquidations {
  private readonly newest
  private readonly times
  private readonly ofAll
  private readonly ofMarket

  constructor(database: Database) {
    const { history } = fills.columns
    this.newest = select(
      database,
      pick(fills, 'history'),
      'FROM fills ORDER BY history DESC LIMIT 1',
    )
    this.times = new TimeIndex(database, fills, history)
    const page = (where: string) =>
      `FROM fills WHERE ${isForced} ${where} AND history <= ? AND history >= ?
       ORDER BY history DESC LIMIT ?`
    this.ofAll = selectWire(database, liquidationRow, page(''))
    this.ofMarket = selectWire(database, liquidationRow, page('AND market = ?'))
  }

  /** Newest first. */
  page({ market, startMs, endMs, limit, before }: Page): Cells[] {
    const last = this.newest.get()?.history ?? 0
    const { low, top } = this.times.range(startMs, endMs, last)
    const from = before === null ? top : Math.min(top, before - 1)
    return market === null ? this.ofAll(from, low, limit) : this.ofMarket(market, from, low, limit)
  }
}
