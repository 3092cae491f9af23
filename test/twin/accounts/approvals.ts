// Which withdrawals may be paid (ACCT-8).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { dayOf, emit } from '../core/lookup.ts'
import { badText } from '../orders/order-checks.ts'
import type { Naive } from '../state.ts'
import { given, isIntIn, max, num } from '../units/numbers.ts'

/** What may still become payable today; null: any amount. */
function leftToday(naive: Naive): bigint | null {
  if (naive.payableMax === null) return null
  const today = naive.payable.filter(({ day }) => day === dayOf(naive.now))
  const sum = today.reduce((total, { amount }) => total + amount, 0n)
  return max(0n, naive.payableMax - sum)
}

/** `requested`: all that the owner requested today, this one included. */
export function approvalsNeeded(
  naive: Naive,
  amount: bigint,
  requested: bigint,
  held: boolean,
): number {
  if (naive.approvalAbove !== null && requested > naive.approvalAbove) return 2
  const left = leftToday(naive)
  return held || (left !== null && amount > left) ? 1 : 0
}

/** Whether this operator would approve more alone today than one may. */
function isTooMuchAlone(naive: Naive, approver: string, amount: bigint): boolean {
  if (naive.approvalAbove === null) return false
  const today = naive.approvedAlone.filter(({ day }) => day === dayOf(naive.now))
  const names = new Set(today.map((each) => each.approver))
  if (!names.has(approver) && names.size >= limits.operatorsCounted) return true
  const own = today.filter((each) => each.approver === approver)
  return own.reduce((sum, each) => sum + each.amount, amount) > naive.approvalAbove
}

export function becomesPayable(naive: Naive, amount: bigint): void {
  naive.payable.push({ day: dayOf(naive.now), amount })
}

export function approveWithdrawal(
  naive: Naive,
  command: CommandOf<'ApproveWithdrawal'>,
): Rejection | null {
  const { approver } = command
  const found = naive.withdrawals.find((one) => one.id === command.withdrawal)
  if (!found) return refuse('WITHDRAWAL_NOT_FOUND', given(command.withdrawal))
  const { id, account, amount, approvers } = found
  const had = approvers.length
  if (had >= found.needed) return refuse('WITHDRAWAL_ALREADY_APPROVED', id, found.needed)
  if (approvers.includes(approver)) {
    return refuse('WITHDRAWAL_APPROVER_REPEATED', id, had, found.needed)
  }
  const needed = found.needed === 1 && isTooMuchAlone(naive, approver, amount) ? 2 : found.needed
  const isLast = had + 1 === needed
  const left = leftToday(naive)
  if (isLast && left !== null && amount > left) {
    return refuse('VENUE_WITHDRAW_LIMIT_EXCEEDED', num(amount), num(left))
  }
  const badWord = badText(approver)
  if (badWord) return badWord
  found.needed = needed
  approvers.push(approver)
  if (needed === 1) naive.approvedAlone.push({ day: dayOf(naive.now), approver, amount })
  if (isLast) becomesPayable(naive, amount)
  const event = { withdrawal: id, account, amount: num(amount), needed, approver }
  emit(naive, { type: 'WithdrawalApproved', ...event, approvals: approvers.length })
  return null
}

export function setWithdrawalLimits(
  naive: Naive,
  command: CommandOf<'SetWithdrawalLimits'>,
): Rejection | null {
  const requested = [command.approvalAbove, command.dailyMax]
  const { creditApprovalAbove: credit } = command
  for (const value of credit === undefined ? requested : [...requested, credit]) {
    if (value !== null && !isIntIn(value, 0, limits.moneyMax)) {
      return refuse('INVALID_PARAMETER', given(value))
    }
  }
  const [above = null, most = null] = requested
  naive.approvalAbove = above === null ? null : BigInt(above)
  naive.payableMax = most === null ? null : BigInt(most)
  if (credit !== undefined) naive.creditApprovalAbove = credit === null ? null : BigInt(credit)
  const none = -1
  emit(naive, {
    type: 'WithdrawalLimitsSet',
    approvalAbove: above ?? none,
    dailyMax: most ?? none,
    creditApprovalAbove: num(naive.creditApprovalAbove ?? -1n),
  })
  return null
}
