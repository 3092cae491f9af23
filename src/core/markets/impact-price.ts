// What a book says of the price (FUND-1, PRICE-8): the average price at which the impact value
// could be traded into a side, over orders that takers had the time to hit, and the best price of
// these. Ages of orders are looked at here and nowhere else, off the path of an order. Guarded
// prices use orders of any age (MARGIN-3).

import { divCeil, divFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { ratioFloor } from '../../units/wide.ts'
import type { BookSide } from '../book/book-side.ts'
import { REDUCE_ONLY } from '../orders/order-pool.ts'
import type { State } from '../state/state.ts'
import type { Market } from './market.ts'
import { isLively, stands } from './trading.ts'

/** In micro-ticks; 0 without the depth, and where nobody could hit it. */
export function impactPrice(state: State, market: Market, side: BookSide): number {
  const since = countingSince(state, market)
  return since === null ? 0 : impactSince(state, market, side, since)
}

/** Keeps the gaps between the mark and the impact prices of all orders of the book (MARGIN-3). */
export function keepGaps(state: State, market: Market): void {
  const anyAge = Number.POSITIVE_INFINITY
  const lively = isLively(state, market)
  const impact = (side: BookSide) => (lively ? impactSince(state, market, side, anyAge) : 0)
  const ask = divFloor(impact(market.asks), MICRO_PER_TICK)
  const bid = divCeil(impact(market.bids), MICRO_PER_TICK)
  market.keepGaps(ask, bid, state.atMs)
}

/** Of the orders that have had their place since then, or longer. */
function impactSince(state: State, market: Market, side: BookSide, since: number): number {
  const { levels } = state
  const wanted = market.params.impactValue
  const look = new Look(state, since, market.rules.prices.ordersCounted)
  let left: number = wanted
  let lotsBefore = 0
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!) {
    const price = levels.price[level]!
    const lotValue = price * market.unitValue
    const lots = look.countedLots(level, lotValue, left)
    if (lots * lotValue >= left)
      return ratioFloor([wanted, 1_000_000, price], [lotsBefore * lotValue + left])
    if (look.isOver) return 0
    left -= lots * lotValue
    lotsBefore += lots
  }
  return 0
}

/** The best price at which an order of somebody else than this owner counts, of so many orders that
 *  are looked at; 0: none does. */
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
      // Whoever stands behind it is younger still.
      if (orders.stageAt(slot) > since) break
      const reduces = (orders.flags(slot) & REDUCE_ONLY) !== 0
      if (!reduces && accounts.main[orders.account(slot)] !== owner) return levels.price[level]!
    }
  }
  return 0
}

/** An order that counts has its place since then, or longer; null: no order could be hit. Its age
 *  is that at which the price of the last tick was observed. */
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

/** Goes through the levels of a side, and looks at so many orders at most. */
class Look {
  /** There are orders that it may not look at any more. */
  isOver = false
  private readonly state: State
  private readonly since: number
  private left: number

  constructor(state: State, since: number, most: number) {
    this.state = state
    this.since = since
    this.left = most
  }

  /** Lots of the level in orders that count; maybe not all of them once they are worth `enough`. */
  countedLots(level: number, lotValue: number, enough: number): number {
    const { levels } = this.state
    const plain = levels.reduceOnly[level] === 0 && levels.count[level]! <= this.left
    return plain ? this.fromBothEnds(level) : this.fromTheFirst(level, lotValue, enough)
  }

  /** Those that are old enough stand in front of all others: whichever end is nearer to the first
   *  that is too young finds it. */
  private fromBothEnds(level: number): number {
    const { levels, orders } = this.state
    let first = levels.head[level]!
    let last = levels.tail[level]!
    let old = 0
    let young = 0
    for (let passed = 0; ; passed++) {
      if (orders.stageAt(first) > this.since) {
        this.left -= passed + 1
        return old
      }
      if (orders.stageAt(last) <= this.since) {
        this.left -= levels.count[level]! - Math.max(0, passed - 1)
        return levels.lots[level]! - young
      }
      old += orders.remaining(first)
      young += orders.remaining(last)
      first = orders.levelNext(first)
      last = orders.levelPrev(last)
    }
  }

  private fromTheFirst(level: number, lotValue: number, enough: number): number {
    const { levels, orders } = this.state
    let lots = 0
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      this.isOver = this.left === 0
      if (this.isOver) return lots
      this.left -= 1
      // Whoever stands behind it is younger still.
      if (orders.stageAt(slot) > this.since) return lots
      if ((orders.flags(slot) & REDUCE_ONLY) !== 0) continue
      lots += orders.remaining(slot)
      if (lots * lotValue >= enough) return lots
    }
    return lots
  }
}
