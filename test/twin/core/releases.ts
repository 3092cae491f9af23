// What ends the wait of an order (ORDER-3): the end of its speed bump, or a tick; and the runs of a
// fired stop that goes on (TRIG-3).

import { type Rejection, rejections } from '../../../src/core/commands/rejections.ts'
import { mildPrice } from '../accounts/policies.ts'
import { settleFunding } from '../funding/funding.ts'
import { endOrder, noteLeft, takeOffOrder } from '../orders/endings.ts'
import { isPast } from '../orders/expiry.ts'
import { optionsOf } from '../orders/options.ts'
import type { Draft, Verdict } from '../orders/order-checks.ts'
import * as checks from '../orders/order-checks.ts'
import { awaitTick, badLevel, runOrder, topOfBook } from '../orders/orders.ts'
import { mayTake, stepsAside } from '../orders/times-in-force.ts'
import { forget } from '../orders/unplaced.ts'
import { fairLimit } from '../orders/worst-price.ts'
import { wouldFill } from '../orders/would-fill.ts'
import { bookOf } from '../rule-books.ts'
import type { Deferred, Market, Naive, Order, Stop } from '../state.ts'
import { max, min } from '../units/numbers.ts'
import {
  accountOf,
  bestPrice,
  byId,
  crosses,
  isFresh,
  marketOf,
  otherSide,
  stands,
} from './lookup.ts'
import { unitsAreUsed } from './units.ts'

/** CORE-3, CORE-5: whether one more may begin in this command. */
export function mayRelease(naive: Naive): boolean {
  return naive.released < bookOf(naive).limits.releasesPerCommand && !unitsAreUsed(naive)
}

/** TRIG-3: of the fired stops of a position the first runs. */
export function isBehind(
  naive: Naive,
  { id, account, market }: Pick<Order, 'id' | 'account' | 'market'>,
): boolean {
  return naive.waiting.some((one) => {
    return one.goesOn !== null && one.account === account && one.market === market && one.id < id
  })
}

export function isHeldUp(naive: Naive, order: Order): boolean {
  return order.goesOn !== null && isBehind(naive, order)
}

/** ORDER-3: due work. It is released, or goes on waiting for a tick. */
export function endBump(naive: Naive, order: Order): void {
  const market = marketOf(naive, order.market)
  awaitTick(naive, order)
  if (isHeldUp(naive, order)) return
  const meets = crosses(order.side, limitOf(naive, order), bestPrice(market, otherSide(order.side)))
  if (stands(market) || !mayTake(order.tif) || !meets) releaseOrder(naive, order)
}

/** ORDER-3: due work. No tick came in time. */
export function endWait(naive: Naive, order: Order): void {
  endOrder(naive, order, 'refused', rejections.ORACLE_NOT_AVAILABLE.code)
}

/** ORDER-3: what this tick releases, in order of id, while there is room. */
export function releaseByTick(naive: Naive, market: Market): void {
  const { observedAt } = market
  if (!isFresh(naive, market)) return
  const due = naive.waiting.filter((order) => {
    const known = observedAt === null || observedAt >= order.arrivedAt
    return order.market === market.id && order.awaitsTick && known
  })
  for (const order of due) order.tickDueAt = naive.now
  for (const order of due.sort(byId)) {
    if (!mayRelease(naive)) return
    if (naive.waiting.includes(order)) releaseDue(naive, order)
  }
}

/** The turn of an order that a tick releases. */
export function releaseDue(naive: Naive, order: Order): void {
  order.tickDueAt = null
  if (isHeldUp(naive, order)) return
  naive.released += 1
  releaseOrder(naive, order)
}

/** CORE-5: the turn of an order that runs next. */
export function releaseNext(naive: Naive, order: Order): void {
  awaitTick(naive, order)
  releaseOrder(naive, order)
}

/** ORDER-10: a kept action runs when no order of its batch waits any more. */
export function isReady(naive: Naive, { batch }: Deferred): boolean {
  return naive.waiting.every((order) => order.batch !== batch)
}

