// Walks the other side of the book for an order (ORDER-2, ORDER-5): best price first, and the
// oldest order first at one price. The sink decides what happens to each order: match.ts writes the
// fills, collect-fills.ts collects them, fits-whole.ts settles them on copies.

import type { BookSide } from '../book/book-side.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { endReasonOf, hasEnded, LIVES } from './ended-orders.ts'

export interface Sink {
  /** If true, every order met leaves the book, so that the best order is always the next one. If
   *  false, the book is not changed. */
  readonly writes: boolean
  /** Maximum units: one for each order met (CORE-5). */
  readonly most: number
  /** For a writing sink: orders that took their place after this time are skipped (PRICE-6). */
  readonly placesUntil: number
  /** Meets an order that has ended but is still in the book, and the reason (ended-orders.ts). */
  meetEnded(state: State, maker: number, reason: number): void
  /** Meets an order of the same owner. The two do not trade. Returns false to stop the walk. */
  meetOwn(state: State, maker: number): boolean
  /** Meets any other order. Returns false to stop the walk. */
  meet(state: State, market: Market, maker: number, price: number): boolean
}

/** Returns true if more orders are within the limit but the units are used up. */
export function walkBook(
  state: State,
  market: Market,
  owner: number,
  side: number,
  limit: number,
  sink: Sink,
): boolean {
  const { orders, levels, accounts } = state
  const sign = side === 0 ? 1 : -1
  const other = side === 0 ? market.asks : market.bids
  let level = other.bestLevel
  let maker = levels.head[level]!
  const { most, writes, placesUntil } = sink
  const until = state.unitsUsed + most
  const passesOver = placesUntil !== Number.POSITIVE_INFINITY
  const someEnded = hasEnded(state)
  while (level !== 0) {
    const price = levels.price[level]!
    if ((price - limit) * sign > 0) return false
    // The places of a level are in order of time, so all orders behind this one are younger still.
    if (passesOver && orders.stageAt(maker) > placesUntil) {
      level = levels.worse[level]!
      maker = levels.head[level]!
      continue
    }
    if (state.unitsUsed >= until) return true
    state.unitsUsed += 1
    const reason = someEnded ? endReasonOf(state, maker) : LIVES
    if (reason !== LIVES) sink.meetEnded(state, maker, reason)
    else if (accounts.main[orders.account(maker)] === owner) {
      if (!sink.meetOwn(state, maker)) return false
    } else if (!sink.meet(state, market, maker, price)) return false
    if (writes) {
      level = passesOver ? levelFrom(state, other, price) : other.bestLevel
      maker = levels.head[level]!
      continue
    }
    maker = orders.levelNext(maker)
    if (maker === 0) {
      level = levels.worse[level]!
      maker = levels.head[level]!
    }
  }
  return false
}

/** Returns the best level that is not better than this price, or 0. Only a walk that skips orders
 *  leaves better levels behind. */
function levelFrom({ levels }: State, side: BookSide, price: number): number {
  let level = side.bestLevel
  if (side.bestPrice === price) return level
  const there = side.levelOf(levels, price)
  if (there !== 0) return there
  while (level !== 0 && (levels.price[level]! - price) * side.sign > 0) level = levels.worse[level]!
  return level
}
