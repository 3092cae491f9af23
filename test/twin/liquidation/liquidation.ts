// Which scopes are liquidated, and the steps that do it through the book (LIQ-1 to LIQ-3).

import {
  accountOf,
  byId,
  emit,
  isFresh,
  isLively,
  isSettledDown,
  marketOf,
  ordersOf,
} from '../core/lookup.ts'
import type { Position } from '../margin/margin.ts'
import * as margin from '../margin/margin.ts'
import { endAll, stopAlgo } from '../orders/endings.ts'
import { noOptions } from '../orders/options.ts'
import type { Draft } from '../orders/order-checks.ts'
import { emitPlaced } from '../orders/order-events.ts'
import { makeOrder, runOrder } from '../orders/orders.ts'
import { fairLimit } from '../orders/worst-price.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Order, Scope } from '../state.ts'
import { abs, BILLION, ceilDiv, floorDiv, MILLION, max, min, num } from '../units/numbers.ts'
import { clearDebt } from './insurance.ts'

export function isQueued(queue: Scope[], scope: Scope): boolean {
  return queue.some((one) => one.account === scope.account && one.scope === scope.scope)
}

export function enqueue(queue: Scope[], scope: Scope): void {
  if (!isQueued(queue, scope)) queue.push(scope)
}

/** LIQ-1: after a tick of a lively market. */
export function queueLiquidations(naive: Naive, market: Market): void {
  const found: { scope: Scope; ratio: bigint }[] = []
  for (const account of naive.accounts) {
    if (account.reserved || (account.holdings[market.id]?.lots ?? 0n) === 0n) continue
    const scope = margin.scopeIn(account, market)
    const { equity, maintenance } = margin.healthOf(naive, account, scope)
    if (equity >= maintenance) continue
    const ratio = floorDiv(equity * BILLION, maintenance)
    found.push({ scope: { account: account.id, scope }, ratio })
  }
  found.sort((a, b) => {
    if (a.ratio !== b.ratio) return a.ratio < b.ratio ? -1 : 1
    return a.scope.account - b.scope.account
  })
  const waits = (scope: Scope): boolean => {
    return isQueued(naive.takeoverQueue, scope) || isQueued(naive.deleverageQueue, scope)
  }
  for (const { scope } of found) if (!waits(scope)) enqueue(naive.liquidationQueue, scope)
  const backstop = accountOf(naive, market.backstop)
  if ((backstop.holdings[market.id]?.lots ?? 0n) === 0n) return
  const own = { account: backstop.id, scope: 0 }
  if (!waits(own)) enqueue(naive.liquidationQueue, own)
}

/** LIQ-2, of an account that is not a backstop; its funding has been settled. */
export function liquidate(naive: Naive, account: Account, scope: number): void {
  const { equity, maintenance } = margin.healthOf(naive, account, scope)
  if (equity >= maintenance) return
  emit(naive, {
    type: 'LiquidationStarted',
    account: account.id,
    scope,
    equity: num(equity),
    maintenance: num(maintenance),
  })
  endOrdersOf(naive, account, scope)
  const rules = bookOf(naive).liquidation
  const unfilled = dryCount(naive, account, scope)
  const sound = reachesAny(naive, account, scope)
  const bears = BigInt(rules.stepEquity) * equity >= BigInt(rules.stepMaintenance) * maintenance
  const next = steppedNext(naive, account, scope)
  if (!next) return
  if (bears && unfilled < next.market.rules.liquidation.dryMax) step(naive, account, scope)
  else if (sound) enqueue(naive.takeoverQueue, { account: account.id, scope })
  else if (equity >= 0n) step(naive, account, scope)
}

/** LIQ-2: a position that can be closed outside the book: its market lively, not catching up. */
export function canReach(naive: Naive, { market }: Position): boolean {
  return isSettledDown(naive, market)
}

export function reachesAny(naive: Naive, account: Account, scope: number): boolean {
  return margin.positionsOf(naive, account, scope).some((one) => canReach(naive, one))
}

function endOrdersOf(naive: Naive, account: Account, scope: number): void {
  const inScope = (one: { market: number }): boolean => {
    return margin.scopeIn(account, marketOf(naive, one.market)) === scope
  }
  const orders = ordersOf(naive, account, null).filter((one) => inScope(one) && !one.reduceOnly)
  endAll(naive, orders, 'liquidation')
  const algos = naive.algos.filter((algo) => algo.account === account.id && inScope(algo))
  for (const algo of algos.sort(byId)) stopAlgo(naive, algo, 'liquidation')
}

/** Largest maintenance first, then lowest market id. */
export function byMaintenance(positions: Position[]): Position[] {
  return [...positions].sort((a, b) => {
    const one = margin.maintenanceOf(a.market, a.holding.lots)
    const other = margin.maintenanceOf(b.market, b.holding.lots)
    if (one !== other) return one > other ? -1 : 1
    return a.market.id - b.market.id
  })
}

export type StepPlan = { lots: bigint; limit: bigint; feePpm: bigint; need: bigint }

