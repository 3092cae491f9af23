// Manual credits: made immediately, or after a second token has approved them (ACCT-10).

import { address, count, decimal, orNull, text } from '../../schemas/field-types.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

const which = Type.Object({ credit_id: Type.Integer({ minimum: 1 }) })

export const depositOperations = {
  credit_deposit: {
    http: 'POST /deposits',
    scope: 'money',
    summary:
      'Credit a deposit; above credit_approval_above it waits for another token. Repeating ' +
      'it has no effect; the reference of a different deposit is a conflict (409)',
    request: Type.Object({
      account: address('Account that is credited'),
      amount: decimal('USD'),
      reference: Type.String({
        ...{ minLength: 1, maxLength: 128 },
        description:
          'Your id of the deposit: visible characters of any alphabet (NFC), without spaces',
      }),
    }),
    reply: Type.Object({
      balance: text(),
      credited: Type.Boolean({
        description: 'False if it was credited before, or waits for approval',
      }),
      waiting_credit_id: orNull(count(), 'Id of the waiting credit; null if it does not wait'),
    }),
  },
  list_waiting_credits: {
    http: 'GET /deposits/waiting',
    scope: 'read',
    summary: 'List manual credits that wait for a second token, oldest first',
    request: Type.Object({}),
    reply: Type.Array(
      Type.Object({
        credit_id: count(),
        account: text(),
        amount: text(),
        reference: orNull(text(), 'Reference of the deposit; null if the credit is not a deposit'),
        from: orNull(text(), 'Address of the reserve that pays the credit; null if none does'),
        withdrawal_id: orNull(
          count(),
          'Withdrawal that the credit returns; null if it is not a return',
        ),
        requested_by: text('Name of the token that requested it; another token must approve'),
        requested_at: count(),
      }),
    ),
  },
  approve_credit: {
    http: 'POST /deposits/approve',
    scope: 'money',
    summary: 'Approve and execute a credit that another token requested',
    request: which,
    reply: Type.Object({
      credit_id: count(),
      balance: text('Balance of the account after the credit'),
    }),
  },
  drop_credit: {
    http: 'POST /deposits/drop',
    scope: 'money',
    summary: 'Drop a waiting credit; nothing is credited',
    request: which,
    reply: Type.Object({ credit_id: count() }),
  },
} as const satisfies AdminRows
