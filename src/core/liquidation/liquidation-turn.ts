// The turn of a queued scope: cancels its orders, then takes a step or hands the scope to the
// backstop (LIQ-2). Also the backstop's own turn (LIQ-4).

import { mulPpmFloor } from '../../units/rounding.ts'
import { algosOf } from '../algos/algo-life.ts'
import { stopAlgo } from '../algos/stop-algo.ts'
import { FROM_BACKSTOP } from '../drafts/draft.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { uncheckedTerms } from '../matching/check-fill.ts'
import { cancelSlot, LIQUIDATED } from '../orders/order-life.ts'
import { REDUCE_ONLY } from '../pools/order-pool.ts'
import { askOfAll, bidOfAll } from '../prices/impact-price.ts'
import { fairPrice, limitFrom } from '../prices/order-prices.ts'
import { isFresh } from '../prices/trading.ts'
import { coverBalance, payDebt } from '../solvency/insurance.ts'
import {
  healthOf,
  isHealthy,
  reachableOf,
  rowsOf,
  type Scope,
  type ScopeHealth,
  scopeNumber,
  scopeOf,
} from '../solvency/scope.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { closeByForce, mayStep, stepOf } from './liquidation-step.ts'
import { stepCap } from './step-plan.ts'

export function liquidationTurn(state: State, log: EventLog, number: number): void {
  const scope = scopeOf(number)
  settleFunding(state, log, scope.account)
  const health = healthOf(state, scope)
  if (state.accounts.reserved[scope.account] === 1) return backstopTurn(state, log, scope, health)
  if (isHealthy(health)) return
  log.write({
    type: 'LiquidationStarted',
    account: scope.account,
    scope: scope.market,
    equity: health.equity,
    maintenance: health.maintenance,
  })
  cancelScope(state, log, scope)
  if (mayStep(state, scope, health)) return stepOf(state, log, scope, health)
  if (reachableOf(state, health).length > 0) state.takeoverQueue.add(number)
  else if (health.equity >= 0) stepOf(state, log, scope, health)
}

/** Cancels resting and waiting orders by rising id, except reduce-only orders, which help. Then
 *  ends algos. */
function cancelScope(state: State, log: EventLog, scope: Scope): void {
  const { orders, positions } = state
  const ids: number[] = []
  const rows = rowsOf(state, scope)
  for (const row of rows)
    for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot))
      if ((orders.flags(slot) & REDUCE_ONLY) === 0) ids.push(orders.id(slot))
  for (const id of ids.sort((one, other) => one - other))
    cancelSlot(state, log, orders.slotOf(id), LIQUIDATED, 0)
  for (const algo of algosOf(state, scope.account))
    if (rows.includes(algo.position)) stopAlgo(state, log, algo, 'liquidation')
}

/** The backstop sells its position in parts and near the mark. Below zero the backstop itself is
 *  handed to the fund and deleveraging. */
function backstopTurn(state: State, log: EventLog, scope: Scope, health: ScopeHealth): void {
  const [position] = reachableOf(state, health)
  if (position === undefined) return
  const owed = -health.equity
  if (owed > 0) {
    if (payDebt(state, log, scope, owed) < owed) state.deleverageQueue.add(scopeNumber(scope))
    return
  }
  const { market, row } = position
  // The exchange does not sell at a stale price (PRICE-6).
  if (!isFresh(state, market)) return
  const lots = state.positions.lots[row]!
  const held = Math.abs(lots)
  const most = stepCap(market, held, market.lotValue)
  const limit = backstopLimit(state, market, lots)
  const terms = uncheckedTerms
  const close = { lots: Math.min(held, most), limit, origin: FROM_BACKSTOP, terms }
  const stops = closeByForce(state, log, position, close)
  coverBalance(state, log, scope.account)
  if (stops) state.liquidationQueue.add(scopeNumber(scope))
}

/** The worst price at which the backstop closes these lots: it loses no more than the margin of a
 *  takeover. */
function backstopLimit(state: State, market: Market, lots: number): number {
  const { params, tiers, rules } = market
  const { backstopSlipPpm, backstopPartPpm } = rules.liquidation
  const part = Math.min(params.liquidationConcessionPpm, backstopPartPpm)
  const slip = Math.min(backstopSlipPpm, mulPpmFloor(tiers[0]!.fractionPpm, part))
  const sign = lots > 0 ? -1 : 1
  return limitFrom(market, sign, confirmedPrice(state, market, sign), slip)
}

/** The fair price of PRICE-6, or the price of the whole book where that is better for the backstop.
 *  Quotes that are too young to trade with it show what the older quotes behind them are worth. */
function confirmedPrice(state: State, market: Market, sign: number): number {
  const fair = fairPrice(market, sign)
  if (sign < 0) return Math.max(fair, bidOfAll(state, market))
  const ask = askOfAll(state, market)
  return ask === 0 ? fair : Math.min(fair, ask)
}
