// The best levels of a book, as they are or gathered on a coarser grid.

import type { BookSide } from '../../core/book/book-side.ts'
import type { State } from '../../core/state/state.ts'
import { divCeil, divFloor } from '../../units/rounding.ts'

export type DepthLevel = Readonly<{ price: number; lots: number; orders: number }>
export type Depth = Readonly<{ bids: readonly DepthLevel[]; asks: readonly DepthLevel[] }>

/** Levels of a side that one read looks at. It costs the exchange, not the reader, and others may
 *  have made them; a coarse level has at most as many prices as the coarsest grid has ticks, so the
 *  first is always whole. */
export const levelsRead = 10_000

/** `gather`: ticks per level. Bids gather downwards and asks upwards, so that no level shows a
 *  better price than its orders have. */
export function bookDepth(state: State, market: number, depth: number, gather: number): Depth {
  const { bids, asks } = state.markets[market]!
  return {
    bids: sideDepth(state, bids, depth, gather),
    asks: sideDepth(state, asks, depth, gather),
  }
}

function sideDepth(state: State, side: BookSide, depth: number, gather: number): DepthLevel[] {
  const { levels } = state
  const found: { price: number; lots: number; orders: number }[] = []
  let looks = 0
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!) {
    const price = gathered(levels.price[level]!, side.sign, gather)
    let last = found.at(-1)
    // What is not read to its end is not told.
    if (looks++ === levelsRead) return last?.price === price ? found.slice(0, -1) : found
    if (last?.price !== price) {
      if (found.length === depth) break
      last = { price, lots: 0, orders: 0 }
      found.push(last)
    }
    last.lots += levels.lots[level]!
    last.orders += levels.count[level]!
  }
  return found
}

function gathered(price: number, sign: number, gather: number): number {
  if (gather === 1) return price
  return (sign > 0 ? divFloor(price, gather) : divCeil(price, gather)) * gather
}
