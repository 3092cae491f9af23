// The insurance fund and the deficit: they cover losses that liquidation could not (LIQ-5).

import { broken } from '../../units/invariant.ts'
import { mulPpmFloor } from '../../units/rounding.ts'
import type { EventLog } from '../events/event-log.ts'
import { DEFICIT, INSURANCE } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'
import { noteLoss } from './brake.ts'
import { addToScope, moneyOfScope, type Scope } from './scope.ts'
import { touch } from './update-index.ts'

/** Income of the fund reduces the deficit first. */
export function addIncome(state: State, amount: number): void {
  const { balance } = state.accounts
  if (!(amount >= 0)) broken('the insurance fund gets less than nothing', amount)
  if (!(balance[INSURANCE]! >= 0)) broken('the insurance fund is below zero', balance[INSURANCE]!)
  if (!(balance[DEFICIT]! <= 0)) broken('the deficit is above zero', balance[DEFICIT]!)
  const filled = Math.min(amount, Math.max(0, -balance[DEFICIT]!))
  balance[DEFICIT] = balance[DEFICIT]! + filled
  balance[INSURANCE] = balance[INSURANCE]! + amount - filled
}

/** The maximum that the fund may pay today, and the amount it has already paid. Until its first
 *  payment of the day, the maximum follows its balance. */
export function fundTodayOf(state: State): Readonly<{ max: number; paid: number }> {
  const hasPaid = state.fundDay === state.day
  const start = hasPaid ? state.fundDayStart : state.accounts.balance[INSURANCE]!
  return {
    max: mulPpmFloor(start, state.fundDailyMax),
    paid: hasPaid ? state.fundDayPaid : 0,
  }
}

/** Pays a debt into the scope, up to the balance and the daily maximum of the fund. Returns the
 *  amount. */
export function payDebt(state: State, log: EventLog, scope: Scope, debt: number): number {
  const { balance } = state.accounts
  const { account, market } = scope
  if (!(debt > 0)) broken('the insurance fund pays for no debt', debt)
  const had = balance[INSURANCE]!
  if (!(had >= 0)) broken('the insurance fund pays out of less than nothing', had)
  const today = fundTodayOf(state)
  const amount = Math.min(debt, had, Math.max(0, today.max - today.paid))
  if (amount === 0) return 0
  if (today.paid === 0) {
    state.fundDay = state.day
    state.fundDayStart = had
  }
  state.fundDayPaid = today.paid + amount
  const fund = had - amount
  balance[INSURANCE] = fund
  addToScope(state, scope, amount)
  touch(state, account)
  const after = moneyOfScope(state, scope)
  log.write({ type: 'InsurancePaid', account, scope: market, amount, fund, ...after })
  noteLoss(state, log, { account, market, amount })
  return amount
}

/** LIQ-5 for the cross scope of an account: a negative balance without positions is paid by the
 *  fund or booked as a deficit. */
export function coverBalance(state: State, log: EventLog, account: number): void {
  const { accounts, positions } = state
  const balance = accounts.balance[account]!
  if (balance >= 0) return
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!)
    if (positions.lots[row] !== 0 && positions.isolated[row] === 0) return
  cover(state, log, { account, market: 0 }, -balance)
}

/** LIQ-5 for a flat isolated row: a negative wallet is paid by the fund. */
export function coverWallet(state: State, log: EventLog, row: number): void {
  const { positions } = state
  const wallet = positions.wallet[row]!
  if (wallet >= 0 || positions.lots[row] !== 0) return
  cover(state, log, { account: positions.account[row]!, market: positions.market[row]! }, -wallet)
}

function cover(state: State, log: EventLog, scope: Scope, debt: number): void {
  const { balance } = state.accounts
  const { account, market } = scope
  const amount = debt - payDebt(state, log, scope, debt)
  if (amount === 0) return
  const deficit = balance[DEFICIT]! - amount
  balance[DEFICIT] = deficit
  addToScope(state, scope, amount)
  const after = moneyOfScope(state, scope)
  log.write({ type: 'DeficitBooked', account, scope: market, amount, deficit, ...after })
  noteLoss(state, log, { account, market, amount })
}
