// Credits by hand, above a limit by two operators (ACCT-10).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { accountOf, dayOf, emit } from '../core/lookup.ts'
import { moveRefusal, moveReserve } from '../markets/reserves.ts'
import { badText } from '../orders/order-checks.ts'
import type { Naive } from '../state.ts'
import { given, num } from '../units/numbers.ts'
import { accountAt, depositRefusal, failed, makeDeposit } from './accounts.ts'
import type { Credit } from './approval-state.ts'

/** The amount that one operator credited alone today: in all, or to one owner. */
function creditedToday(naive: Naive, of: { by: string } | { owner: number }): bigint {
  return naive.creditedAlone
    .filter(({ day }) => day === dayOf(naive.now))
    .filter((each) => ('by' in of ? each.by === of.by : each.owner === of.owner))
    .reduce((sum, { amount }) => sum + amount, 0n)
}

function waits(naive: Naive, owner: number | undefined, by: string, amount: number): boolean {
  const limit = naive.creditApprovalAbove
  if (limit === null) return false
  const today = naive.creditedAlone.filter(({ day }) => day === dayOf(naive.now))
  const names = new Set(today.map((each) => each.by))
  if (!names.has(by) && names.size >= limits.operatorsCounted) return true
  const ofOwner = owner === undefined ? 0n : creditedToday(naive, { owner })
  return creditedToday(naive, { by }) + BigInt(amount) > limit || ofOwner + BigInt(amount) > limit
}

const isDeposit = ({ source, withdrawal }: Credit) => source === 0 && withdrawal === 0

function countAlone(naive: Naive, by: string, account: number, amount: number): void {
  const owner = accountOf(naive, account).main
  naive.creditedAlone.push({ day: dayOf(naive.now), by, owner, amount: BigInt(amount) })
}

function keep(naive: Naive, credit: Omit<Credit, 'id'>): Rejection | null {
  if (naive.credits.filter(({ by }) => by === credit.by).length >= limits.creditsWaitingEach) {
    return refuse('LIMIT_REACHED', limits.creditsWaitingEach)
  }
  if (naive.credits.length >= limits.creditsWaiting) {
    return refuse('LIMIT_REACHED', limits.creditsWaiting)
  }
  const id = naive.nextCredit
  naive.nextCredit += 1
  naive.credits.push({ id, ...credit })
  const { by: operator, ...rest } = credit
  emit(naive, { type: 'CreditHeld', credit: id, ...rest, operator })
  return null
}

export function creditDeposit(naive: Naive, command: CommandOf<'CreditDeposit'>): Rejection | null {
  const bad = depositRefusal(naive, command) ?? badText(command.by)
  if (bad) return bad
  const { address, amount, reference, by } = command
  const waiting = naive.credits.find((one) => isDeposit(one) && one.reference === reference)
  if (waiting) return refuse('CREDIT_WAITS', waiting.id)
  if (waits(naive, accountAt(naive, address)?.main, by, amount)) {
    return keep(naive, { source: 0, withdrawal: 0, address, amount, reference, by })
  }
  countAlone(naive, by, makeDeposit(naive, command).id, amount)
  return null
}

export function moveByHand(naive: Naive, command: CommandOf<'MoveReserve'>): Rejection | null {
  const bad = moveRefusal(naive, command)
  if (bad) return bad
  const { from, to, amount, by } = command
  const receiver = accountOf(naive, to)
  if (by !== undefined && !receiver.reserved) {
    const badName = badText(by)
    if (badName) return badName
    const { address } = receiver
    if (waits(naive, receiver.main, by, amount)) {
      return keep(naive, { source: from, withdrawal: 0, address, amount, reference: '', by })
    }
    countAlone(naive, by, to, amount)
  }
  moveReserve(naive, from, to, amount)
  return null
}

/** A payable withdrawal that an operator fails by hand is a credit to its owner. */
export function failWithdrawal(
  naive: Naive,
  command: CommandOf<'FailWithdrawal'>,
): Rejection | null {
  const found = naive.withdrawals.find((one) => one.id === command.withdrawal)
  if (!found) return refuse('WITHDRAWAL_NOT_FOUND', given(command.withdrawal))
  const { by } = command
  const mayBePaid = found.approvers.length >= found.needed
  if (by !== undefined && mayBePaid) {
    const badName = badText(by)
    if (badName) return badName
    const waiting = naive.credits.find((one) => one.withdrawal === found.id)
    if (waiting) return refuse('CREDIT_WAITS', waiting.id)
    const { address, main } = accountOf(naive, found.account)
    const amount = num(found.amount)
    if (waits(naive, main, by, amount)) {
      return keep(naive, {
        ...{ source: 0, withdrawal: found.id, address, amount, reference: '', by },
      })
    }
    countAlone(naive, by, found.account, amount)
  }
  failed(naive, found)
  return null
}

/** The move of a reserve that an approval would make; null: none. */
export function movedBy(naive: Naive, { credit }: CommandOf<'ApproveCredit'>) {
  const found = naive.credits.find(({ id, source }) => id === credit && source !== 0)
  if (!found) return null
  const to = accountAt(naive, found.address)?.id ?? 0
  return { type: 'MoveReserve', from: found.source, to } as const
}

export function approveCredit(
  naive: Naive,
  { credit, approver }: CommandOf<'ApproveCredit'>,
): Rejection | null {
  const found = naive.credits.find(({ id }) => id === credit)
  if (!found) return refuse('CREDIT_NOT_FOUND', given(credit))
  if (found.by === approver) return refuse('CREDIT_APPROVER_REPEATED', credit)
  const { source, withdrawal, address, amount, reference } = found
  const to = accountAt(naive, address)?.id ?? 0
  const moved = source === 0 ? null : { from: source, to, amount }
  const bad = moved
    ? moveRefusal(naive, moved)
    : isDeposit(found) && depositRefusal(naive, { address, amount, reference })
  if (bad) return bad
  const badName = badText(approver)
  if (badName) return badName
  naive.credits = naive.credits.filter((one) => one !== found)
  emit(naive, { type: 'CreditApproved', credit, approver })
  const returned = naive.withdrawals.find(({ id }) => id === withdrawal)
  if (returned) failed(naive, returned)
  else if (moved) moveReserve(naive, source, to, amount)
  else makeDeposit(naive, { address, amount, reference })
  return null
}

export function dropCredit(naive: Naive, { credit }: CommandOf<'DropCredit'>): Rejection | null {
  if (!naive.credits.some(({ id }) => id === credit))
    return refuse('CREDIT_NOT_FOUND', given(credit))
  naive.credits = naive.credits.filter(({ id }) => id !== credit)
  emit(naive, { type: 'CreditDropped', credit })
  return null
}
