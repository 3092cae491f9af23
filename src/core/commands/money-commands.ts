// What operators and custody ask for money that comes and goes: credits, ends of withdrawals, and
// the limits of both.

import type { Ppm, Quote } from '../../units/units.ts'
import type { WithdrawalId } from './ids.ts'

export type MoneyCommand =
  | Readonly<{ type: 'Deposit'; address: string; amount: Quote; reference: string }>
  /** By hand, by the operator of that name: above a limit it waits for a second one (ACCT-10). */
  | Readonly<{
      type: 'CreditDeposit'
      address: string
      amount: Quote
      reference: string
      by: string
    }>
  | Readonly<{ type: 'ApproveCredit'; credit: number; approver: string }>
  | Readonly<{ type: 'DropCredit'; credit: number }>
  /** By the operator of that name; two approvals are by two names (ACCT-8). */
  | Readonly<{ type: 'ApproveWithdrawal'; withdrawal: WithdrawalId; approver: string }>
  | Readonly<{ type: 'CompleteWithdrawal'; withdrawal: WithdrawalId }>
  /** `by`: by hand, by the operator of that name: of a payable one it is a credit (ACCT-10). */
  | Readonly<{ type: 'FailWithdrawal'; withdrawal: WithdrawalId; by?: string }>

export type MoneyLimitCommand =
  /** What an owner withdraws a UTC day without two approvals, what may leave on one, and what an
   *  operator credits alone on one; null: no such limit, absent: as it is. */
  | Readonly<{
      type: 'SetWithdrawalLimits'
      approvalAbove: Quote | null
      dailyMax: Quote | null
      creditApprovalAbove?: Quote | null
    }>
  /** ACCT-11; `fundPpm` null: off. */
  | Readonly<{
      type: 'SetWithdrawalBrake'
      fundPpm: Ppm | null
      profitAbove: Quote
      holdMs: number
    }>
