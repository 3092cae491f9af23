// Credits by operators (ACCT-10). A credit is executed immediately, or held until a second operator
// approves. A held credit has moved no money and never changes. Its checks run again when it is
// approved.

import type { Quote } from '../../units/units.ts'
import { depositRefusal, makeDeposit } from '../accounts/deposit.ts'
import { isPayable, makeReturn } from '../accounts/withdraw.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { CommandOf } from '../commands/commands.ts'
import type { AccountId } from '../commands/ids.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { moveRefusal, moveReserve, type ReserveMove } from '../markets/reserves.ts'
import { limits } from '../rules/limits.ts'
import type { State, WaitingCredit } from '../state/state.ts'
import { noWithdrawal } from './approve-withdrawal.ts'

export function creditDeposit(
  state: State,
  log: EventLog,
  command: CommandOf<'CreditDeposit'>,
): Rejection | null {
  const refusal = depositRefusal(state, command) ?? textRefusal(command.by)
  if (refusal !== null) return refusal
  const { address, amount, reference, by } = command
  const known = waitingOne(state, (credit) => credit.reference === reference)
  if (known !== null) return known
  const account = state.accounts.byAddress.get(address) ?? 0
  if (waits(state, account, by, amount))
    return keep(state, log, { ...fromOutside, address, amount, reference, by })
  count(state, makeDeposit(state, log, command), by, amount)
  return null
}

/** A move with an operator's name that gives an account money of the exchange counts as a
 *  credit. */
export function moveReserveBy(
  state: State,
  log: EventLog,
  command: CommandOf<'MoveReserve'>,
): Rejection | null {
  const refusal = moveRefusal(state, command)
  if (refusal !== null) return refusal
  const { from, to, amount, by } = command
  const { reserved, records } = state.accounts
  if (by !== undefined && reserved[to] === 0) {
    const badName = textRefusal(by)
    if (badName !== null) return badName
    const { address } = records[to]!
    if (waits(state, to, by, amount))
      return keep(state, log, { ...fromOutside, source: from, address, amount, by })
    count(state, to, by, amount)
  }
  moveReserve(state, log, command)
  return null
}

/** A failure with an operator's name counts as a credit if the withdrawal is payable, because a
 *  payable withdrawal may have been paid already. */
export function failWithdrawal(
  state: State,
  log: EventLog,
  { withdrawal, by }: CommandOf<'FailWithdrawal'>,
): Rejection | null {
  const found = state.withdrawals.get(withdrawal)
  if (found === undefined) return noWithdrawal(withdrawal)
  if (by !== undefined && isPayable(found)) {
    const refusal =
      textRefusal(by) ?? waitingOne(state, (credit) => credit.withdrawal === withdrawal)
    if (refusal !== null) return refusal
    const { account } = found
    const amount = found.amount as Quote
    const { address } = state.accounts.records[account]!
    if (waits(state, account, by, amount))
      return keep(state, log, { ...fromOutside, withdrawal, address, amount, by })
    count(state, account, by, amount)
  }
  makeReturn(state, log, withdrawal)
  return null
}

function waitingOne(
  { credits }: State,
  isIt: (credit: WaitingCredit) => boolean,
): Rejection | null {
  for (const [id, credit] of credits) if (isIt(credit)) return refuse('CREDIT_WAITS', id)
  return null
}

/** `account` is 0 if the deposit would open it. */
function waits(state: State, account: number, by: string, amount: number): boolean {
  const { creditApprovalAbove: limit, accounts, aloneToday, day } = state
  if (limit === null) return false
  const ofOwner = aloneToday.ofOwner(day, accounts.main[account] ?? 0)
  return aloneToday.of('credited', day, by) + amount > limit || ofOwner + amount > limit
}

function count(state: State, account: number, by: string, amount: number): void {
  state.aloneToday.credit(state.day, by, state.accounts.main[account]!, amount)
}

const fromOutside = { source: 0, withdrawal: 0, reference: '' } as const

function keep(state: State, log: EventLog, waiting: Omit<WaitingCredit, 'at'>): Rejection | null {
  let own = 0
  for (const { by } of state.credits.values()) if (by === waiting.by) own += 1
  if (own >= limits.creditsWaitingEach) return refuse('LIMIT_REACHED', limits.creditsWaitingEach)
  if (state.credits.size >= limits.creditsWaiting)
    return refuse('LIMIT_REACHED', limits.creditsWaiting)
  const credit = state.nextCreditId++
  const { by: operator, ...what } = waiting
  state.credits.set(credit, { ...waiting, at: state.atMs })
  log.write({ type: 'CreditHeld', credit, ...what, operator })
  return null
}

export function approveCredit(
  state: State,
  log: EventLog,
  { credit, approver }: CommandOf<'ApproveCredit'>,
): Rejection | null {
  const found = state.credits.get(credit)
  if (found === undefined) return noCredit(credit)
  if (found.by === approver) return refuse('CREDIT_APPROVER_REPEATED', credit)
  const refusal = madeRefusal(state, found) ?? textRefusal(approver)
  if (refusal !== null) return refusal
  state.credits.delete(credit)
  log.write({ type: 'CreditApproved', credit, approver })
  if (found.withdrawal !== 0) makeReturn(state, log, found.withdrawal)
  else if (found.source !== 0) moveReserve(state, log, moveOf(state, found))
  else makeDeposit(state, log, found)
  return null
}

/** Checks a held credit against the current state. A return is held only while its withdrawal is
 *  pending, so it needs no check. */
function madeRefusal(state: State, found: WaitingCredit): Rejection | null {
  if (found.withdrawal !== 0) return null
  return found.source === 0
    ? depositRefusal(state, found)
    : moveRefusal(state, moveOf(state, found))
}

/** The move of reserves that a held credit will execute, or `null` if the credit is not a move. */
export function waitingMove(
  state: State,
  credit: number,
): (ReserveMove & Readonly<{ type: 'MoveReserve' }>) | null {
  const found = state.credits.get(credit)
  if (found === undefined || found.source === 0) return null
  return { type: 'MoveReserve', ...moveOf(state, found) }
}

/** Accounts are never closed, so the address still exists. */
function moveOf({ accounts }: State, { source, address, amount }: WaitingCredit): ReserveMove {
  return { from: source as AccountId, to: accounts.byAddress.get(address) as AccountId, amount }
}

export function dropCredit(
  state: State,
  log: EventLog,
  { credit }: CommandOf<'DropCredit'>,
): Rejection | null {
  if (!state.credits.delete(credit)) return noCredit(credit)
  log.write({ type: 'CreditDropped', credit })
  return null
}

function noCredit(credit: number): Rejection {
  return refuse('CREDIT_NOT_FOUND', Number.isSafeInteger(credit) ? credit : 0)
}
