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

export function approvalsNeeded(naive: Naive, amount: bigint): number {
  if (naive.approvalAbove !== null && amount > naive.approvalAbove) return 2
  const left = leftToday(naive)
  return left !== null && amount > left ? 1 : 0
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
  const { id, account, amount, needed, approvers } = found
  const had = approvers.length
  if (had >= needed) return refuse('WITHDRAWAL_ALREADY_APPROVED', id, needed)
  if (approvers.includes(approver)) {
    return refuse('WITHDRAWAL_APPROVER_REPEATED', id, had, needed)
  }
  const isLast = had + 1 === needed
  const left = leftToday(naive)
  if (isLast && left !== null && amount > left) {
    return refuse('VENUE_WITHDRAW_LIMIT_EXCEEDED', num(amount), num(left))
  }
  const badWord = badText(approver)
  if (badWord) return badWord
  approvers.push(approver)
  if (isLast) becomesPayable(naive, amount)
  const told = { withdrawal: id, account, amount: num(amount), needed, approver }
  emit(naive, { type: 'WithdrawalApproved', ...told, approvals: approvers.length })
  return null
}

export function setWithdrawalLimits(
  naive: Naive,
  command: CommandOf<'SetWithdrawalLimits'>,
): Rejection | null {
  const asked = [command.approvalAbove, command.dailyMax]
  for (const value of asked) {
    if (value !== null && !isIntIn(value, 0, limits.moneyMax)) {
      return refuse('INVALID_PARAMETER', given(value))
    }
  }
  const [above = null, most = null] = asked
  naive.approvalAbove = above === null ? null : BigInt(above)
  naive.payableMax = most === null ? null : BigInt(most)
  const none = -1
  emit(naive, { type: 'WithdrawalLimitsSet', approvalAbove: above ?? none, dailyMax: most ?? none })
  return null
}
