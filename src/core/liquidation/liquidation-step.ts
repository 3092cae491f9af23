// One liquidation step: a reduce-only IOC that brings the scope back to health, no worse than its
// bankruptcy price (LIQ-3).

import { divCeil, divFloor } from '../../units/rounding.ts'
import { differenceCeil, ratioCeil, ratioFloor } from '../../units/wide.ts'
import { tierOfValue } from '../accounts/margin.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Market } from '../markets/market.ts'
import { nearestPrice } from '../markets/market-params.ts'
import { isLively } from '../markets/trading.ts'
import type { Terms } from '../matching/judge-fill.ts'
import { Draft, FROM_LIQUIDATION, IOC } from '../orders/draft.ts'
import { enterOrder, runOrder } from '../orders/run-order.ts'
import type { State } from '../state/state.ts'
import { closeWallet, coverBalance } from './insurance.ts'
import { rowsOf, type Scope, type ScopeHealth, type ScopePosition } from './scope.ts'

export function stepOf(state: State, log: EventLog, scope: Scope, health: ScopeHealth): void {
  const position = health.positions.find(({ market }) => isLively(state, market))
  if (position === undefined) return
  const { row, market, notional } = position
  const fraction = tierOfValue(market, notional).fractionPpm
  const feePpm = liquidationFeeOf(market, fraction)
  const lots = stepLots(state, position, health, fraction, feePpm)
  const limit = stepLimit(state, position, health, feePpm)
  const before = state.positions.lots[row]!
  log.write({
    type: 'LiquidationStepped',
    account: scope.account,
    market: market.id,
    order: state.nextOrderId,
    lots,
    limit,
  })
  const terms = { checked: false, liquidationPpm: feePpm }
  closeByForce(state, log, position, { lots, limit, origin: FROM_LIQUIDATION, terms })
  countUnfilledStep(state, scope, state.positions.lots[row] !== before)
  if (scope.market !== 0) closeWallet(state, log, row)
  else coverBalance(state, log, scope.account)
}

/** LIQ-3: the rate that a liquidated side pays, of the maintenance fraction of its tier. */
export function liquidationFeeOf({ rules }: Market, fractionPpm: number): number {
  const { feePpmMax, feeTenths } = rules.liquidation
  return Math.min(feePpmMax, divFloor(feeTenths * fractionPpm, 10))
}

/** The most that one step closes, of a position or of a backstop's. */
export function stepCap({ rules, lotValue }: Market, held: number): number {
  const { stepParts, stepValueMax } = rules.liquidation
  return Math.max(divCeil(held, stepParts), divFloor(stepValueMax, lotValue))
}

function stepLots(
  state: State,
  { row, market }: ScopePosition,
  { equity, maintenance }: ScopeHealth,
  fraction: number,
  feePpm: number,
): number {
  const lotValue = market.lotValue
  const held = Math.abs(state.positions.lots[row]!)
  const { healthPercent } = market.rules.liquidation
  const divisor = healthPercent * fraction - 100 * feePpm
  const money = differenceCeil([healthPercent, maintenance], [100, equity], 1_000_000, divisor)
  const need = divCeil(money, lotValue)
  const lots = Math.min(need, stepCap(market, held), held)
  return (held - lots) * lotValue < market.params.orderValueMin ? held : lots
}

function stepLimit(
  state: State,
  { row, market, notional, maintenance }: ScopePosition,
  health: ScopeHealth,
  feePpm: number,
): number {
  const share = ratioFloor([maintenance, health.equity, 1_000_000], [health.maintenance, notional])
  const slip = share - feePpm
  const limit =
    state.positions.lots[row]! > 0
      ? ratioCeil([market.mark, 1_000_000 - slip], [1_000_000])
      : ratioFloor([market.mark, 1_000_000 + slip], [1_000_000])
  return nearestPrice(market.params, limit)
}

/** Steps in a row without a fill, as far as they are recent. */
export function unfilledStepsOf(state: State, scope: Scope): number {
  const pool = scope.market === 0 ? state.accounts : state.positions
  const at = scope.market === 0 ? scope.account : rowsOf(state, scope)[0]!
  return state.atMs - pool.unfilledAt[at]! <= state.rules.liquidation.unfilledWindowMs
    ? pool.unfilledSteps[at]!
    : 0
}

function countUnfilledStep(state: State, scope: Scope, filled: boolean): void {
  const pool = scope.market === 0 ? state.accounts : state.positions
  const at = scope.market === 0 ? scope.account : rowsOf(state, scope)[0]!
  const steps = filled ? 0 : Math.min(200, unfilledStepsOf(state, scope) + 1)
  pool.unfilledSteps[at] = steps
  pool.unfilledAt[at] = filled ? 0 : state.atMs
}

/** Its own, so what is not said at each close stays as a new draft has it. */
const draft = new Draft()
draft.tif = IOC
draft.reduceOnly = true

/** An order that nobody asked for: how much of a position, at what limit, on whose behalf. */
export type ForcedClose = Readonly<{ lots: number; limit: number; origin: number; terms: Terms }>

/** IOC and reduce-only; it runs without checks. */
export function closeByForce(
  state: State,
  log: EventLog,
  { row, market }: ScopePosition,
  { lots, limit, origin, terms }: ForcedClose,
): void {
  draft.market = market
  draft.account = state.positions.account[row]!
  draft.row = row
  draft.side = state.positions.lots[row]! > 0 ? 1 : 0
  draft.sign = draft.side === 0 ? 1 : -1
  draft.price = limit
  draft.size = lots
  draft.origin = origin
  const slot = enterOrder(state, log, draft)
  runOrder(state, log, market, slot, true, terms)
}