/** PRICE-5: what waits in a market that has become stale. */
export function endStale(naive: Naive, market: Market): void {
  const { code } = rejections.ORACLE_NOT_AVAILABLE
  const ends = naive.waiting.filter((one) => one.market === market.id && one.goesOn === null)
  for (const order of ends.sort(byId)) if (!order.ended) endOrder(naive, order, 'refused', code)
  forget(naive, 'refused', ({ action }) => action.market === market.id, code)
}

/** The checks run again for what remains, and it runs or ends. */
function releaseOrder(naive: Naive, order: Order): void {
  if (order.goesOn !== null && !isPast(naive, order)) {
    runAgain(naive, order)
    return
  }
  noteLeft(naive, order)
  // ORDER-10: its batch waits for it no longer, also when its match stops.
  order.batch = null
  settleFunding(naive, accountOf(naive, order.account))
  if (isPast(naive, order)) {
    endOrder(naive, order, 'expired')
    return
  }
  takeOffOrder(naive, order)
  const verdict = checkAgain(naive, order, limitOf(naive, order))
  if (checks.isRefusal(verdict)) {
    endOrder(naive, order, 'refused', rejections[verdict.name].code)
    return
  }
  order.price = verdict.price
  runOrder(naive, order, verdict)
}

/** ORDER-1: of a market order the limit of now, where that is better for its owner than the one it
 *  had. That of a stop that goes on follows the price, as far as its key may. */
function limitOf(naive: Naive, order: Order): bigint {
  const { goesOn, account, market: id, side } = order
  if (!order.isMarket) return order.price
  const market = marketOf(naive, id)
  const price = fairLimit(market, side, order.slippage)
  if (goesOn !== null) return mildPrice(accountOf(naive, account), market, goesOn, { side, price })
  return side === 'bid' ? min(order.price, price) : max(order.price, price)
}

/** TRIG-3: one more run, with events only if it crosses. */
function runAgain(naive: Naive, order: Order): void {
  const market = marketOf(naive, order.market)
  const price = limitOf(naive, order)
  if (!crosses(order.side, price, bestPrice(market, otherSide(order.side)))) return
  settleFunding(naive, accountOf(naive, order.account))
  takeOffOrder(naive, order)
  const verdict = checkAgain(naive, order, price)
  if (checks.isRefusal(verdict)) {
    naive.waiting.push(order)
    return
  }
  order.price = verdict.price
  runOrder(naive, order, verdict)
}

function checkAgain(naive: Naive, order: Order, price: bigint): Verdict | Rejection {
  const account = accountOf(naive, order.account)
  const market = marketOf(naive, order.market)
  const { tickMin, tickMax } = market.rules
  // Refused, it ends at the price that it had.
  const moved = stepsAside(order.tif) ? topOfBook(market, order.side, price) : price
  const outside = moved < tickMin || moved > tickMax
  const draft: Draft = {
    account,
    market,
    side: order.side,
    price: moved,
    size: order.remaining,
    tif: order.tif,
    reduceOnly: order.reduceOnly,
    isMarket: order.isMarket,
    slippage: 0n,
    stage: 'release',
    origin: order.origin,
    waits: false,
    isPart: order.filled > 0n,
    client: order.client,
    takeProfit: [],
    stopLoss: [],
    expireTime: order.expireTime,
    agent: null,
    ...optionsOf(order),
  }
  return (
    checks.tradingRefusal(naive, account, market) ??
    (outside ? badLevel(market, moved) : null) ??
    checks.checkDraft(naive, draft, (limit) => wouldFill(naive, order, limit))
  )
}

/** TRIG-3: a fired stop tries for so long, and no longer than its owner wanted. */
export function lastTime(naive: Naive, { expireTime }: Pick<Stop, 'expireTime'>): number {
  const latest = naive.now + bookOf(naive).triggers.goesOnMs
  return expireTime === null ? latest : Math.min(expireTime, latest)
}
