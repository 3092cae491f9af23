// Fills: one row per side and direction, by history id, which the core gives without a gap. Reads
// by account, market and time, newest first, by offset or by cursor.

import { columnsOf } from '../../../core/events/event-columns.ts'
import { causes, fillKinds, roles } from '../../../core/events/event-fields.ts'
import type { Told } from '../chunk.ts'
import type { Page, PositionHistoryQuery } from '../history.ts'
import {
  type Cells,
  type Database,
  type Projection,
  prepare,
  type Retention,
} from '../projection.ts'
import type { Accounts } from './accounts.ts'
import type { FillLists, List } from './fill-lists.ts'
import { TimeIndex } from './time-index.ts'

const filled = columnsOf('Filled')

export class Fills implements Projection {
  readonly reads = { Filled: (told, at) => this.add(told, at) } satisfies Projection['reads']
  private last = 0
  private pruneDue = false
  /** Rows up to here belong to a saved snapshot and are not pruned. */
  private frozen = 0
  private readonly accounts
  private readonly retention
  private readonly lists
  private readonly times
  private readonly insert
  private readonly pages
  private readonly removed
  private readonly cut
  private readonly churned
  private readonly prune

  constructor(
    database: Database,
    {
      accounts,
      retention,
      lists,
    }: Readonly<{ accounts: Accounts; retention: Retention; lists: FillLists }>,
  ) {
    this.accounts = accounts
    this.retention = retention
    this.lists = lists
    this.times = new TimeIndex(database, 'fills', 'history')
    this.insert = prepare(
      database,
      'INSERT INTO fills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    const wheres = [
      '',
      'f.market = ? AND',
      'f.account = ? AND',
      'f.account = ? AND f.market = ? AND',
    ]
    this.pages = wheres.map((where) =>
      prepare(
        database,
        `SELECT f.*, o.client FROM fills f LEFT JOIN orders o ON o.id = f.ord
         WHERE ${where} f.history <= ? AND f.history >= ? ORDER BY f.history DESC LIMIT ?`,
      ),
    )
    const block = `history / ${this.lists.stretch}`
    const grouped = `SELECT account, market, ${block}, count(*) FROM fills WHERE`
    this.removed = prepare(database, `${grouped} history > ? GROUP BY 1, 2, 3`)
    this.cut = prepare(database, 'DELETE FROM fills WHERE history > ?')
    const old = 'account = ? AND history > ? AND history < ?'
    this.churned = prepare(database, `${grouped} ${old} GROUP BY 1, 2, 3`)
    this.prune = prepare(database, `DELETE FROM fills WHERE ${old}`)
  }

  private add(told: Told, at: number): void {
    const { rows } = told
    const history = rows[at + filled.history]!
    const account = rows[at + filled.account]!
    const market = rows[at + filled.market]!
    this.insert.run(
      history,
      told.seq,
      told.atMs,
      account,
      rows[at + filled.counterparty]!,
      rows[at + filled.order]!,
      market,
      rows[at + filled.kind]!,
      rows[at + filled.role]!,
      rows[at + filled.cause]!,
      rows[at + filled.lots]!,
      rows[at + filled.price]!,
      rows[at + filled.value]!,
      rows[at + filled.fee]!,
      rows[at + filled.pnl]!,
      rows[at + filled.entryCost]!,
      rows[at + filled.entryLots]!,
    )
    this.lists.add(history, account, market)
    this.last = history
    if (history % this.retention.every === 0) this.pruneDue = true
  }

  settle(): void {
    if (this.pruneDue) this.pruneChurn()
    this.pruneDue = false
  }

  /** By account first: bots have many rows, and nobody else's are looked at. */
  private pruneChurn(): void {
    this.lists.flush()
    for (const address of this.retention.churn) {
      const account = this.accounts.idOf(address)
      if (account === 0) continue
      const list = { account, market: 0 }
      const low = this.lists.seek(list, this.last, this.retention.churnRows - 1)
      if (low <= this.frozen) continue
      this.forget(this.churned.all(account, this.frozen, low) as Cells[])
      this.prune.run(account, this.frozen, low)
    }
  }

  private forget(groups: readonly Cells[]): void {
    for (const [account, market, block, n] of groups as [number, number, number, number][])
      this.lists.remove(block, { account, market }, n)
  }

  /** Cells of a page by offset, newest first. */
  byOffset({ account, market, startMs, endMs, limit, offset }: PositionHistoryQuery): Cells[] {
    const list = this.listOf(account, market)
    if (list === null) return []
    const { low, top } = this.times.range(startMs, endMs, this.last)
    const from = offset === 0 ? top : this.lists.seek(list, top, offset)
    return this.page(list, { low, top: from, limit })
  }

  /** Cells of a page by cursor, newest first. */
  byCursor(account: string, { market, startMs, endMs, limit, before }: Page): Cells[] {
    const list = this.listOf(account, market)
    if (list === null) return []
    const { low, top } = this.times.range(startMs, endMs, this.last)
    const from = before === null ? top : Math.min(top, before - 1)
    return this.page(list, { low, top: from, limit })
  }

  /** Null: an account never seen, which has no rows. */
  private listOf(account: string | null, market: number | null): List | null {
    const id = account === null ? 0 : this.accounts.idOf(account)
    return account !== null && id === 0 ? null : { account: id, market: market ?? 0 }
  }

  private page(
    { account, market }: List,
    { low, top, limit }: Readonly<{ low: number; top: number; limit: number }>,
  ): Cells[] {
    const statement = this.pages[(account > 0 ? 2 : 0) + (market > 0 ? 1 : 0)]!
    const key = [account, market].filter((id) => id > 0)
    const rows = statement.all(...key, top, low, limit) as (number | string | null)[][]
    for (const row of rows) {
      row[3] = this.accounts.addressOf(row[3] as number)
      row[4] = this.accounts.addressOf(row[4] as number)
      row[7] = fillKinds[row[7] as number]!
      row[8] = roles[row[8] as number]!
      row[9] = causes[row[9] as number]!
    }
    return rows
  }

  flush(): void {
    this.lists.flush()
  }

  mark() {
    return [this.last]
  }

  resume([last]: readonly number[]): void {
    this.last = last!
  }

  freeze([last]: readonly number[]): void {
    this.frozen = last!
  }

  revert([last]: readonly number[]): void {
    this.forget(this.removed.all(last!) as Cells[])
    this.cut.run(last!)
  }
}
