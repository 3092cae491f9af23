// Withdrawals: requested, approved if required (../approvals/), then completed or failed by the
// operator (ACCT-2). An operator fails a withdrawal by hand through ../approvals/credits.ts.

import { broken } from '../../units/invariant.ts'
import { admissionRefusal } from '../admission/admit.ts'
import { moveDayHighs } from '../admission/key-limit.ts'
import { countPayable, neededFor, noWithdrawal } from '../approvals/approve-withdrawal.ts'
import { endCredits } from '../approvals/end-credits.ts'
import type { CommandOf } from '../commands/commands.ts'
import { amountRefusal, type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { withdrawableOf } from '../margin/margin.ts'
import { isHeld } from '../solvency/brake.ts'
import { touch } from '../solvency/update-index.ts'
import type { State, Withdrawal } from '../state/state.ts'

export function withdraw(
  state: State,
  log: EventLog,
  command: CommandOf<'Withdraw'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, null) ?? withdrawRefusal(state, command)
  if (refusal !== null) return refusal
  const { account, amount } = command
  const { accounts } = state
  const withdrawal = state.nextWithdrawalId++
  accounts.withdrawnToday[account] = withdrawnToday(state, account) + amount
  accounts.withdrawnDay[account] = state.day + 1
  const left = accounts.balance[account]! - amount
  if (!(left >= 0)) broken('a withdrawal leaves a balance below zero', left)
  accounts.balance[account] = left
  accounts.pending[account] = accounts.pending[account]! + amount
  accounts.pendingCount[account] = accounts.pendingCount[account]! + 1
  const held = isHeld(state, account)
  const total = accounts.withdrawnToday[account]!
  const needed = neededFor(state, { amount, total, isHeld: held })
  if (needed === 0) countPayable(state, amount)
  const at = state.atMs
  state.withdrawals.set(withdrawal, { account, amount, at, needed, held, approvers: [] })
  moveDayHighs(state, account, -amount)
  touch(state, account)
  log.write({
    type: 'WithdrawalRequested',
    withdrawal,
    account,
    amount,
    needed,
    held,
    ...moneyOf(state, account),
  })
  return null
}

function withdrawnToday(state: State, account: number): number {
  const { withdrawnDay, withdrawnToday: today } = state.accounts
  return withdrawnDay[account] === state.day + 1 ? today[account]! : 0
}

function withdrawRefusal(
  state: State,
  { account, amount }: CommandOf<'Withdraw'>,
): Rejection | null {
  const { accounts } = state
  const invalid = amountRefusal(amount, Number.MAX_SAFE_INTEGER)
  if (invalid !== null) return invalid
  const available = withdrawableOf(state, account)
  if (available < 0) return refuse('WITHDRAWAL_BLOCKED')
  if (accounts.main[account] !== account) return refuse('SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED')
  if (amount < state.rules.limits.withdrawalMin)
    return refuse('WITHDRAW_AMOUNT_TOO_LOW', amount, state.rules.limits.withdrawalMin)
  const left = state.rules.limits.withdrawalDailyMax - withdrawnToday(state, account)
  if (amount > left) return refuse('DAILY_WITHDRAW_LIMIT_EXCEEDED', amount, left)
  if (amount > available) return refuse('OVER_WITHDRAWAL', amount, available)
  if (accounts.pendingCount[account]! >= state.rules.limits.withdrawalsPending)
    return refuse('LIMIT_REACHED', state.rules.limits.withdrawalsPending)
  return null
}

export function completeWithdrawal(
  state: State,
  log: EventLog,
  { withdrawal }: CommandOf<'CompleteWithdrawal'>,
): Rejection | null {
  const refusal = completeRefusal(state, withdrawal)
  if (refusal !== null) return refusal
  const { account, amount } = endPending(state, withdrawal)
  state.withdrawn += amount
  log.write({
    type: 'WithdrawalCompleted',
    withdrawal,
    account,
    amount,
    ...moneyOf(state, account),
  })
  endReturn(state, log, withdrawal)
  return null
}

/** Returns the amount of a pending withdrawal to the account. */
export function makeReturn(state: State, log: EventLog, withdrawal: number): void {
  const { account, amount } = endPending(state, withdrawal)
  const { accounts } = state
  accounts.balance[account] = accounts.balance[account]! + amount
  moveDayHighs(state, account, amount)
  touch(state, account)
  log.write({ type: 'WithdrawalFailed', withdrawal, account, amount, ...moneyOf(state, account) })
  endReturn(state, log, withdrawal)
}

const endReturn = (state: State, log: EventLog, withdrawal: number) =>
  endCredits(state, log, (credit) => credit.withdrawal === withdrawal)

export const isPayable = ({ approvers, needed }: Withdrawal): boolean => approvers.length >= needed

/** The balance of an account and the total of its pending withdrawals. */
export function moneyOf(
  { accounts }: State,
  account: number,
): Readonly<{ balance: number; pending: number }> {
  return { balance: accounts.balance[account]!, pending: accounts.pending[account]! }
}

function completeRefusal(state: State, withdrawal: number): Rejection | null {
  const found = state.withdrawals.get(withdrawal)
  if (found === undefined) return noWithdrawal(withdrawal)
  if (isPayable(found)) return null
  const { approvers, needed } = found
  return refuse('WITHDRAWAL_NOT_APPROVED', withdrawal, approvers.length, needed)
}

function endPending(state: State, withdrawal: number): { account: number; amount: number } {
  const found = state.withdrawals.get(withdrawal) ?? broken('no withdrawal is pending', withdrawal)
  const { pending, pendingCount } = state.accounts
  const { account, amount } = found
  state.withdrawals.delete(withdrawal)
  if (!(pending[account]! >= amount))
    broken('a withdrawal is larger than all that is pending', pending[account]!)
  if (!(pendingCount[account]! > 0)) broken('a withdrawal ends that was not counted', withdrawal)
  pending[account] = pending[account]! - amount
  pendingCount[account] = pendingCount[account]! - 1
  return found
}
