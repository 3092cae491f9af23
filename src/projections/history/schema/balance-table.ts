// The ledger, and the equity of accounts, which is computed from it.

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
    /** Market of the changed position; 0 for none. */
    market: int,
    event: word(balanceEvents),
    amount: int,
    balance: int,
    pending: int,
    /** Deposits less withdrawals. */
    flow: int,
    lots: int,
    cost: int,
    /** Wallet of an isolated position; otherwise 0. */
    wallet: int,
    /** Fee of a trade, and its realised profit before the fee. */
    fee: int,
    realized: int,
  },
  { key: ['id'], indexes: { account: '(account)', account_market: '(account, market)' } },
)

const { columns } = balances

/** An event that changed an account's balance (or only its pending withdrawals), with the
 *  resulting amounts. */
export const balanceRow = wireRow((row) => ({
  id: row.int(columns.id),
  /** Seq in the journal. */
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

/** Equity of an account. `pnl` is the equity less net deposits. */
export const equityRow = wireRow((row) => ({
  atMs: row.int(worth.atMs),
  equity: row.int(worth.equity),
  pnl: row.int(worth.pnl),
}))
export type EquityRow = RowOf<typeof equityRow>

export const beginningRow = wireRow((row) => row.int(columns.at))
