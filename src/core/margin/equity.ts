// Equity and maintenance of a scope (the cross account or one isolated position), at mark and at
// guarded prices (docs/rules/margin.md §3).

import type { State } from '../state/state.ts'
import { guardedValue, maintenanceOf } from './margin.ts'

/** Equity and maintenance of a scope, without the margin of open orders. Reused like the sums. */
export class Health {
  equity = 0
  maintenance = 0
  /** Guarded equity without kept gaps. Set when `equity` is guarded. */
  ungapped = 0
  /** Set by `sumHealth` only. */
  positions = 0
}

/** Sums the cross account, at mark. */
export function sumHealth(state: State, account: number, health: Health): void {
  const { positions } = state
  let equity = state.accounts.balance[account]!
  let maintenance = 0
  let count = 0
  let row = state.accounts.rows[account]!
  while (row !== 0) {
    const lots = positions.lots[row]!
    if (lots !== 0 && positions.isolated[row] === 0) {
      const market = state.markets[positions.market[row]!]!
      const value = lots * market.lotValue
      equity += value - positions.cost[row]!
      maintenance += maintenanceOf(market, Math.abs(value))
      count += 1
    }
    row = positions.nextOfAccount[row]!
  }
  health.equity = equity
  health.maintenance = maintenance
  health.positions = count
}

/** Equity of the whole account, including isolated positions, at mark. */
export function wholeEquity({ accounts, markets, positions }: State, account: number): number {
  let equity = accounts.balance[account]!
  let row = accounts.rows[account]!
  while (row !== 0) {
    const value = positions.lots[row]! * markets[positions.market[row]!]!.lotValue
    equity += positions.wallet[row]! + value - positions.cost[row]!
    row = positions.nextOfAccount[row]!
  }
  return equity
}

/** Sums the scope of a row: its isolated position, or the cross account. */
export function sumScope(state: State, row: number, health: Health): void {
  const { accounts, positions } = state
  const account = positions.account[row]!
  const alone = accounts.rows[account] === row && positions.nextOfAccount[row] === 0
  if (!alone && positions.isolated[row] === 0) {
    sumHealth(state, account, health)
    return
  }
  const market = state.markets[positions.market[row]!]!
  const cash = positions.isolated[row] === 1 ? positions.wallet[row]! : accounts.balance[account]!
  const value = positions.lots[row]! * market.lotValue
  health.equity = cash + value - positions.cost[row]!
  health.maintenance = maintenanceOf(market, Math.abs(value))
}

/** Like `sumScope`, with guarded equity (MARGIN-3). */
export function sumGuardedScope(state: State, scope: number, health: Health): void {
  sumScope(state, scope, health)
  health.ungapped = health.equity
  const { accounts, positions } = state
  if (positions.isolated[scope] === 1) return guard(state, scope, health)
  let row = accounts.rows[positions.account[scope]!]!
  while (row !== 0) {
    if (positions.isolated[row] === 0) guard(state, row, health)
    row = positions.nextOfAccount[row]!
  }
}

/** Subtracts the difference between a position's value at mark and at guarded prices. */
function guard({ markets, positions }: State, row: number, health: Health): void {
  const market = markets[positions.market[row]!]!
  const lots = positions.lots[row]!
  const value = lots * market.lotValue
  health.equity -= value - guardedValue(market, lots)
  health.ungapped -= value - lots * (lots > 0 ? market.longUngapped : market.shortUngapped)
}
