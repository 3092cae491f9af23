// Money that came, went or moved between accounts: deposits, withdrawals, transfers, with the
// balance after each. What trades and funding did is in their own tables, with the same amounts.

import { columnsOf } from '../../event-columns.ts'
import type { Told } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import { type Cells, type Database, type Projection, prepare } from '../projection.ts'
import type { Accounts } from './accounts.ts'

const deposited = columnsOf('Deposited')
const requested = columnsOf('WithdrawalRequested')
const failed = columnsOf('WithdrawalFailed')
const moved = columnsOf('Transferred')

export const balanceEvents = [
  'deposit',
  'withdraw',
  'withdraw_failed',
  'subaccount_transfer',
] as const
export type BalanceEvent = (typeof balanceEvents)[number]

export class Balances implements Projection {
  readonly reads = {
    Deposited: (told, at) => this.add(told, 'deposit', at, deposited),
    WithdrawalRequested: (told, at) => this.add(told, 'withdraw', at, requested, -1),
    WithdrawalFailed: (told, at) => this.add(told, 'withdraw_failed', at, failed),
    Transferred: (told, at) => {
      const { from, to, amount, fromBalance, toBalance } = moved
      const event = 'subaccount_transfer'
      this.add(told, event, at, { account: from, amount, balance: fromBalance }, -1)
      this.add(told, event, at, { account: to, amount, balance: toBalance })
    },
  } satisfies Projection['reads']
  private last = 0
  private readonly accounts
  private readonly insert
  private readonly page
  private readonly cut

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.insert = prepare(database, 'INSERT INTO balances VALUES (?, ?, ?, ?, ?, ?)')
    this.page = prepare(
      database,
      `SELECT id, at, account, event, amount, balance FROM balances
       WHERE account = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    )
    this.cut = prepare(database, 'DELETE FROM balances WHERE id > ?')
  }

  private add(
    { rows, atMs }: Told,
    event: BalanceEvent,
    at: number,
    columns: Readonly<{ account: number; amount: number; balance: number }>,
    sign = 1,
  ): void {
    this.last += 1
    this.insert.run(
      this.last,
      atMs,
      rows[at + columns.account]!,
      balanceEvents.indexOf(event),
      sign * rows[at + columns.amount]!,
      rows[at + columns.balance]!,
    )
  }

  of(account: string, { before, limit }: CursorPage): Cells[] {
    const id = this.accounts.idOf(account)
    const most = before ?? Number.MAX_SAFE_INTEGER
    const rows = this.page.all(id, most, limit) as (number | string)[][]
    for (const row of rows) {
      row[2] = account
      row[3] = balanceEvents[row[3] as number]!
    }
    return rows
  }

  mark() {
    return [this.last]
  }

  resume([last]: readonly number[]): void {
    this.last = last!
  }

  revert([last]: readonly number[]): void {
    this.cut.run(last!)
  }
}
