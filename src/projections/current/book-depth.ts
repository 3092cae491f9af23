// The best levels of a book, as they are or gathered on a coarser grid.

import type { BookSide } from '../../core/book/book-side.ts'
import type { State } from '../../core/state.ts'
import { divCeil, divFloor } from '../../units/rounding.ts'

export type DepthLevel = Readonly<{ price: number; lots: number; orders: number }>
export type Depth = Readonly<{ bids: readonly DepthLevel[]; asks: readonly DepthLevel[] }>

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
  for (let place = side.count - 1; place >= 0; place--) {
    const level = side.levels[place]!
    const price = gathered(levels.price[level]!, side.sign, gather)
    let last = found.at(-1)
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
