// How far an order may go that names no price (docs/rules/orders.md, ORDER-1; docs/rules/prices.md,
// PRICE-6).

import type { Side } from '../../../src/words/order-words.ts'
import type { Market } from '../state.ts'
import { ceilDiv, clamp, floorDiv, MILLION } from '../units/numbers.ts'

/** Of market orders, fired stops, liquidation steps and backstops: from a newer price, if that is
 *  better. */
export function fairLimit(market: Market, side: Side, slip: bigint): bigint {
  return movedFrom(fairPrice(market, side === 'bid' ? 1n : -1n), market, side, slip)
}

/** Of a buyer (sign 1) or a seller (−1). */
export function fairPrice({ mark, raw, catchingUp }: Market, sign: bigint): bigint {
  if (!catchingUp) return mark
  const newest = sign < 0n ? ceilDiv(raw, MILLION) : floorDiv(raw, MILLION)
  return sign * (mark - newest) > 0n ? newest : mark
}

export function movedFrom(from: bigint, { rules }: Market, side: Side, slip: bigint): bigint {
  const moved =
    side === 'bid'
      ? floorDiv(from * (MILLION + slip), MILLION)
      : ceilDiv(from * (MILLION - slip), MILLION)
  return clamp(moved, rules.tickMin, rules.tickMax)
}
