// The parts of an account's statement: ledger rows in order, with the amounts before and after
// them.

import { account, computed, int, word } from '../rows/column.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'
import { balances } from './balance-table.ts'
import { payments } from './payment-table.ts'

/** `money`: all money of the account. `held`: its holding in one market. */
export const statementParts = [
  'money_before',
  'held_before',
  'line',
  'money_after',
  'held_after',
] as const

const { columns } = balances
// These are parameters of the query, not stored columns.
const part = computed(word(statementParts), '?1')
const mark = computed(int, '?2')
const profit = computed(int, '?3')

export const statementRow = wireRow((row) => ({
  part: row.word(part),
  /** Mark price in ticks; 0 except for positions at the end. */
  mark: row.int(mark),
  profit: row.int(profit),
  id: row.int(columns.id),
  seq: row.int(columns.seq),
  atMs: row.int(columns.at),
  /** 0 if no position changed. */
  market: row.int(columns.market),
  event: row.word(columns.event),
  /** Recorded change of the balance. */
  amount: row.int(columns.amount),
  fee: row.int(columns.fee),
  realized: row.int(columns.realized),
  balance: row.int(columns.balance),
  pending: row.int(columns.pending),
  lots: row.int(columns.lots),
  cost: row.int(columns.cost),
  wallet: row.int(columns.wallet),
  withdrawal: row.intOrNull(payments.columns.withdrawal),
  reference: row.textOrNull(payments.columns.reference),
  /** The other account of a transfer; otherwise the account itself. */
  counterparty: row.account(computed(account, `coalesce(other.account, ${columns.account.sql})`)),
}))
export type StatementRow = RowOf<typeof statementRow>
