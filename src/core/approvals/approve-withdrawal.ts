// Decides which withdrawals may be paid (ACCT-8). Above an amount per owner and UTC day, two
// operators must approve. All accounts together have a maximum per UTC day. The number of approvals
// is set when the withdrawal is requested and can only grow until the withdrawal is payable,
// because a payment system may already have paid a payable withdrawal.

import { broken } from '../../units/invariant.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import type { State, Withdrawal } from '../state/state.ts'

const fourEyes = 2

/** Approvals that a withdrawal of this amount needs if it is requested now. `total`: all that its
 *  owner requested today, including this withdrawal. */
export function neededFor(
  state: State,
  { amount, total, isHeld }: Readonly<{ amount: number; total: number; isHeld: boolean }>,
): number {
  if (state.approvalAbove !== null && total > state.approvalAbove) return fourEyes
  return isHeld || amount > payableLeft(state) ? 1 : 0
}

/** The amount that may still become payable on this day. */
export function payableLeft(state: State): number {
  if (state.payableDailyMax === null) return Number.MAX_SAFE_INTEGER
  return Math.max(0, state.payableDailyMax - payableToday(state))
}

export function payableToday(state: State): number {
  return state.payableDay === state.day ? state.payableToday : 0
}

export function countPayable(state: State, amount: number): void {
  const sum = payableToday(state) + amount
  if (state.payableDailyMax !== null && sum > state.payableDailyMax)
    broken('more becomes payable on a day than may', sum)
  state.payableToday = sum
  state.payableDay = state.day
}

export function noWithdrawal(withdrawal: number): Rejection {
  return refuse('WITHDRAWAL_NOT_FOUND', Number.isSafeInteger(withdrawal) ? withdrawal : 0)
}

export function approveWithdrawal(
  state: State,
  log: EventLog,
  command: CommandOf<'ApproveWithdrawal'>,
): Rejection | null {
  const refusal = approveRefusal(state, command)
  if (refusal !== null) return refusal
  const { withdrawal, approver } = command
  const found = state.withdrawals.get(withdrawal)!
  const { account, amount } = found
  const needed = neededBy(state, found, approver)
  const approvers = [...found.approvers, approver]
  state.withdrawals.set(withdrawal, { ...found, needed, approvers })
  const approvals = approvers.length
  if (approvals > needed) broken('a withdrawal has more approvals than it needs', approvals)
  if (approvals === needed) countPayable(state, amount)
  if (needed === 1) state.aloneToday.approve(state.day, approver, amount)
  log.write({
    type: 'WithdrawalApproved',
    ...{ withdrawal, account, amount, approvals, needed, approver },
  })
  return null
}

/** Requires two approvals instead of one when this operator has reached the daily limit for
 *  approving alone. */
function neededBy(state: State, { amount, needed }: Withdrawal, approver: string): number {
  if (needed !== 1 || state.approvalAbove === null) return needed
  const sum = state.aloneToday.of('approved', state.day, approver) + amount
  return sum > state.approvalAbove ? fourEyes : needed
}

function approveRefusal(
  state: State,
  { withdrawal, approver }: CommandOf<'ApproveWithdrawal'>,
): Rejection | null {
  const found = state.withdrawals.get(withdrawal)
  if (found === undefined) return noWithdrawal(withdrawal)
  const { amount, approvers } = found
  const approvals = approvers.length
  if (approvals === found.needed)
    return refuse('WITHDRAWAL_ALREADY_APPROVED', withdrawal, found.needed)
  if (approvers.includes(approver))
    return refuse('WITHDRAWAL_APPROVER_REPEATED', withdrawal, approvals, found.needed)
  const needed = neededBy(state, found, approver)
  const left = payableLeft(state)
  if (approvals + 1 === needed && amount > left)
    return refuse('VENUE_WITHDRAW_LIMIT_EXCEEDED', amount, left)
  return textRefusal(approver)
}

export function setWithdrawalLimits(
  state: State,
  log: EventLog,
  { approvalAbove, dailyMax, creditApprovalAbove }: CommandOf<'SetWithdrawalLimits'>,
): Rejection | null {
  const refusal =
    limitRefusal(approvalAbove) ?? limitRefusal(dailyMax) ?? limitRefusal(creditApprovalAbove)
  if (refusal !== null) return refusal
  if (creditApprovalAbove !== undefined) state.creditApprovalAbove = creditApprovalAbove
  state.approvalAbove = approvalAbove
  state.payableDailyMax = dailyMax
  log.write({
    type: 'WithdrawalLimitsSet',
    approvalAbove: approvalAbove ?? -1,
    dailyMax: dailyMax ?? -1,
    creditApprovalAbove: state.creditApprovalAbove ?? -1,
  })
  return null
}

/** `undefined`: the limit stays unchanged. */
function limitRefusal(limit: number | null | undefined): Rejection | null {
  if (limit === null || limit === undefined) return null
  if (!Number.isSafeInteger(limit)) return refuse('INVALID_PARAMETER', 0)
  return limit >= 0 && limit <= limits.moneyMax ? null : refuse('INVALID_PARAMETER', limit)
}
