// Actions that need a second operator: manual credits, and the withdrawal brake.

import { type Action, action } from '../action.ts'
import type { CreditRow, WithdrawalBrake } from '../admin-rows.ts'
import { field } from '../form-field.ts'

export function approveCredit(row: CreditRow, who: string): Action {
  const { credit_id, amount, account, requested_by } = row
  return action({
    ...{ operation: 'approve_credit', title: `Approve credit ${credit_id}` },
    given: { credit_id },
    warning: 'Look at the payment yourself: from then on the account can withdraw it.',
    changes: () => [
      { name: 'account', now: account, next: `${amount} USD more` },
      { name: 'from', now: null, next: originOf(row) },
      { name: 'approved by', now: requested_by, next: `${requested_by}, ${who}` },
    ],
  })
}

const originOf = ({ withdrawal_id, from, reference }: CreditRow) =>
  withdrawal_id === null
    ? (from ?? `outside, reference ${reference}`)
    : `withdrawal ${withdrawal_id}, which must not have been paid`

export function dropCredit({ credit_id, amount, account }: CreditRow): Action {
  return action({
    ...{ operation: 'drop_credit', title: `Drop credit ${credit_id}` },
    given: { credit_id },
    changes: () => [{ name: 'credit', now: `${amount} USD to ${account}`, next: 'dropped' }],
  })
}

export function setWithdrawalBrake(brake: WithdrawalBrake): Action {
  const { enabled, fund_part, profit_above, minutes, pulled } = brake
  return action({
    ...{ operation: 'set_withdrawal_brake', title: 'Set the withdrawal brake' },
    ...(pulled !== null && {
      warning: `The brake is triggered. A change releases ${pulled.owners_count} owners.`,
    }),
    fields: [
      field('enabled', { kind: 'flag', initial: String(enabled) }),
      field('fund_part', { initial: fund_part, hint: 'Of the fund within a minute, 0 to 1' }),
      field('profit_above', { initial: profit_above, hint: 'USD that an owner won meanwhile' }),
      field('minutes', { kind: 'whole', initial: String(minutes), hint: '1 to 1440' }),
    ],
    now: { enabled, fund_part, profit_above, minutes },
  })
}
