// The ledger of the fee account: a row a minute, because a row a fill would be as many as all other
// accounts have together. The row of the present minute grows. Marks have it as it is, so that a
// store that was opened again goes on with it, and a revert brings back what it was.

import { FEES } from '../../../core/accounts/account-pool.ts'
import { type BalanceEvent, balanceEvents } from '../../../protocol/words.ts'
import { type Database, prepare } from '../projection.ts'

type Row = { readonly id: number; readonly at: number; amount: number; balance: number }

const minuteMs = 60_000
/** Numbers of a mark. */
export const feeMarks = 4
const trade = balanceEvents.indexOf('trade' satisfies BalanceEvent)

/** A full minute ends the one before it: what was there at that moment is then told exactly. */
const minuteOf = (atMs: number) => Math.ceil(atMs / minuteMs)

export class FeeRows {
  /** The newest; null: none yet. */
  private row: Row | null = null
  private changed = false
  private readonly opening
  private readonly write

  constructor(database: Database) {
    this.opening = prepare(
      database,
      `SELECT balance FROM balances WHERE account = ${FEES} ORDER BY id LIMIT 1`,
    )
    this.write = prepare(
      database,
      `INSERT OR REPLACE INTO balances
       VALUES (?1, ?2, ${FEES}, 0, ${trade}, ?3, ?4, 0, ?4, 0, 0, 0, NULL)`,
    )
  }

  /** A negative fee is a rebate. */
  add(atMs: number, fee: number, nextId: () => number): void {
    let { row } = this
    if (row === null || minuteOf(row.at) !== minuteOf(atMs)) {
      this.flush()
      row = { id: nextId(), at: atMs, amount: 0, balance: row?.balance ?? this.before() }
    }
    row.amount += fee
    row.balance += fee
    this.row = row
    this.changed = true
  }

  /** What there was where history begins. */
  private before(): number {
    return (this.opening.get() as number[] | undefined)?.[0] ?? 0
  }

  flush(): void {
    const { row } = this
    if (row !== null && this.changed) this.write.run(row.id, row.at, row.amount, row.balance)
    this.changed = false
  }

  mark(): readonly [id: number, at: number, amount: number, balance: number] {
    const { id, at, amount, balance } = this.row ?? { id: 0, at: 0, amount: 0, balance: 0 }
    return [id, at, amount, balance]
  }

  resume(mark: readonly number[]): void {
    const [id, at, amount, balance] = mark as [number, number, number, number]
    this.row = id === 0 ? null : { id, at, amount, balance }
    this.changed = false
  }

  /** The row may have grown since. */
  revert([id, at, amount, balance]: readonly number[]): void {
    if (id !== 0) this.write.run(id!, at!, amount!, balance!)
  }
}
