// What a bot looks at before it acts on a market: positions and orders of the bots, and the best
// that others offer. Reads the state, and keeps nothing.

import { findRow } from '../../core/accounts/position-row.ts'
import type { BookSide } from '../../core/book/book-side.ts'
import type { State } from '../../core/engine.ts'
import type { Market } from '../../core/markets/market.ts'
import { trades } from '../../core/markets/trading.ts'
import { divCeil, divFloor } from '../../units/rounding.ts'
import { MICRO_PER_DOLLAR } from '../../units/units.ts'

export type LiveOrder = Readonly<{ order: number; price: number; remaining: number }>
export type Offer = Readonly<{ price: number; lots: number }>

/** Orders of bots in front of somebody else's are looked through up to this many. */
const looksMax = 200

export const isOpen = (state: State, market: Market): boolean => trades(state, market)

export function positionOf(state: State, market: Market, account: number): number {
  return state.positions.lots[findRow(market, account)]!
}

/** An account's live orders on one side, best price first, then oldest. `side` as in the pool. */
export function ordersOf(
  state: State,
  market: Market,
  account: number,
  side: 0 | 1,
): readonly LiveOrder[] {
  const { orders, positions } = state
  const found: LiveOrder[] = []
  const row = findRow(market, account)
  for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot))
    if (orders.side(slot) === side)
      found.push({
        order: orders.id(slot),
        price: orders.price(slot),
        remaining: orders.remaining(slot),
      })
  const sign = side === 0 ? -1 : 1
  return found.sort((one, other) => (one.price - other.price) * sign || one.order - other.order)
}

/** The best order of a side that is not one of these accounts'; undefined: none in sight. */
export function bestOfOthers(
  state: State,
  side: BookSide,
  bots: ReadonlySet<number>,
): Offer | undefined {
  const { orders, levels } = state
  let looks = 0
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!)
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      if (!bots.has(orders.account(slot)))
        return { price: orders.price(slot), lots: orders.remaining(slot) }
      looks += 1
      if (looks >= looksMax) return undefined
    }
  return undefined
}

/** Lots worth this much at mark, at least what an order must be worth. */
export function lotsFor(market: Market, dollars: number): number {
  const least = divCeil(market.params.orderValueMin, market.lotValue)
  // A tenth above the minimum: the order's price may be below mark.
  const safe = least + divCeil(least, 10)
  return Math.max(safe, divFloor(dollars * MICRO_PER_DOLLAR, market.lotValue))
}