/** LIQ-3: how much of this position, and down (or up) to which price. */
export function planStep(naive: Naive, account: Account, scope: number, on: Position): StepPlan {
  const { market, holding } = on
  const { equity, maintenance } = margin.healthOf(naive, account, scope)
  const size = abs(holding.lots)
  const notional = margin.valueAtMark(market, size)
  const fraction = margin.maintenanceFraction(market, notional)
  const { feePart, feeMax, concession } = market.rules.liquidation
  const feePpm = min(feeMax, floorDiv(feePart * fraction, MILLION))
  const aim = BigInt(bookOf(naive).liquidation.healthPercent)
  const value = ceilDiv(
    (aim * maintenance - 100n * equity) * MILLION,
    aim * fraction - 100n * feePpm,
  )
  const unit = market.mark * market.K
  const need = ceilDiv(value, unit)
  let lots = min(min(need, stepCap(market, size)), size)
  if ((size - lots) * unit < market.rules.orderValueMin) lots = size
  const own = margin.maintenanceOf(market, size)
  const bankruptcy = floorDiv(own * equity * MILLION, maintenance * notional) - feePpm
  let slip = min(bankruptcy, floorDiv(own * concession, notional))
  // The first of a row uses half the limit.
  const half = floorDiv(slip, 2n)
  if (half > 0n && dryCount(naive, account, scope) === 0) slip = half
  const limit = limitAway(market, holding.lots, slip)
  return { lots, limit, feePpm, need }
}

/** LIQ-2: steps in a row without a fill, as far as they are recent. */
function dryCount(naive: Naive, account: Account, scope: number): number {
  const last = account.unfilled[scope] ?? { count: 0, at: 0 }
  return naive.now - last.at <= bookOf(naive).liquidation.unfilledWindowMs ? last.count : 0
}

export function stepCap(market: Market, size: bigint): bigint {
  const parts = BigInt(bookOf(market).liquidation.stepParts)
  const worth = floorDiv(market.rules.liquidation.step, market.mark * market.K)
  return max(ceilDiv(size, parts), worth)
}

/** The fair price moved by this many ppm against the closing side. */
export function limitAway(market: Market, position: bigint, ppm: bigint): bigint {
  return fairLimit(market, position > 0n ? 'ask' : 'bid', ppm)
}

/** LIQ-3, 1: what a step would close. */
function steppedNext(naive: Naive, account: Account, scope: number): Position | undefined {
  const open = margin.positionsOf(naive, account, scope)
  return byMaintenance(open.filter(({ market }) => isLively(naive, market)))[0]
}

/** LIQ-3 */
export function step(naive: Naive, account: Account, scope: number): void {
  const on = steppedNext(naive, account, scope)
  if (!on) return
  if (!isFresh(naive, on.market)) return
  const plan = planStep(naive, account, scope, on)
  emit(naive, {
    type: 'LiquidationStepped',
    account: account.id,
    market: on.market.id,
    order: naive.nextOrder,
    lots: num(plan.lots),
    limit: num(plan.limit),
  })
  const { order, stopped } = forceOrder(naive, account, on, plan, 'liquidation')
  if (order.filled > 0n || stopped) {
    account.unfilled[scope] = { count: 0, at: account.unfilled[scope]?.at ?? 0 }
  } else {
    const { unfilledWindowMs, unfilledPauseMs } = bookOf(naive).liquidation
    const unfilled = account.unfilled[scope] ?? { count: 0, at: 0 }
    const since = naive.now - unfilled.at
    const count = since <= unfilledWindowMs ? unfilled.count : 0
    if (since >= unfilledPauseMs) {
      account.unfilled[scope] = { count: Math.min(count + 1, 255), at: naive.now }
    }
  }
  clearDebt(naive, account, scope)
  if (stopped) enqueue(naive.liquidationQueue, { account: account.id, scope })
}

/** An IOC reduce-only order of the exchange itself, which no check holds back. */
export function forceOrder(
  naive: Naive,
  account: Account,
  on: Position,
  plan: { lots: bigint; limit: bigint; feePpm: bigint },
  origin: 'liquidation' | 'backstop',
): { order: Order; stopped: boolean } {
  const draft: Draft = {
    account,
    market: on.market,
    side: on.holding.lots > 0n ? 'ask' : 'bid',
    price: plan.limit,
    size: plan.lots,
    tif: 'IOC',
    reduceOnly: true,
    isMarket: true,
    stage: 'trigger',
    origin,
    waits: false,
    client: null,
    takeProfit: [],
    stopLoss: [],
    expireTime: null,
    slippage: 0n,
    agent: null,
    ...noOptions,
  }
  const order = makeOrder(naive, draft, { parent: 0 })
  order.liquidationPpm = plan.feePpm
  naive.nextOrder += 1
  emitPlaced(naive, order, false)
  const verdict = { price: order.price, onlyReduces: true, fillable: true }
  return { order, stopped: runOrder(naive, order, verdict) }
}

/** LIQ-1: the price shown to the account; null: none. */
export function liquidationPrice(naive: Naive, account: Account, market: Market): bigint | null {
  const scope = margin.scopeIn(account, market)
  const lots = account.holdings[market.id]?.lots ?? 0n
  if (lots === 0n) return null
  const others =
    margin.maintenanceOfScope(naive, account, scope) - margin.maintenanceOf(market, lots)
  const equity = margin.equityOf(naive, account, scope)
  const fraction = margin.maintenanceFraction(market, margin.valueAtMark(market, lots))
  const over = (others - equity + lots * market.K * market.mark) * MILLION
  const under = market.K * (lots * MILLION - abs(lots) * fraction)
  const price = lots > 0n ? ceilDiv(over, under) : floorDiv(over, under)
  return price <= 0n || price > market.rules.tickMax ? null : price
}
