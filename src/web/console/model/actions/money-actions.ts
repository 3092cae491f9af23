// Actions on withdrawals, reserves and fees.

import { type Action, action } from '../action.ts'
import type {
  FeeTier,
  ReserveProof,
  Reserves,
  WithdrawalLimits,
  WithdrawalRow,
} from '../admin-rows.ts'
import { field } from '../form-field.ts'

const whatOf = ({ account, amount }: WithdrawalRow) => `${amount} USD of ${account}`

export function approveWithdrawal(row: WithdrawalRow, who: string): Action {
  const { withdrawal_id, approved_by, approvals_needed } = row
  return action({
    ...{ operation: 'approve_withdrawal', title: `Approve withdrawal ${withdrawal_id}` },
    given: { withdrawal_id },
    changes: () => [
      { name: 'withdrawal', now: null, next: whatOf(row) },
      {
        ...{ name: 'approved by', now: approved_by.join(', ') || 'none' },
        next: [...approved_by, who].join(', '),
      },
      {
        ...{ name: 'state', now: row.state },
        next: approved_by.length + 1 < approvals_needed ? 'waiting' : 'payable',
      },
    ],
  })
}

export function completeWithdrawal(row: WithdrawalRow): Action {
  return action({
    ...{ operation: 'complete_withdrawal', title: `Complete withdrawal ${row.withdrawal_id}` },
    given: { withdrawal_id: row.withdrawal_id },
    warning: 'The money must have left: the exchange forgets that it owes it.',
    changes: () => [
      { name: 'withdrawal', now: whatOf(row), next: 'paid' },
      { name: 'state', now: row.state, next: 'completed' },
    ],
  })
}

export function failWithdrawal(row: WithdrawalRow): Action {
  return action({
    ...{ operation: 'fail_withdrawal', title: `Fail withdrawal ${row.withdrawal_id}` },
    given: { withdrawal_id: row.withdrawal_id },
    warning:
      'The money must not have left: the account gets it back. Of a payable one that is a credit ' +
      'by hand: above the limit of credits it waits for a second operator.',
    changes: () => [
      { name: 'withdrawal', now: whatOf(row), next: `back to ${row.account}` },
      { name: 'state', now: row.state, next: 'failed' },
    ],
  })
}

const limitNames = ['approval_above', 'daily_max', 'credit_approval_above'] as const
const orNone = (text: string | null) => text ?? 'no limit'

export function setWithdrawalLimits(now: WithdrawalLimits): Action {
  const limit = (name: (typeof limitNames)[number], label: string, hint: string) =>
    field(name, { label, hint, optional: true, initial: now[name] ?? '' })
  const fields = [
    limit('approval_above', 'Two approvals above', 'USD of an owner on a day; empty: no limit'),
    limit('daily_max', 'Payable on a day', 'USD, all accounts together; empty: no limit'),
    limit('credit_approval_above', 'Credits by one token', 'USD on a day; empty: no limit'),
  ]
  const orNull = (text = '') => (text.trim() === '' ? null : text.trim())
  return action({
    ...{ operation: 'set_withdrawal_limits', title: 'Set limits of withdrawals', fields },
    body: (values) =>
      Object.fromEntries(limitNames.map((name) => [name, orNull(values[name] ?? now[name] ?? '')])),
    changes: (body) =>
      limitNames.map((name) => ({
        ...{ name, now: orNone(now[name]), next: orNone(body[name] as string | null) },
      })),
  })
}

export function moveReserve(reserves: Reserves): Action {
  const { fees, insurance, backstops } = reserves
  const balances: Readonly<Record<string, string>> = {
    ...{ fees, insurance },
    ...Object.fromEntries(backstops.map(({ account, balance }) => [account, balance])),
  }
  const named = backstops.map(({ symbol, account }) => `${symbol}'s backstop ${account}`)
  const hint = ['fees', 'insurance', ...named, 'or an account of the operator'].join('; ')
  return action({
    ...{ operation: 'move_reserve', title: 'Move money between reserves' },
    fields: [
      field('from', { initial: 'fees', hint }),
      field('to', { initial: 'insurance', hint: 'The same' }),
      field('amount', { hint: 'USD' }),
    ],
    changes: ({ from, to, amount }) => [
      { name: String(from), now: balances[String(from)] ?? null, next: `less ${amount}` },
      { name: String(to), now: balances[String(to)] ?? null, next: `more ${amount}` },
    ],
  })
}

const columns = [
  { name: 'volume', whole: true },
  { name: 'maker_fee_rate', whole: false },
  { name: 'taker_fee_rate', whole: false },
]

const tierText = ({ volume, maker_fee_rate, taker_fee_rate }: FeeTier) =>
  `from ${volume} USD: maker ${maker_fee_rate}, taker ${taker_fee_rate}`

export function setFeeTiers(tiers: readonly FeeTier[]): Action {
  const lines = tiers.map(
    (tier) => `${tier.volume}, ${tier.maker_fee_rate}, ${tier.taker_fee_rate}`,
  )
  return action({
    ...{ operation: 'set_fee_tiers', title: 'Replace the fee tiers' },
    fields: [
      field('tiers', {
        ...{ kind: 'rows', columns, initial: lines.join('\n') },
        hint: 'A line each: whole USD of volume in 14 days, maker rate, taker rate',
      }),
    ],
    changes({ tiers: requested }) {
      const next = requested as readonly FeeTier[]
      const count = Math.max(tiers.length, next.length)
      return Array.from({ length: count }, (_, at) => ({
        name: `tier ${at}`,
        now: tiers[at] === undefined ? null : tierText(tiers[at]),
        next: next[at] === undefined ? null : tierText(next[at]),
      }))
    },
  })
}

export function setInsuranceShare({ insurance_share: share }: Reserves): Action {
  return action({
    ...{ operation: 'set_insurance_share', title: "Set the fund's share of fees" },
    fields: [field('share', { initial: share, hint: 'Of the fees of each hour, 0 to 1' })],
    now: { share },
  })
}

export function setInsuranceDailyMax({ insurance_daily_max: daily_max }: Reserves): Action {
  return action({
    ...{ operation: 'set_insurance_daily_max', title: 'Set what the fund pays on a day' },
    fields: [field('daily_max', { initial: daily_max, hint: 'Of itself at most, 0 to 1' })],
    now: { daily_max },
  })
}

export function proveReserves(newest: ReserveProof | null): Action {
  return action({
    ...{ operation: 'prove_reserves', title: 'Make a proof of reserves' },
    warning:
      'This takes a few seconds, longer with many accounts. Account owners will then receive ' +
      'their proofs from this one, so publish its root.',
    changes: () => [
      {
        ...{ name: 'newest proof', now: newest === null ? 'none' : `of entry ${newest.seq}` },
        next: 'of the newest entry',
      },
      { name: 'its file', now: null, next: 'in reserves/ of the data folder' },
    ],
  })
}
