// What a book says of the price (FUND-1, PRICE-8): the average price at which the impact value
// could be traded into a side, over orders that takers had the time to hit. Ages of orders are
// looked at here and nowhere else, off the path of an order.

import { ratioFloor } from '../../units/wide.ts'
import type { BookSide } from '../book/book-side.ts'
import { REDUCE_ONLY } from '../orders/order-pool.ts'
import type { State } from '../state/state.ts'
import type { Market } from './market.ts'
import { isLively } from './trading.ts'

/** In micro-ticks; 0 without the depth, and where nobody could hit it. */
export function impactPrice(state: State, market: Market, side: BookSide): number {
  const { levels, orders } = state
  const wanted = market.params.impactValue
  const since = state.atMs - countingAgeMs(market)
  if (!isLively(state, market) || market.matchesSince > since) return 0
  let unseen = market.rules.prices.ordersCounted
  let left: number = wanted
  let lotsBefore = 0
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!) {
    const price = levels.price[level]!
    const lotValue = price * market.unitValue
    let lots = 0
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      if (unseen === 0) return 0
      unseen -= 1
      // Whoever stands behind it is younger still.
      if (orders.stageAt(slot) > since) break
      if ((orders.flags(slot) & REDUCE_ONLY) !== 0) continue
      lots += orders.remaining(slot)
      if (lots * lotValue >= left)
        return ratioFloor([wanted, 1_000_000, price], [lotsBefore * lotValue + left])
    }
    left -= lots * lotValue
    lotsBefore += lots
  }
  return 0
}

/** How long an order must have had its place before it counts. */
function countingAgeMs({ params, rules }: Market): number {
  const { countingBumps, countingAgeMsMin } = rules.prices
  return Math.max(countingBumps * params.speedBumpMs, countingAgeMsMin)
}
