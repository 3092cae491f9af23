// The exchange's own money: what an operator moves (MARKET-3), and the fund's part of the fees
// (FEE-4).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { moneyAfter } from '../accounts/accounts.ts'
import { accountOf, dayOf, emit, findAccount } from '../core/lookup.ts'
import { income } from '../liquidation/insurance.ts'
import { equityOf, withdrawable } from '../margin/margin.ts'
import { type Account, DEFICIT, FEES, INSURANCE, type Naive } from '../state.ts'
import { floorDiv, given, isIntIn, MILLION, max, min, num, shown } from '../units/numbers.ts'

export const HOUR = 3_600_000

/** What may leave an account. */
function giveable(naive: Naive, account: Account): bigint {
  if (!account.reserved) return max(0n, withdrawable(naive, account))
  if (account.id <= INSURANCE) return account.balance
  return max(0n, min(account.balance, equityOf(naive, account, 0)))
}

type Move = Readonly<{ from: number; to: number; amount: number }>

/** MARKET-3 */
export function moveRefusal(naive: Naive, move: Move): Rejection | null {
  const from = findAccount(naive, move.from)
  if (!from) return refuse('ACCOUNT_NOT_FOUND', given(move.from))
  const to = findAccount(naive, move.to)
  if (!to) return refuse('ACCOUNT_NOT_FOUND', given(move.to))
  const both = [from, to]
  const own = both.some((account) => account.reserved)
  if (!own || from === to || both.some(({ id }) => id === DEFICIT)) {
    return refuse('UNSUPPORTED_OPERATION')
  }
  const { amount } = move
  if (!isIntIn(amount, 1, Number.MAX_SAFE_INTEGER)) return refuse('INVALID_AMOUNT', given(amount))
  const most = giveable(naive, from)
  return BigInt(amount) > most ? refuse('FUND_TOO_SMALL', amount, shown(most)) : null
}

/** Nothing is against it. */
export function moveReserve(naive: Naive, fromId: number, toId: number, amount: number): void {
  const from = accountOf(naive, fromId)
  const to = accountOf(naive, toId)
  for (const [account, money] of [
    [from, -BigInt(amount)],
    [to, BigInt(amount)],
  ] as const) {
    account.balance += money
    account.broughtIn += money
    // Neither a gain of the fees nor a loss of the backstop's day.
    if (account.id === FEES) naive.feesCounted += money
    if (account.dayEquity?.day === dayOf(naive.now)) account.dayEquity.equity += money
  }
  emit(naive, {
    type: 'ReserveMoved',
    from: from.id,
    to: to.id,
    amount,
    fromBalance: num(from.balance),
    fromPending: moneyAfter(naive, from).pending,
    toBalance: num(to.balance),
    toPending: moneyAfter(naive, to).pending,
  })
}

/** FEE-4 */
export function setInsuranceShare(
  naive: Naive,
  command: CommandOf<'SetInsuranceShare'>,
): Rejection | null {
  const { sharePpm } = command
  if (!isIntIn(sharePpm, 0, 1_000_000)) return refuse('INVALID_PARAMETER', given(sharePpm))
  naive.insuranceShare = BigInt(sharePpm)
  emit(naive, { type: 'InsuranceShareSet', sharePpm: num(naive.insuranceShare) })
  return null
}

/** LIQ-5 */
export function setFundDailyMax(
  naive: Naive,
  command: CommandOf<'SetFundDailyMax'>,
): Rejection | null {
  const { dailyMax } = command
  if (!isIntIn(dailyMax, 0, 1_000_000)) return refuse('INVALID_PARAMETER', given(dailyMax))
  naive.fundDailyMax = BigInt(dailyMax)
  emit(naive, { type: 'FundDailyMaxSet', dailyMax: num(naive.fundDailyMax) })
  return null
}

/** FEE-4: due work at a full hour. */
export function shareFees(naive: Naive): void {
  if (naive.nextShareAt !== null) naive.nextShareAt += HOUR
  const fees = accountOf(naive, FEES)
  const gained = max(0n, fees.balance - naive.feesCounted)
  const part = min(fees.balance, floorDiv(gained * naive.insuranceShare, MILLION))
  fees.balance -= part
  naive.feesCounted = fees.balance
  if (part === 0n) return
  income(naive, part)
  emit(naive, {
    type: 'FeesShared',
    amount: num(part),
    fees: num(fees.balance),
    fund: num(accountOf(naive, INSURANCE).balance),
    deficit: num(accountOf(naive, DEFICIT).balance),
  })
}
