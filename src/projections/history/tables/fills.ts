// Fills: one row per side and direction. The core assigns the history ids without gaps. Reads
// select by account, market and time, newest first, by offset or by cursor.

import { type FillPart, fillOf } from '../../../core/index.ts'
import { causes, fillKinds, roles } from '../../../words/order-words.ts'
import type { FedOutcome } from '../chunk.ts'
import type { AfterQuery, Page, PositionHistoryQuery } from '../history.ts'
import {
  type Database,
  type NewestRow,
  type Projection,
  prepare,
  type Retention,
} from '../projection.ts'
import { type Cells, computed, int } from '../rows/column.ts'
import { pick, type Selected, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import { fillRow, fills } from '../schema/fill-table.ts'
import type { Accounts } from './accounts.ts'
import type { FillLists, List } from './fill-lists.ts'
import { bySeq, TimeIndex } from './time-index.ts'

/** Rows of one account and market in one range. */
const groupColumns = (block: string) => ({
  ...pick(fills, 'account', 'market'),
  block: computed(int, block),
  n: computed(int, 'count(*)'),
})
type Group = Selected<ReturnType<typeof groupColumns>>

export class Fills implements Projection<NewestRow> {
  readonly reads = {
    Traded: (outcome, at) => {
      const { takerFills, makerFills } = outcome.traded(at)
      for (const fill of takerFills) this.add(outcome, fill)
      for (const fill of makerFills) this.add(outcome, fill)
    },
    Filled: (outcome, at) => this.add(outcome, fillOf(outcome.event('Filled', at))),
  } satisfies Projection['reads']
  private last = 0
  private pruneDue = false
  /** Rows up to here belong to a saved snapshot and are not pruned. */
  private frozen = 0
  private readonly accounts
  private readonly retention
  private readonly lists
  private readonly times
  private readonly seqs
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
    const { history } = fills.columns
    this.times = new TimeIndex(database, fills, history)
    this.seqs = new TimeIndex(database, bySeq(fills), history)
    this.insert = insertInto(database, fills)
    const wheres = [
      '',
      'fills.market = ? AND',
      'fills.account = ? AND',
      'fills.account = ? AND fills.market = ? AND',
    ]
    this.pages = wheres.map((where) =>
      selectWire(
        database,
        fillRow,
        `FROM fills LEFT JOIN orders ON orders.id = fills.ord
         WHERE ${where} history <= ? AND history >= ? ORDER BY history DESC LIMIT ?`,
      ),
    )
    const block = `history / ${this.lists.stretch}`
    const groups = groupColumns(block)
    const grouped = `GROUP BY account, market, ${block}`
    this.removed = select(database, groups, `FROM fills WHERE history > ? ${grouped}`)
    this.cut = prepare(database, 'DELETE FROM fills WHERE history > ?')
    const old = 'account = ? AND history > ? AND history < ?'
    this.churned = select(database, groups, `FROM fills WHERE ${old} ${grouped}`)
    this.prune = prepare(database, `DELETE FROM fills WHERE ${old}`)
  }

  private add({ seq, atMs: at }: FedOutcome, { order: ord, ...fill }: FillPart): void {
    const { history, account, market } = fill
    const kind = fillKinds.indexOf(fill.kind)
    const role = roles.indexOf(fill.role)
    const cause = causes.indexOf(fill.cause)
    this.insert({ ...fill, seq, at, ord, kind, role, cause })
    this.lists.add(history, account, market)
    this.last = history
    if (history % this.retention.every === 0) this.pruneDue = true
  }

  settle(): void {
    if (this.pruneDue) this.pruneChurn()
    this.pruneDue = false
  }

  /** Prunes the rows of each bot by account, because bots have many rows and rows of other
   *  accounts need not be read. */
  private pruneChurn(): void {
    this.lists.flush()
    for (const address of this.retention.churn) {
      const account = this.accounts.idOf(address)
      if (account === 0) continue
      const list = { account, market: 0 }
      const low = this.lists.seek(list, this.last, this.retention.churnRows - 1)
      if (low <= this.frozen) continue
      this.forget(this.churned.all(account, this.frozen, low))
      this.prune.run(account, this.frozen, low)
    }
  }

  private forget(groups: readonly Group[]): void {
    for (const { account, market, block, n } of groups)
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

  /** Cells of the fills after this seq, newest first. */
  after(account: string, { seq, limit }: AfterQuery): Cells[] {
    const list = this.listOf(account, null)
    if (list === null) return []
    return this.page(list, { ...this.seqs.range(seq + 1, null, this.last), limit })
  }

  /** Returns `null` for an unknown account, which has no rows. */
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
    return statement(...key, top, low, limit)
  }

  flush(): void {
    this.lists.flush()
  }

  mark() {
    return { last: this.last }
  }

  resume({ last }: NewestRow): void {
    this.last = last
  }

  freeze({ last }: NewestRow): void {
    this.frozen = last
  }

  revert({ last }: NewestRow): void {
    this.forget(this.removed.all(last))
    this.cut.run(last)
  }
}
