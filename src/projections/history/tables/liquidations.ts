// Positions closed by force, of all accounts: liquidations, takeovers by the backstop and
// deleveragings. These are fills that partial indexes find. Also where the liquidations of an
// account began, for explanations.

import { columnsOf } from '../../../core/index.ts'
import type { Page } from '../history.ts'
import { type Database, type NewestRow, type Projection, prepare } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import {
  fills,
  isForced,
  liquidationRow,
  liquidationStartRow,
  liquidationStarts,
} from '../schema/fill-table.ts'
import type { Accounts } from './accounts.ts'
import { TimeIndex } from './time-index.ts'

const started = columnsOf('LiquidationStarted')

export class Liquidations implements Projection<NewestRow> {
  readonly reads = {
    LiquidationStarted: ({ rows, seq }, at) => {
      this.last += 1
      this.insert({ id: this.last, seq, account: rows[at + started.account]! })
    },
  } satisfies Projection['reads']
  private last = 0
  private readonly accounts
  private readonly insert
  private readonly starts
  private readonly cut
  private readonly newest
  private readonly times
  private readonly ofAll
  private readonly ofMarket

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.insert = insertInto(database, liquidationStarts)
    this.starts = selectWire(
      database,
      liquidationStartRow,
      'FROM liquidation_starts WHERE account = ? AND seq <= ? ORDER BY id DESC LIMIT 1',
    )
    this.cut = prepare(database, 'DELETE FROM liquidation_starts WHERE id > ?')
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

  /** Seq at which the account's newest liquidation up to this one began. */
  started(address: string, upTo: number): Cells[] {
    return this.starts(this.accounts.idOf(address), upTo)
  }

  mark() {
    return { last: this.last }
  }

  resume({ last }: NewestRow): void {
    this.last = last
  }

  revert({ last }: NewestRow): void {
    this.cut.run(last)
  }

  /** Newest first. */
  page({ market, startMs, endMs, limit, before }: Page): Cells[] {
    const last = this.newest.get()?.history ?? 0
    const { low, top } = this.times.range(startMs, endMs, last)
    const from = before === null ? top : Math.min(top, before - 1)
    return market === null ? this.ofAll(from, low, limit) : this.ofMarket(market, from, low, limit)
  }
}
