// Equity and maintenance of a scope, the cross account or one isolated position: at marks, at marks
// as far as they count, at guarded prices, and against the oracle (docs/rules/margin.md §3).

import { MICRO_PER_TICK } from '../../units/units.ts'
import { ratioCeil } from '../../units/wide.ts'
import type { Market } from '../markets/market.ts'
import type { State } from '../state/state.ts'
import { countedValue, guardedValue, maintenanceOf } from './margin.ts'

/** Equity and maintenance of a cross account, without what orders need. Reused like the sums. */
export class Health {
  equity = 0
  maintenance = 0
  /** Of `sumHealth` and the counted sums alone. */
  positions = 0
}

/** Of the cross account, at marks. */
export function sumHealth(state: State, account: number, health: Health): void {
  sumCross(state, account, false, health)
}

function sumCross(state: State, account: number, counted: boolean, health: Health): void {
  const { positions } = state
  let equity = state.accounts.balance[account]!
  let maintenance = 0
  let count = 0
  let row = state.accounts.rows[account]!
  while (row !== 0) {
    const lots = positions.lots[row]!
    if (lots !== 0 && positions.isolated[row] === 0) {
      const market = state.markets[positions.market[row]!]!
      const value = counted ? countedValue(market, lots) : lots * market.lotValue
      equity += value - positions.cost[row]!
      maintenance += maintenanceOf(market, value < 0 ? -value : value)
      count += 1
    }
    row = positions.nextOfAccount[row]!
  }
  health.equity = equity
  health.maintenance = maintenance
  health.positions = count
}

/** Of all that an account has, isolated positions too, at marks. */
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

/** The same for the scope of a row: its isolated position, or the cross account. */
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
  health.maintenance = maintenanceOf(market, value < 0 ? -value : value)
}

/** The same at marks as far as they count (MARGIN-3): what decides about a liquidation. */
export function sumCountedScope(state: State, scope: number, health: Health): void {
  const { markets, positions } = state
  if (positions.isolated[scope] === 0)
    return sumCountedAccount(state, positions.account[scope]!, health)
  const market = markets[positions.market[scope]!]!
  const value = countedValue(market, positions.lots[scope]!)
  health.equity = positions.wallet[scope]! + value - positions.cost[scope]!
  health.maintenance = maintenanceOf(market, Math.abs(value))
}

/** Of the cross account. */
export function sumCountedAccount(state: State, account: number, health: Health): void {
  sumCross(state, account, true, health)
}

/** As `sumScope` with guarded equity (MARGIN-3). */
export function sumGuardedScope(state: State, row: number, health: Health): void {
  sumScope(state, row, health)
  health.equity -= guardOf(state, row)
}

/** How much less the positions of a row's scope are worth at guarded prices than at the marks. */
function guardOf(state: State, scope: number): number {
  return sumRows(
    state,
    scope,
    (market, lots) => lots * market.lotValue - guardedValue(market, lots),
  )
}

/** What the positions of a row's scope are worth at guarded prices beyond what they are worth at
 *  the oracle, those that are worth more (MARGIN-5). */
export function guardedAhead(state: State, scope: number): number {
  return sumRows(state, scope, guardedAheadOf)
}

export function guardedAheadOf(market: Market, lots: number): number {
  const lotValue = lots > 0 ? market.longValue : market.shortValue
  return aheadAt(market, lots, lotValue / market.unitValue)
}

/** What lots are worth at this price beyond what they are worth at the oracle, 0 if not more. */
export function aheadAt({ oracle, unitValue }: Market, lots: number, price: number): number {
  const away = price * MICRO_PER_TICK - oracle
  const distance = lots > 0 ? away : -away
  return distance <= 0 ? 0 : ratioCeil([Math.abs(lots), unitValue, distance], [MICRO_PER_TICK])
}

function sumRows(
  state: State,
  scope: number,
  part: (market: Market, lots: number) => number,
): number {
  const { accounts, markets, positions } = state
  const of = (row: number) => part(markets[positions.market[row]!]!, positions.lots[row]!)
  if (positions.isolated[scope] === 1) return of(scope)
  let sum = 0
  let row = accounts.rows[positions.account[scope]!]!
  while (row !== 0) {
    if (positions.isolated[row] === 0) sum += of(row)
    row = positions.nextOfAccount[row]!
  }
  return sum
}
