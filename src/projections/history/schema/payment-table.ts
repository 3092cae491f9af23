// Deposits and withdrawals, step by step, for webhooks and the treasury.

import { paymentKinds } from '../../../protocol/admin/payment-kinds.ts'
import { account, int, intOrNull, textOrNull, word } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'

export const payments = table(
  'payments',
  {
    seq: int,
    /** Index among the steps of one entry. */
    place: int,
    at: int,
    kind: word(paymentKinds),
    account,
    amount: int,
    /** `null` for a deposit. */
    withdrawal: intOrNull,
    /** `null` for a withdrawal. */
    reference: textOrNull,
  },
  { key: ['seq', 'place'], indexes: { withdrawal: '(withdrawal)' } },
)

const { columns: payment } = payments

export const paymentRow = wireRow((row) => ({
  seq: row.int(payment.seq),
  place: row.int(payment.place),
  atMs: row.int(payment.at),
  kind: row.word(payment.kind),
  account: row.account(payment.account),
  amount: row.int(payment.amount),
  withdrawal: row.intOrNull(payment.withdrawal),
  reference: row.textOrNull(payment.reference),
}))
export type PaymentRow = RowOf<typeof paymentRow>
