// Which withdrawals may be paid (ACCT-8): above an amount after two operators have approved, and of
// all accounts together no more on one UTC day than the venue allows. What a withdrawal needs is
// decided when it is asked for, so that one which a payment system may have paid already never
// needs something more.

import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { textRefusal } from '../texts/text-refusal.ts'

const fourEyes = 2

/** Approvals that a withdrawal of this amount needs when it is asked for now. */
export function neededFor(state: State, amount: number): number {
  if (state.approvalAbove !== null && amount > state.approvalAbove) return fourEyes
  return amount > payableLeft(state) ? 1 : 0
}

/** What may still become payable on this day. */
export function payableLeft(state: State): number {
  if (state.payableDailyMax === null) return Number.MAX_SAFE_INTEGER
  return Math.max(0, state.payableDailyMax - payableToday(state))
}

export function payableToday(state: State): number {
  return state.payableDay === state.day ? state.payableToday : 0
}

export function countPayable(state: State, amount: number): void {
  state.payableToday = payableToday(state) + amount
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
  const { account, amount, needed } = found
  const approvers = [...found.approvers, approver]
  state.withdrawals.set(withdrawal, { ...found, approvers })
  const approvals = approvers.length
  if (approvals === needed) countPayable(state, amount)
  log.write({
    type: 'WithdrawalApproved',
    ...{ withdrawal, account, amount, approvals, needed, approver },
  })
  return null
}

function approveRefusal(
  state: State,
  { withdrawal, approver }: CommandOf<'ApproveWithdrawal'>,
): Rejection | null {
  const found = state.withdrawals.get(withdrawal)
  if (found === undefined) return noWithdrawal(withdrawal)
  const { amount, approvers, needed } = found
  const approvals = approvers.length
  if (approvals === needed) return refuse('WITHDRAWAL_ALREADY_APPROVED', withdrawal, needed)
  if (approvers.includes(approver))
    return refuse('WITHDRAWAL_APPROVER_REPEATED', withdrawal, approvals, needed)
  const left = payableLeft(state)
  if (approvals + 1 === needed && amount > left)
    return refuse('VENUE_WITHDRAW_LIMIT_EXCEEDED', amount, left)
  return textRefusal(approver)
}

export function setWithdrawalLimits(
  state: State,
  log: EventLog,
  { approvalAbove, dailyMax }: CommandOf<'SetWithdrawalLimits'>,
): Rejection | null {
  const refusal = limitRefusal(approvalAbove) ?? limitRefusal(dailyMax)
  if (refusal !== null) return refusal
  state.approvalAbove = approvalAbove
  state.payableDailyMax = dailyMax
  log.write({
    type: 'WithdrawalLimitsSet',
    approvalAbove: approvalAbove ?? -1,
    dailyMax: dailyMax ?? -1,
  })
  return null
}

function limitRefusal(limit: number | null): Rejection | null {
  if (limit === null) return null
  if (!Number.isSafeInteger(limit)) return refuse('INVALID_PARAMETER', 0)
  return limit >= 0 && limit <= limits.moneyMax ? null : refuse('INVALID_PARAMETER', limit)
}
