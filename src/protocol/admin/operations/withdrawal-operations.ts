// Withdrawals: the queue, approvals, outcomes, limits (ACCT-8), and the brake (ACCT-11).

import { count, decimal, optional, orNull, text } from '../../schemas/field-types.ts'
import { limitOf } from '../../schemas/lists.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

export const withdrawalStates = ['waiting', 'payable', 'return_requested'] as const

const queued = Type.Object({
  withdrawal_id: count(),
  account: text(),
  amount: text(),
  requested_at: count(),
  state: Type.Enum([...withdrawalStates], {
    description:
      'waiting: needs approvals. payable: must be paid, then completed or failed. ' +
      'return_requested: a token failed a payable withdrawal, and the money is returned ' +
      'when another token approves return_credit_id; pay it only after that credit is ' +
      'dropped',
  }),
  approvals_needed: count('Number of approvals required in total'),
  approved_by: Type.Array(text(), { description: 'Names of tokens, in order of approval' }),
  held_by_brake: Type.Boolean({
    description:
      'Whether the owner won while the insurance fund paid (see GET /withdrawals/brake); ' +
      'check before approving',
  }),
  return_credit_id: orNull(
    count(),
    'Credit to approve or drop (POST /deposits/approve); null if no return is waiting',
  ),
  return_requested_by: orNull(
    text(),
    'Name of the token that failed the withdrawal; another token must approve',
  ),
})

export const withdrawalsMax = 1_000

const which = Type.Object({ withdrawal_id: Type.Integer({ minimum: 1 }) })

const limit = (description: string) => orNull(text(), `${description}; null for no limit`)

const limitsReply = Type.Object({
  approval_above: limit(
    'USD on one UTC day above which withdrawals of an owner need two tokens, and so do ' +
      'withdrawals that one token approves alone',
  ),
  daily_max: limit('USD that may become payable on one UTC day, all accounts together'),
  payable_today: text('USD that became payable today, including failed withdrawals'),
  credit_approval_above: limit(
    'USD on one UTC day above which manual credits by one token, or by one token to one owner, ' +
      'need a second token',
  ),
  warnings: Type.Array(text(), {
    description:
      'Limits that have no effect with the current tokens, and what to do; empty if all are ' +
      'effective',
  }),
})

/** Default settings of the brake (ACCT-11). */
export const brakeDefaults = { fund_part: '0.05', profit_above: '1000', minutes: 60 } as const
const minutesMax = 1_440

const brakeReply = Type.Object({
  enabled: Type.Boolean(),
  fund_part: text(
    'Fraction of the money in the insurance fund since yesterday. Payments above it within a ' +
      'minute trigger the brake; payments up to 1000 USD never do',
  ),
  profit_above: text(
    'USD that an owner must have won in its markets, until `minutes` after the payment',
  ),
  minutes: count('Minutes for which withdrawals of such an owner need an approval'),
  pulled: orNull(
    Type.Object({
      since: count(),
      last: count('Time of the last payment of this size by the fund'),
      until: count('Time at which the last owner is released, unless the brake is triggered again'),
      markets: Type.Array(text()),
      owners: Type.Array(
        Type.Object({
          account: text('Main account'),
          until: count('Time at which this owner is released'),
          won: text('Profit in those markets that was counted, in USD'),
        }),
        {
          description:
            'Owners whose withdrawals need an approval; highest profit first, maximum 1000',
        },
      ),
      owners_count: count(),
    }),
    'State of the triggered brake; null if it is not triggered and holds no withdrawals',
  ),
})

export const withdrawalOperations = {
  list_withdrawals: {
    http: 'GET /withdrawals',
    scope: 'read',
    summary: 'List withdrawals that are neither completed nor failed, oldest first',
    request: Type.Object({
      state: optional(Type.Enum([...withdrawalStates])),
      limit: limitOf({ maximum: withdrawalsMax, default: withdrawalsMax, rows: 'withdrawals' }),
      after: optional(
        Type.Integer({ minimum: 0, description: 'Only those with a higher withdrawal_id' }),
      ),
    }),
    reply: Type.Array(queued),
  },
  approve_withdrawal: {
    http: 'POST /withdrawals/approve',
    scope: 'money',
    summary:
      'Approve a waiting withdrawal; two tokens of different names are needed if an owner ' +
      'withdraws, or a token approves alone, more than approval_above on a UTC day',
    request: which,
    reply: Type.Object({
      withdrawal_id: count(),
      approvals: count('Number of approvals so far'),
      approvals_needed: count('Number of approvals required'),
    }),
  },
  complete_withdrawal: {
    http: 'POST /withdrawals/complete',
    scope: 'money',
    summary: 'Complete a withdrawal that was paid',
    request: which,
    reply: Type.Object({ withdrawal_id: count() }),
  },
  fail_withdrawal: {
    http: 'POST /withdrawals/fail',
    scope: 'money',
    summary:
      'Fail a withdrawal and return the money; for a payable one this is a manual credit, ' +
      'which waits for another token above credit_approval_above',
    request: which,
    reply: Type.Object({
      withdrawal_id: count(),
      waiting_credit_id: orNull(
        count(),
        'Credit that waits for another token while the money is pending; null if the money ' +
          'is returned',
      ),
    }),
  },
  get_withdrawal_limits: {
    http: 'GET /withdrawals/limits',
    scope: 'read',
    summary: 'Show the withdrawal limits: approvals, and the maximum for a day',
    request: Type.Object({}),
    reply: limitsReply,
  },
  set_withdrawal_limits: {
    http: 'POST /withdrawals/limits',
    scope: 'operate',
    summary: 'Set the limits for withdrawals requested from now on; payable ones stay payable',
    request: Type.Object({
      approval_above: orNull(
        decimal('USD'),
        'USD that an owner may withdraw on one UTC day before two tokens must approve; ' +
          'null for no limit',
      ),
      daily_max: orNull(
        decimal('USD'),
        'USD that may become payable on one UTC day; null for no limit',
      ),
      credit_approval_above: optional(
        orNull(
          decimal('USD'),
          'USD that a token may credit alone on one UTC day; null for no limit ' +
            '(default: unchanged)',
        ),
      ),
    }),
    reply: limitsReply,
  },
  get_withdrawal_brake: {
    http: 'GET /withdrawals/brake',
    scope: 'read',
    summary: 'Show the withdrawal brake: its settings, and the owners that it holds now',
    request: Type.Object({}),
    reply: brakeReply,
  },
  set_withdrawal_brake: {
    http: 'POST /withdrawals/brake',
    scope: 'operate',
    summary: 'Set the withdrawal brake, or turn it off; this releases all owners and resets it',
    request: Type.Object({
      enabled: Type.Boolean(),
      fund_part: optional(decimal(`As a fraction, 0 to 1 (default: ${brakeDefaults.fund_part})`)),
      profit_above: optional(decimal(`USD (default: ${brakeDefaults.profit_above})`)),
      minutes: optional(
        Type.Integer({
          ...{ minimum: 1, maximum: minutesMax },
          description: `(default: ${brakeDefaults.minutes})`,
        }),
      ),
    }),
    reply: brakeReply,
  },
} as const satisfies AdminRows
