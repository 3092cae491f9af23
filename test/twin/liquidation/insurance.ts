// The insurance fund, the deficit, and debts that no one else can pay (LIQ-5).

import { noteLoss } from '../accounts/brake.ts'
import { accountOf, dayOf, emit, holdingOf, marketOf } from '../core/lookup.ts'
import { positionsOf } from '../margin/margin.ts'
import { type Account, DEFICIT, INSURANCE, type Naive } from '../state.ts'
import { floorDiv, MILLION, max, min, num } from '../units/numbers.ts'

/** LIQ-5: income fills the deficit first. */
export function income(naive: Naive, amount: bigint): void {
  const deficit = accountOf(naive, DEFICIT)
  const filled = min(amount, max(0n, -deficit.balance))
  deficit.balance += filled
  accountOf(naive, INSURANCE).balance += amount - filled
}

export function addToScope(naive: Naive, account: Account, scope: number, amount: bigint): void {
  if (scope === 0) account.balance += amount
  else holdingOf(account, marketOf(naive, scope)).wallet += amount
}

/** What the fund may pay now: a part of what it had before the first payment of the day, less
 *  all that it has paid since. */
function payable(naive: Naive): bigint {
  const fund = accountOf(naive, INSURANCE).balance
  const today = naive.fundPayments.filter(({ day }) => day === dayOf(naive.now))
  const most = floorDiv((today[0]?.had ?? fund) * naive.fundDailyMax, MILLION)
  const paid = today.reduce((sum, { amount }) => sum + amount, 0n)
  return min(fund, most - paid)
}

/** The fund pays what it can of a debt into the scope; says how much. */
export function payFromFund(naive: Naive, account: Account, scope: number, debt: bigint): bigint {
  const fund = accountOf(naive, INSURANCE)
  const amount = min(debt, payable(naive))
  if (amount <= 0n) return 0n
  const day = dayOf(naive.now)
  const earlier = naive.fundPayments.filter((payment) => payment.day === day)
  naive.fundPayments = [...earlier, { day, had: fund.balance, amount }]
  fund.balance -= amount
  addToScope(naive, account, scope, amount)
  emit(naive, {
    type: 'InsurancePaid',
    account: account.id,
    scope,
    amount: num(amount),
    fund: num(fund.balance),
    ...moneyOf(naive, account, scope),
  })
  noteLoss(naive, account, scope, amount)
  return amount
}

/** LIQ-5: a scope without a position and below zero is paid by the fund, then by the deficit. */
export function clearDebt(naive: Naive, account: Account, scope: number): void {
  if (positionsOf(naive, account, scope).length > 0) return
  const money = scope === 0 ? account.balance : holdingOf(account, marketOf(naive, scope)).wallet
  if (money >= 0n) return
  const left = -money - payFromFund(naive, account, scope, -money)
  if (left === 0n) return
  const deficit = accountOf(naive, DEFICIT)
  deficit.balance -= left
  addToScope(naive, account, scope, left)
  emit(naive, {
    type: 'DeficitBooked',
    account: account.id,
    scope,
    amount: num(left),
    deficit: num(deficit.balance),
    ...moneyOf(naive, account, scope),
  })
  noteLoss(naive, account, scope, left)
}

function moneyOf(naive: Naive, account: Account, scope: number) {
  const wallet = scope === 0 ? 0n : holdingOf(account, marketOf(naive, scope)).wallet
  return { balance: num(account.balance), wallet: num(wallet) }
}
