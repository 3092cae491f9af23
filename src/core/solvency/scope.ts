// A scope is the unit of liquidation: the cross account, or one isolated position (MARGIN-3). In
// queues a scope is one number: account × 1,024 + the isolated market, or 0.

import { broken } from '../../units/invariant.ts'
import { divFloor } from '../../units/rounding.ts'
import { maintenanceOf } from '../margin/margin.ts'
import { findRow } from '../margin/position-row.ts'
import { isSteady } from '../prices/trading.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

const width = 1_024

export type Scope = Readonly<{
  account: number
  /** 0 for cross. */
  market: number
}>

/** A position of a scope, valued at mark. */
export type ScopePosition = Readonly<{
  row: number
  market: Market
  notional: number
  maintenance: number
}>

/** Equity and maintenance at mark, and the positions by falling maintenance, then market id. */
export type ScopeHealth = Readonly<{
  equity: number
  maintenance: number
  positions: readonly ScopePosition[]
}>

export function scopeNumber(scope: Scope): number {
  return scope.account * width + scope.market
}

export function scopeOf(number: number): Scope {
  const account = divFloor(number, width)
  if (!(account > 0)) broken('a scope is of no account, its number is', number)
  return { account, market: number - account * width }
}

export function scopeOfRow(state: State, row: number): Scope {
  const { positions } = state
  const market = positions.isolated[row] === 1 ? positions.market[row]! : 0
  return { account: positions.account[row]!, market }
}

/** All rows of a scope, with or without a position, by rising market id. */
export function rowsOf(state: State, { account, market }: Scope): number[] {
  const { positions } = state
  if (market !== 0) {
    const row = findRow(state.markets[market]!, account)
    // The row may have become cross while its scope was queued.
    return positions.isolated[row] === 1 ? [row] : []
  }
  const rows: number[] = []
  for (let row = state.accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!)
    if (positions.isolated[row] === 0) rows.push(row)
  return rows
}

export function healthOf(state: State, scope: Scope): ScopeHealth {
  const rows = rowsOf(state, scope)
  const { balance, wallet } = moneyOfScope(state, scope)
  let equity = scope.market === 0 ? balance : wallet
  let maintenance = 0
  const held: ScopePosition[] = []
  for (const row of rows) {
    const lots = state.positions.lots[row]!
    if (lots === 0) continue
    const market = state.markets[state.positions.market[row]!]!
    const value = lots * market.lotValue
    const notional = Math.abs(value)
    const own = maintenanceOf(market, notional)
    equity += value - state.positions.cost[row]!
    maintenance += own
    held.push({ row, market, notional, maintenance: own })
  }
  // Rows come by rising market id, and the sort is stable.
  held.sort((one, other) => other.maintenance - one.maintenance)
  return { equity, maintenance, positions: held }
}

/** The health check of LIQ-1. */
export function isHealthy({ equity, maintenance }: ScopeHealth): boolean {
  return equity >= maintenance
}

/** Positions that a takeover or a deleveraging may close, because the mark of their market can be
 *  trusted. */
export function reachableOf(state: State, { positions }: ScopeHealth): readonly ScopePosition[] {
  return positions.filter(({ market }) => isSteady(state, market))
}

/** Adds money to the scope: the balance, or the wallet of the isolated position. */
export function addToScope(state: State, scope: Scope, amount: number): void {
  const { accounts, positions } = state
  if (scope.market === 0) {
    accounts.balance[scope.account] = accounts.balance[scope.account]! + amount
    return
  }
  const row = findRow(state.markets[scope.market]!, scope.account)
  if (row === 0) broken('money goes to a position that is not there, account', scope.account)
  positions.wallet[row] = positions.wallet[row]! + amount
}

/** The account's balance, and the wallet of the scope's position (0 for the cross account). */
export function moneyOfScope(
  state: State,
  scope: Scope,
): Readonly<{ balance: number; wallet: number }> {
  const balance = state.accounts.balance[scope.account]!
  if (scope.market === 0) return { balance, wallet: 0 }
  const row = findRow(state.markets[scope.market]!, scope.account)
  return { balance, wallet: state.positions.wallet[row]! }
}
