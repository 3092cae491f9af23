// The rows of the ledger, and the newest values of each account and position. A limited number of
// values is cached; all of them can be read again.

import { type BalanceEvent, balanceEvents } from '../../../protocol/words.ts'
import type { FedOutcome } from '../chunk.ts'
import type { AfterQuery, CursorPage } from '../history.ts'
import { type Database, prepare, type Retention } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import { balanceRow, balances } from '../schema/balance-table.ts'
import { type AccountMoney, type Holding, marketsMax, nothingHeld } from './account-money.ts'
import type { Accounts } from './accounts.ts'
import { bySeq, TimeIndex } from './time-index.ts'

/** Maximum number of cached accounts, and of positions. */
const cacheMax = 200_000
/** Pruning reads many rows, so it runs less often than elsewhere. */
const pruneEvery = 4

const eventCode = (event: BalanceEvent) => balanceEvents.indexOf(event)
/** Rows of the balance history. Other rows only record a position. */
const isBalanceRow = `(amount <> 0 OR event = ${eventCode('withdraw_completed')})`

/** Changes of an account by an event. Absent values are unchanged. */
export type LedgerEntry = Readonly<{
  account: number
  event: BalanceEvent
  market?: number
  balance?: number
  pending?: number
  /** Net amount deposited by the event; negative for a withdrawal. */
  flow?: number
  position?: Partial<Holding>
  /** Fee and realised profit of a trade. */
  fee?: number
  realized?: number
}>

export class LedgerRows {
  /** Id of the newest row. */
  last = 0
  /** Rows up to here belong to a saved snapshot and are not pruned. */
  frozen = 0
  private pruneDue = false
  private readonly accountMoney = new Map<number, AccountMoney>()
  private readonly holdings = new Map<number, Holding>()
  private readonly accounts
  private readonly retention
  private readonly insert
  private readonly first
  private readonly newestMoney
  private readonly newestHolding
  private readonly page
  private readonly newer
  private readonly seqs
  private readonly window
  private readonly prune
  private readonly cut

  constructor(database: Database, accounts: Accounts, retention: Retention) {
    this.accounts = accounts
    this.retention = retention
    const { account } = balances.columns
    this.insert = insertInto(database, balances)
    this.first = select(database, pick(balances, 'id'), 'FROM balances LIMIT 1')
    this.newestMoney = select(
      database,
      pick(balances, 'balance', 'pending', 'flow'),
      'FROM balances WHERE account = ? ORDER BY id DESC LIMIT 1',
    )
    this.newestHolding = select(
      database,
      pick(balances, 'lots', 'cost', 'wallet'),
      'FROM balances WHERE account = ? AND market = ? ORDER BY id DESC LIMIT 1',
    )
    this.page = selectWire(
      database,
      balanceRow,
      `FROM balances WHERE account = ? AND id < ? AND ${isBalanceRow} ORDER BY id DESC LIMIT ?`,
    )
    this.seqs = new TimeIndex(database, bySeq(balances), balances.columns.id, account)
    this.newer = selectWire(
      database,
      balanceRow,
      'FROM balances WHERE account = ? AND id >= ? ORDER BY id DESC LIMIT ?',
    )
    this.window = select(
      database,
      pick(balances, 'id'),
      'FROM balances WHERE account = ? ORDER BY id DESC LIMIT 1 OFFSET ?',
    )
    this.prune = prepare(
      database,
      `DELETE FROM balances WHERE account = ?1 AND id > ?2 AND id < ?3 AND id NOT IN
         (SELECT max(id) FROM balances WHERE account = ?1 GROUP BY market)
         AND id NOT IN (SELECT max(id) FROM balances WHERE account = ?1 AND ${isBalanceRow})`,
    )
    this.cut = prepare(database, 'DELETE FROM balances WHERE id > ?')
  }

  isEmpty(): boolean {
    return this.first.get() === undefined
  }

  money(account: number): AccountMoney {
    const known = this.accountMoney.get(account)
    if (known !== undefined) return known
    const money = this.newestMoney.get(account) ?? { balance: 0, pending: 0, flow: 0 }
    if (this.accountMoney.size >= cacheMax) this.accountMoney.clear()
    this.accountMoney.set(account, money)
    return money
  }

  holding(account: number, market: number): Holding {
    const key = account * marketsMax + market
    const known = this.holdings.get(key)
    if (known !== undefined) return known
    const holding = this.newestHolding.get(account, market) ?? nothingHeld()
    if (this.holdings.size >= cacheMax) this.holdings.clear()
    this.holdings.set(key, holding)
    return holding
  }

  /** Adds a row with the amounts after an event. `market`: market of the changed position, 0 for
   *  none. The amount of the row is the change of the balance. */
  add(
    { seq, atMs: at }: Pick<FedOutcome, 'seq' | 'atMs'>,
    { account, event, market = 0, ...after }: LedgerEntry,
  ): void {
    const money = this.money(account)
    const { balance = money.balance, pending = money.pending, flow = 0 } = after
    const amount = balance - money.balance
    Object.assign(money, { balance, pending, flow: money.flow + flow })
    const holding = market === 0 ? nothingHeld() : this.holding(account, market)
    Object.assign(holding, after.position)
    const id = this.nextId()
    const code = eventCode(event)
    const { fee = 0, realized = 0 } = after
    const row = { id, seq, at, account, market, event: code, amount, fee, realized }
    this.insert({ ...row, ...money, ...holding })
  }

  readonly nextId = (): number => {
    this.last += 1
    if (this.last % (this.retention.every * pruneEvery) === 0) this.pruneDue = true
    return this.last
  }

  /** Prunes rows, except the newest row of each position, which has its size, and the newest
   *  balance row, which has the balance. */
  settle(): void {
    if (!this.pruneDue) return
    this.pruneDue = false
    for (const address of this.retention.churn) {
      const account = this.accounts.idOf(address)
      const found = this.window.get(account, this.retention.churnRows - 1)
      if (found !== undefined) this.prune.run(account, this.frozen, found.id)
    }
  }

  /** Newest first. */
  of(account: string, { before, limit }: CursorPage): Cells[] {
    const id = this.accounts.idOf(account)
    return this.page(id, before ?? Number.MAX_SAFE_INTEGER, limit)
  }

  /** Every row after this seq, newest first. */
  after(address: string, { seq, limit }: AfterQuery): Cells[] {
    const id = this.accounts.idOf(address)
    return this.newer(id, this.seqs.range(seq + 1, null, this.last, id).low, limit)
  }

  resume(last: number): void {
    this.last = last
    this.accountMoney.clear()
    this.holdings.clear()
  }

  revert(last: number): void {
    this.cut.run(last)
  }
}
