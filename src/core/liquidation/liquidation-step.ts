// One liquidation step: a reduce-only IOC order for the lots that would make the scope healthy, up
// to the maximum of a step, and no worse than its bankruptcy price (LIQ-3).

import { broken } from '../../units/invariant.ts'
import { compareProducts } from '../../units/wide.ts'
import { Draft, FROM_LIQUIDATION } from '../drafts/draft.ts'
import { IOC } from '../drafts/times-in-force.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Terms } from '../matching/check-fill.ts'
import { enterOrder, runOrder } from '../orders/run-order.ts'
import { fairPrice } from '../prices/order-prices.ts'
import { isFresh, isLively } from '../prices/trading.ts'
import { coverBalance, coverWallet } from '../solvency/insurance.ts'
import {
  isHealthy,
  rowsOf,
  type Scope,
  type ScopeHealth,
  type ScopePosition,
  scopeNumber,
} from '../solvency/scope.ts'
import type { State } from '../state/state.ts'
import { planStep } from './step-plan.ts'

export function stepOf(state: State, log: EventLog, scope: Scope, health: ScopeHealth): void {
  if (isHealthy(health)) broken('a healthy scope is liquidated, its equity is', health.equity)
  const position = nextStepped(state, health)
  // The exchange does not sell at a stale price (PRICE-6). The next tick queues the scope again.
  if (position === undefined || !isFresh(state, position.market)) return
  const { row, market } = position
  const { equity, maintenance } = health
  const before = state.positions.lots[row]!
  const unfilled = unfilledStepsOf(state, scope)
  const { mark } = market
  const fair = fairPrice(market, before > 0 ? -1 : 1)
  const unhealthy = { lots: before, mark, fair, equity, maintenance, unfilled }
  const { lots, limit, feePpm } = planStep(market, unhealthy)
  log.write({
    type: 'LiquidationStepped',
    account: scope.account,
    market: market.id,
    order: state.nextOrderId,
    lots,
    limit,
  })
  const terms = { checked: false, ample: false, liquidationPpm: feePpm }
  const close = { lots, limit, origin: FROM_LIQUIDATION, terms }
  const stops = closeByForce(state, log, position, close)
  countUnfilledStep(state, scope, stops || state.positions.lots[row] !== before)
  if (scope.market !== 0) coverWallet(state, log, row)
  else coverBalance(state, log, scope.account)
  if (stops) state.liquidationQueue.add(scopeNumber(scope))
}

/** Whether the next action is a step through the book: equity is close enough to maintenance, and
 *  the book has not been empty for too many steps (LIQ-2). */
export function mayStep(state: State, scope: Scope, health: ScopeHealth): boolean {
  const { equity, maintenance } = health
  const { stepEquity, stepMaintenance } = state.rules.liquidation
  const near = compareProducts([stepEquity, equity], [stepMaintenance, maintenance]) >= 0
  const dryMax = nextStepped(state, health)?.market.params.liquidationDryMax ?? 0
  return near && unfilledStepsOf(state, scope) < dryMax
}

/** The position that the next step would close. */
function nextStepped(state: State, health: ScopeHealth): ScopePosition | undefined {
  return health.positions.find(({ market }) => isLively(state, market))
}

/** Number of recent consecutive steps without a fill. */
function unfilledStepsOf(state: State, scope: Scope): number {
  const pool = scope.market === 0 ? state.accounts : state.positions
  const at = scope.market === 0 ? scope.account : rowsOf(state, scope)[0]!
  return state.atMs - pool.unfilledAt[at]! <= state.rules.liquidation.unfilledWindowMs
    ? pool.unfilledSteps[at]!
    : 0
}

function countUnfilledStep(state: State, scope: Scope, filled: boolean): void {
  const pool = scope.market === 0 ? state.accounts : state.positions
  const at = scope.market === 0 ? scope.account : rowsOf(state, scope)[0]!
  if (filled) {
    pool.unfilledSteps[at] = 0
    return
  }
  // Prices may arrive ten times a second, and the book needs time to refill.
  if (state.atMs - pool.unfilledAt[at]! < state.rules.liquidation.unfilledPauseMs) return
  pool.unfilledSteps[at] = Math.min(unfilledStepsCounted, unfilledStepsOf(state, scope) + 1)
  pool.unfilledAt[at] = state.atMs
}

/** Above the limit of any market, and small enough for a byte. */
const unfilledStepsCounted = 255

/** A separate instance, so fields that a close does not set keep the values of a new draft. */
const draft = new Draft()
draft.tif = IOC
draft.isMarket = true
draft.reduceOnly = true

/** A forced order: the lots, the limit, the origin and the terms of the fill. */
export type ForcedClose = Readonly<{ lots: number; limit: number; origin: number; terms: Terms }>

/** Places a reduce-only IOC order without checks. Returns true if its match has stopped
 *  (CORE-5). */
export function closeByForce(
  state: State,
  log: EventLog,
  { row, market }: ScopePosition,
  { lots, limit, origin, terms }: ForcedClose,
): boolean {
  draft.market = market
  draft.account = state.positions.account[row]!
  draft.row = row
  draft.side = state.positions.lots[row]! > 0 ? 1 : 0
  draft.price = limit
  draft.size = lots
  draft.origin = origin
  const slot = enterOrder(state, log, draft)
  return runOrder(state, log, market, slot, true, terms)
}
