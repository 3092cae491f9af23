// The ledger of the fee account: one row per minute, because a row per fill would double the size
// of the ledger. The row of the current minute is updated until money is transferred from or to the
// account; a transfer has its own row. Marks contain the current row, so that a reopened store
// continues it and a revert restores it.

import { FEES } from '../../../core/index.ts'
import { type BalanceEvent, balanceEvents } from '../../../protocol/words.ts'
import type { Database } from '../projection.ts'
import { pick, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { balances } from '../schema/balance-table.ts'

type Row = {
  /** Set for the row of a transfer, which is not updated. */
  readonly moved?: true
  readonly id: number
  readonly at: number
  seq: number
  amount: number
  balance: number
}
export type FeeRow = Readonly<Row>

type Place = Readonly<{ seq: number; atMs: number }>

const minuteMs = 60_000
const eventOf = (event: BalanceEvent) => balanceEvents.indexOf(event)
const trade = eventOf('trade')
const move = eventOf('reserve_transfer')

/** The minute of a row, rounded up: a full minute ends the previous row, so that the balance at
 *  that time is exact. */
const minuteOf = (atMs: number) => Math.ceil(atMs / minuteMs)

export class FeeRows {
  /** The newest row; `null` if there is none. */
  private row: Row | null = null
  private changed = false
  private readonly opening
  private readonly put

  constructor(database: Database) {
    this.opening = select(
      database,
      pick(balances, 'balance'),
      `FROM balances WHERE account = ${FEES} ORDER BY id LIMIT 1`,
    )
    this.put = insertInto(database, balances, 'INSERT OR REPLACE')
  }

  private write({ id, seq, at, amount, balance, moved }: FeeRow): void {
    const of = { account: FEES, market: 0, event: moved ? move : trade }
    const position = { lots: 0, cost: 0, wallet: 0, fee: 0, realized: 0 }
    this.put({ id, seq, at, ...of, amount, balance, pending: 0, flow: 0, ...position })
  }

  /** Sets the balance of the account after a trade. */
  set({ seq, atMs }: Place, balance: number, nextId: () => number): void {
    const before = this.row?.balance ?? this.before()
    if (balance === before) return
    let { row } = this
    if (row === null || row.moved || minuteOf(row.at) !== minuteOf(atMs)) {
      this.flush()
      row = { id: nextId(), seq, at: atMs, amount: 0, balance: before }
    }
    row.amount += balance - before
    row.balance = balance
    row.seq = seq
    this.row = row
    this.changed = true
  }

  /** Sets the balance of the account after a transfer to or from the reserves. */
  move({ seq, atMs }: Place, balance: number, nextId: () => number): void {
    const before = this.row?.balance ?? this.before()
    if (balance === before) return
    this.flush()
    this.row = { id: nextId(), seq, at: atMs, amount: balance - before, balance, moved: true }
    this.changed = true
  }

  /** Balance at the beginning of history. */
  private before(): number {
    return this.opening.get()?.balance ?? 0
  }

  flush(): void {
    const { row } = this
    if (row !== null && this.changed) this.write(row)
    this.changed = false
  }

  /** The current row; `null` if there is none. */
  get newest(): FeeRow | null {
    return this.row
  }

  resume(row: FeeRow | null): void {
    this.row = row === null ? null : { ...row }
    this.changed = false
  }

  /** Restores the row, which may have been updated since. */
  revert(row: FeeRow | null): void {
    if (row !== null) this.write(row)
  }
}
