// The insurance fund and the deficit: who pays what liquidation could not (LIQ-5).

import { DEFICIT, INSURANCE } from '../accounts/account-pool.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { addToScope, type Scope } from './scope.ts'
import { touch } from './update-index.ts'

/** Income of the fund fills the deficit first. */
export function addIncome(state: State, amount: number): void {
  const { balance } = state.accounts
  const filled = Math.min(amount, Math.max(0, -balance[DEFICIT]!))
  balance[DEFICIT] = balance[DEFICIT]! + filled
  balance[INSURANCE] = balance[INSURANCE]! + amount - filled
}

/** Takes what the fund has, up to the debt; gives what it took. */
export function payFromFund(state: State, debt: number): number {
  const { balance } = state.accounts
  const paid = Math.min(debt, Math.max(0, balance[INSURANCE]!))
  balance[INSURANCE] = balance[INSURANCE]! - paid
  return paid
}

/** What the fund has, into the scope. */
export function payDebt(state: State, log: EventLog, scope: Scope, debt: number): void {
  const paid = payFromFund(state, debt)
  if (paid === 0) return
  addToScope(state, scope, paid)
  touch(state, scope.account)
  const fund = state.accounts.balance[INSURANCE]!
  log.write({
    type: 'InsurancePaid',
    account: scope.account,
    scope: scope.market,
    amount: paid,
    fund,
  })
}

/** LIQ-5 for the cross scope of an account: a negative balance without positions is paid or
 *  booked. */
export function coverBalance(state: State, log: EventLog, account: number): void {
  const { accounts, positions } = state
  const balance = accounts.balance[account]!
  if (balance >= 0) return
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!)
    if (positions.lots[row] !== 0 && positions.isolated[row] === 0) return
  accounts.balance[account] = 0
  cover(state, log, account, 0, -balance)
}

/** LIQ-5 and MARGIN-6 for a flat isolated row: what is left goes home, what is missing is paid. */
export function closeWallet(state: State, log: EventLog, row: number): void {
  const { accounts, positions } = state
  const wallet = positions.wallet[row]!
  if (wallet === 0 || positions.lots[row] !== 0) return
  const account = positions.account[row]!
  positions.wallet[row] = 0
  if (wallet > 0) accounts.balance[account] = accounts.balance[account]! + wallet
  else cover(state, log, account, positions.market[row]!, -wallet)
}

function cover(state: State, log: EventLog, account: number, scope: number, debt: number): void {
  const { balance } = state.accounts
  const paid = payFromFund(state, debt)
  if (paid > 0)
    log.write({ type: 'InsurancePaid', account, scope, amount: paid, fund: balance[INSURANCE]! })
  if (paid === debt) return
  balance[DEFICIT] = balance[DEFICIT]! - (debt - paid)
  log.write({
    type: 'DeficitBooked',
    account,
    amount: debt - paid,
    deficit: balance[DEFICIT]!,
  })
}
