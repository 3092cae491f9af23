// The books: best prices and levels, exact or aggregated on a coarser grid.

import { divCeil, divFloor } from '../../units/rounding.ts'
import type { Lots, Ticks } from '../../units/units.ts'
import type { Side } from '../../words/order-words.ts'
import type { BookSide } from '../book/book-side.ts'
import type { State } from '../state/state.ts'

export type DepthLevel = Readonly<{ price: Ticks; lots: Lots; orders: number }>
export type Depth = Readonly<{ bids: readonly DepthLevel[]; asks: readonly DepthLevel[] }>

/** Levels of a side, best first, in arrays of the caller. Their length is the maximum number of
 *  levels. */
export type LevelArrays = Readonly<{
  prices: Int32Array
  lots: Float64Array
  orders: Int32Array
}>

export type Offer = Readonly<{ price: Ticks; lots: Lots }>

/** An unknown market has an empty book. */

/** Maximum levels of a side that one read visits, because the exchange pays for the read and others
 *  may have created the levels. A coarse level has at most as many prices as the coarsest grid has
 *  ticks, so the first level is always complete. */
export const levelsRead = 10_000

export class Books {
  private readonly state: State

  constructor(state: State) {
    this.state = state
  }

  /** The best price, or 0 if the side is empty. */
  bestPrice(market: number, side: Side): Ticks {
    return (this.sideOf(market, side)?.bestPrice ?? 0) as Ticks
  }

  /** Total lots of all orders at the best price. */
  bestLots(market: number, side: Side): Lots {
    const found = this.sideOf(market, side)
    const none = found === undefined || found.bestLevel === 0
    return (none ? 0 : this.state.levels.lots[found.bestLevel]!) as Lots
  }

  /** `gather`: ticks per level. Bids are rounded down and asks up, so that no level shows a better
   *  price than its orders have. */
  depth(market: number, levels: number, gather: number): Depth {
    const found = this.state.markets[market]
    if (found === undefined) return { bids: [], asks: [] }
    return {
      bids: sideDepth(this.state, found.bids, levels, gather),
      asks: sideDepth(this.state, found.asks, levels, gather),
    }
  }

  /** Fills the arrays without allocation. Returns the number of levels written. */
  readLevels(market: number, side: Side, into: LevelArrays): number {
    const { levels } = this.state
    const from = this.sideOf(market, side)
    if (from === undefined) return 0
    const count = Math.min(from.count, into.prices.length)
    let level = from.bestLevel
    for (let at = 0; at < count; at++, level = levels.worse[level]!) {
      into.prices[at] = levels.price[level]!
      into.lots[at] = levels.lots[level]!
      into.orders[at] = levels.count[level]!
    }
    return count
  }

  /** The best order of a side that belongs to none of these accounts, among the first `looks`
   *  orders, or null. */
  bestOffer(market: number, side: Side, except: ReadonlySet<number>, looks: number): Offer | null {
    const { orders, levels } = this.state
    let left = looks
    let level = this.sideOf(market, side)?.bestLevel ?? 0
    for (; level !== 0; level = levels.worse[level]!)
      for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
        if (!except.has(orders.account(slot)))
          return { price: orders.price(slot) as Ticks, lots: orders.remaining(slot) as Lots }
        left -= 1
        if (left <= 0) return null
      }
    return null
  }

  private sideOf(market: number, side: Side): BookSide | undefined {
    const found = this.state.markets[market]
    return side === 'bid' ? found?.bids : found?.asks
  }
}

export type BooksView = Readonly<Books>

function sideDepth(state: State, side: BookSide, depth: number, gather: number): DepthLevel[] {
  const { levels } = state
  const found: { price: number; lots: number; orders: number }[] = []
  let looks = 0
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!) {
    const price = gathered(levels.price[level]!, side.sign, gather)
    let last = found.at(-1)
    // An incomplete level is not returned.
    if (looks++ === levelsRead) {
      if (last?.price === price) found.pop()
      break
    }
    if (last?.price !== price) {
      if (found.length === depth) break
      last = { price, lots: 0, orders: 0 }
      found.push(last)
    }
    last.lots += levels.lots[level]!
    last.orders += levels.count[level]!
  }
  return found as unknown as DepthLevel[]
}

function gathered(price: number, sign: number, gather: number): number {
  if (gather === 1) return price
  return (sign > 0 ? divFloor(price, gather) : divCeil(price, gather)) * gather
}
