// What an order would take from the book as it stands (ORDER-2), and what a match does to open
// interest. Nothing is changed here.

import type { SelfTradeMode, Side, Tif } from '../../../src/words/order-words.ts'
import { accountOf, holdingOf, openInterest, reachable, signOfSide } from '../core/lookup.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Order } from '../state.ts'
import { abs, max, min, signOf } from '../units/numbers.ts'
import { isPast } from './expiry.ts'
import { isTripped } from './protection.ts'
import { mustFill } from './times-in-force.ts'

export type Taken = {
  closeLots: bigint
  closeValue: bigint
  openLots: bigint
  openValue: bigint
  first: { maker: Account; lots: bigint } | null
  /** More is within the limit than was looked at. */
  cut: boolean
}

export const nothingTaken: Taken = {
  closeLots: 0n,
  closeValue: 0n,
  openLots: 0n,
  openValue: 0n,
  first: null,
  cut: false,
}

export type Wish = {
  account: Account
  market: Market
  side: Side
  price: bigint
  size: bigint
  stp: SelfTradeMode
  tif: Tif
}

/** ORDER-2 */
export function collectFills(naive: Naive, wish: Wish): Taken {
  const { account, market, side } = wish
  const held = holdingOf(account, market).lots
  let closable = signOf(held) === -signOfSide(side) ? abs(held) : 0n
  let left = wish.size
  const taken: Taken = { ...nothingTaken }
  const takenFrom: Record<number, bigint> = {}
  const within = reachable(market, side, wish.price)
  for (const order of within) {
    if (left === 0n) break
    taken.cut = order === within[bookOf(naive).limits.ordersWalked]
    if (taken.cut) break
    naive.units += mustFill(wish.tif) ? 3 : 1
    const maker = accountOf(naive, order.account)
    if (isPast(naive, order) || isTripped(naive, order)) continue
    const own = maker.main === account.main
    // ORDER-15: it ends there, and takes nothing behind it.
    if (own && wish.stp !== 'cancel_maker') break
    if (own) continue
    const before = takenFrom[maker.id] ?? 0n
    const lots = min(left, available(maker, market, order, before))
    if (lots <= 0n) continue
    takenFrom[maker.id] = before + lots
    left -= lots
    taken.first ??= { maker, lots }
    const closing = min(closable, lots)
    closable -= closing
    taken.closeLots += closing
    taken.closeValue += closing * order.price * market.K
    taken.openLots += lots - closing
    taken.openValue += (lots - closing) * order.price * market.K
  }
  return taken
}

/** A reduce-only order counts for at most the position its account has left. */
function available(maker: Account, market: Market, order: Order, before: bigint): bigint {
  if (!order.reduceOnly) return order.remaining
  const sign = signOfSide(order.side)
  const position = holdingOf(maker, market).lots + sign * before
  return min(order.remaining, max(0n, -sign * position))
}

export type Match = { market: Market; taker: Account; maker: Account; side: Side; lots: bigint }

/** Open interest after a match, or null if it does not rise above openInterestMax by it. */
export function tooMuchInterest(naive: Naive, match: Match): bigint | null {
  const sign = signOfSide(match.side)
  const taker = holdingOf(match.taker, match.market).lots
  const maker = holdingOf(match.maker, match.market).lots
  const change =
    max(0n, taker + sign * match.lots) -
    max(0n, taker) +
    max(0n, maker - sign * match.lots) -
    max(0n, maker)
  const after = openInterest(naive, match.market) + change
  return change > 0n && after > match.market.rules.openInterestMax ? after : null
}
