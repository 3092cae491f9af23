// What a statement of an account is made of: rows of the ledger, in one order with what there was
// before them and after them.

import { account, computed, int, word } from '../rows/column.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'
import { balances } from './balance-table.ts'
import { payments } from './payment-table.ts'

/** `money`: what the account had in all; `held`: in one market. */
export const statementParts = [
  'money_before',
  'held_before',
  'line',
  'money_after',
  'held_after',
] as const

const { columns } = balances
// What the statement is given, and not what it finds.
const part = computed(word(statementParts), '?1')
const mark = computed(int, '?2')
const profit = computed(int, '?3')

export const statementRow = wireRow((row) => ({
  part: row.word(part),
  /** Ticks; 0 but for what is held after the lines. */
  mark: row.int(mark),
  profit: row.int(profit),
  id: row.int(columns.id),
  seq: row.int(columns.seq),
  atMs: row.int(columns.at),
  /** 0: of no position. */
  market: row.int(columns.market),
  event: row.word(columns.event),
  /** Change of the balance, as it was written down. */
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
  /** Of a transfer, whose the other side is; else the account's own. */
  counterparty: row.account(computed(account, `coalesce(other.account, ${columns.account.sql})`)),
}))
export type StatementRow = RowOf<typeof statementRow>
