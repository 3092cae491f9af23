// Prices derived from a book (FUND-1, PRICE-8): the average price for trading the impact value into
// a side, using only orders that takers had time to hit, and the best price of these orders. Ages
// of orders are read only here, off the path of an order. Guarded prices use orders of any age
// (MARGIN-3).

import { divCeil, divFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { ratioFloor } from '../../units/wide.ts'
import type { BookSide } from '../book/book-side.ts'
import { type OrderPool, REDUCE_ONLY } from '../pools/order-pool.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { isLively, stands } from './trading.ts'

/** In micro-ticks; 0 if too few orders count. */
export function impactPrice(state: State, market: Market, side: BookSide): number {
  const since = countingSince(state, market)
  return since === null ? 0 : impactSince(state, market, side, since)
}

/** Keeps the gaps between the mark and the impact prices of all orders of the book (MARGIN-3). */
export function keepGaps(state: State, market: Market): void {
  market.keepGaps(askOfAll(state, market), bidOfAll(state, market), state.atMs)
}

/** The impact price of all asks of any age, in whole ticks (MARGIN-3); 0 if there is none. */
export function askOfAll(state: State, market: Market): number {
  return divFloor(impactOfAll(state, market, market.asks), MICRO_PER_TICK)
}

/** The impact price of all bids of any age. */
export function bidOfAll(state: State, market: Market): number {
  return divCeil(impactOfAll(state, market, market.bids), MICRO_PER_TICK)
}

function impactOfAll(state: State, market: Market, side: BookSide): number {
  const anyAge = Number.POSITIVE_INFINITY
  return isLively(state, market) ? impactSince(state, market, side, anyAge) : 0
}

/** The impact price over orders that have had their place since the given time, or longer. */
function impactSince(state: State, market: Market, side: BookSide, since: number): number {
  const { levels } = state
  const wanted = market.params.impactValue
  const look = { steps: market.rules.prices.impactSteps }
  let left: number = wanted
  let lotsBefore = 0
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!) {
    const price = levels.price[level]!
    const lots = countedLots(state, level, since, look)
    if (look.steps < 0) return 0
    const value = lots * price * market.unitValue
    if (value >= left)
      return ratioFloor([wanted, 1_000_000, price], [lotsBefore * price * market.unitValue + left])
    left -= value
    lotsBefore += lots
  }
  return 0
}

/** Lots of a level in orders that count. Orders that are old enough precede all others, so the
 *  search for the first that is too young runs from both ends and takes as long as the shorter
 *  part. */
function countedLots(state: State, level: number, since: number, look: { steps: number }): number {
  const { levels, orders } = state
  let first = levels.head[level]!
  let last = levels.tail[level]!
  let old = 0
  let young = 0
  while (--look.steps >= 0) {
    if (orders.stageAt(first) > since) return old
    if (orders.stageAt(last) <= since) return levels.plainLots[level]! - young
    old += plainLots(orders, first)
    young += plainLots(orders, last)
    first = orders.levelNext(first)
    last = orders.levelPrev(last)
  }
  return 0
}

function plainLots(orders: OrderPool, slot: number): number {
  return (orders.flags(slot) & REDUCE_ONLY) === 0 ? orders.remaining(slot) : 0
}

/** The best price at which an order of another owner counts, among the first `most` orders, or
 *  0. */
export function countedPrice(
  state: State,
  market: Market,
  side: BookSide,
  owner: number,
  most: number,
): number {
  const { levels, orders, accounts } = state
  const since = countingSince(state, market)
  if (since === null) return 0
  let left = most
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!) {
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      if (left === 0) return 0
      left -= 1
      // All orders behind it are younger.
      if (orders.stageAt(slot) > since) break
      const reduces = (orders.flags(slot) & REDUCE_ONLY) !== 0
      if (!reduces && accounts.main[orders.account(slot)] !== owner) return levels.price[level]!
    }
  }
  return 0
}

/** An order counts if it has had its place since this time, or longer. `null`: no order could be
 *  hit. Ages are measured at the time when the price of the last tick was observed. */
function countingSince(state: State, market: Market): number | null {
  const asOf = stands(market) ? state.atMs : market.observedAt
  const since = asOf - countingAgeMs(market)
  return isLively(state, market) && market.matchesSince <= since ? since : null
}

/** How long an order must have had its place before it counts. */
function countingAgeMs({ params, rules }: Market): number {
  const { countingBumps, countingAgeMsMin } = rules.prices
  return Math.max(countingBumps * params.speedBumpMs, countingAgeMsMin)
}
