// The ledger, and what is worked out from it: what an account was worth.

import { balanceEvents } from '../../../protocol/words.ts'
import { account, int, numbers, word } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'

export const balances = table(
  'balances',
  {
    id: int,
    seq: int,
    at: int,
    account,
    /** Of the position it changed, 0 for none. */
    market: int,
    event: word(balanceEvents),
    amount: int,
    balance: int,
    pending: int,
    /** What came from outside, less what went. */
    flow: int,
    lots: int,
    cost: int,
    /** Of an isolated position, else 0. */
    wallet: int,
    /** Of a trade: what it cost, and what it realised before that. */
    fee: int,
    realized: int,
  },
  { key: ['id'], indexes: { account: '(account)', account_market: '(account, market)' } },
)

const { columns } = balances

/** What changed an account's balance (or only what waits to be withdrawn), and what was there
 *  after it. */
export const balanceRow = wireRow((row) => ({
  id: row.int(columns.id),
  /** Place in the journal. */
  seq: row.int(columns.seq),
  atMs: row.int(columns.at),
  account: row.account(columns.account),
  event: row.word(columns.event),
  amount: row.int(columns.amount),
  balance: row.int(columns.balance),
  pending: row.int(columns.pending),
}))
export type BalanceRow = RowOf<typeof balanceRow>

const worth = numbers('atMs', 'equity', 'pnl')

/** Money and open profit of an account; `pnl` is what of it did not come from outside. */
export const equityRow = wireRow((row) => ({
  atMs: row.int(worth.atMs),
  equity: row.int(worth.equity),
  pnl: row.int(worth.pnl),
}))
export type EquityRow = RowOf<typeof equityRow>

export const beginningRow = wireRow((row) => row.int(columns.at))
