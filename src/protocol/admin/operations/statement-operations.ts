// The statement of an account over a span of time, page by page.

import { address, count, optional, orNull, text } from '../../schemas/field-types.ts'
import { limitOf } from '../../schemas/lists.ts'
import { inclusionReply } from '../../schemas/proofs/reserve-replies.ts'
import { Type } from '../../schemas/typebox.ts'
import { balanceEvents } from '../../words.ts'
import type { AdminRows } from '../admin-row.ts'

export const statementLinesMax = 1_000

const usd = (description: string) => text(`USD; ${description}`)
const textOrNull = (description: string) => orNull(text(), `${description}; null: none`)

const money = {
  balance: usd('of the cross account'),
  isolated: usd('in the wallets of isolated positions'),
  pending_balance: usd('pending withdrawals'),
}

const standing = Type.Object({ ...money, total: usd('the three together') })

const line = Type.Object({
  line_id: count(),
  seq: count('Entry of the journal'),
  created_at: count(),
  event_type: Type.Enum([...balanceEvents]),
  symbol: textOrNull('Market of the position that changed'),
  amount: usd('change of balance and isolated together'),
  pending_amount: usd('change of pending_balance'),
  realized_pnl: usd('of a trade, before its fee'),
  fee: usd('of a trade; below 0: a rebate'),
  withdrawal_id: orNull(count()),
  reference: textOrNull('Of a deposit'),
  counterparty: textOrNull('For a transfer: the other account'),
  ...money,
})

const totals = Type.Object({
  event_type: Type.Enum([...balanceEvents]),
  lines: count(),
  amount: text(),
  pending_amount: text(),
  realized_pnl: text(),
  fee: text(),
})

const position = Type.Object({
  symbol: text(),
  side: Type.Enum(['bid', 'ask']),
  amount: text('Position size, in base units'),
  entry_price: text(),
  mark: text(),
  unrealized_pnl: text(),
  isolated: usd('in its own wallet'),
})

const moment = (description: string) =>
  optional(Type.Integer({ minimum: 0, description: `${description}, on a full minute` }))

export const statementOperations = {
  get_statement: {
    http: 'GET /accounts/statement',
    scope: 'read',
    summary:
      'Statement of an account: opening balance, every line of its ledger, closing balance; ' +
      'opening and lines add up to the closing',
    request: Type.Object({
      account: address('Account address'),
      from: moment('Milliseconds (default: the beginning)'),
      to: moment('Milliseconds, not included; a later time than now is now (default: now)'),
      after: optional(Type.Integer({ minimum: 1, description: 'next of the previous page' })),
      limit: limitOf({ maximum: statementLinesMax, default: statementLinesMax, rows: 'lines' }),
    }),
    reply: Type.Object({
      account: text(),
      from: orNull(count()),
      to: count('End of the statement; the time of the newest entry if it goes up to now'),
      opening: standing,
      lines: Type.Array(line, { description: 'Oldest first' }),
      totals: Type.Array(totals, { description: 'Sums of the lines of the statement, by kind' }),
      closing: standing,
      adds_up: Type.Boolean({
        description: 'Whether opening balances and lines add up to the closing balances',
      }),
      fault: textOrNull('Why the statement does not add up'),
      next: orNull(count(), 'Value of after for the next page; null on the last page'),
      at_end: Type.Union(
        [
          Type.Object({
            positions: Type.Array(position),
            unrealized_pnl: text(),
            equity: usd('balance, isolated and unrealized_pnl'),
            reserve_proof: inclusionReply,
          }),
          Type.Null(),
        ],
        { description: 'Balances at the end; null if there is another page' },
      ),
    }),
  },
} as const satisfies AdminRows
