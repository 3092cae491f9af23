// An order's way through the other side of the book (ORDER-2, ORDER-5): the best price first, at
// one price the oldest order. The sink decides what happens to each order that is met: match.ts
// writes the fills, collect-fills.ts collects them, fits-whole.ts settles them on copies.

import type { BookSide } from '../book/book-side.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { endReasonOf, hasEnded, LIVES } from './ended-orders.ts'

export interface Sink {
  /** What it meets leaves the book, so that the best order is always the next one. With others the
   *  book stays as it is. */
  readonly writes: boolean
  /** The units that it may use: one for each order that it meets (CORE-5). */
  readonly most: number
  /** Of one that writes: it passes over orders that took their place later (PRICE-6). */
  readonly placesUntil: number
  /** An order that is over but for its turn, whosever it is, and why (ended-orders.ts). */
  meetEnded(state: State, maker: number, reason: number): void
  /** An order of the same owner: the two do not trade. False: it goes no further. */
  meetOwn(state: State, maker: number): boolean
  /** Any other order. False: it has met enough. */
  meet(state: State, market: Market, maker: number, price: number): boolean
}

/** True: it would meet more within the limit, and the units are used. */
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
    // Places of a level are in the order of time: all behind it are younger still.
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

/** The best level that is not better than this price; 0: there is none. Only a walk that passes
 *  over orders leaves better ones behind. */
function levelFrom({ levels }: State, side: BookSide, price: number): number {
  let level = side.bestLevel
  if (side.bestPrice === price) return level
  const there = side.levelOf(levels, price)
  if (there !== 0) return there
  while (level !== 0 && (levels.price[level]! - price) * side.sign > 0) level = levels.worse[level]!
  return level
}
