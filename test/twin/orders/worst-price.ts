// How far an order may go that names no price (docs/rules/orders.md, ORDER-1; docs/rules/prices.md,
// PRICE-6).

import type { Side } from '../../../src/core/commands/commands.ts'
import type { Market } from '../state.ts'
import { ceilDiv, clamp, floorDiv, MILLION } from '../units/numbers.ts'

/** Of market orders, fired stops, liquidation steps and backstops: from a newer price, if that is
 *  better. */
export function fairLimit(market: Market, side: Side, slip: bigint): bigint {
  const { mark, raw, catchingUp } = market
  if (!catchingUp) return movedFrom(mark, market, side, slip)
  const newest = side === 'ask' ? ceilDiv(raw, MILLION) : floorDiv(raw, MILLION)
  const isBetter = side === 'ask' ? newest > mark : newest < mark
  return movedFrom(isBetter ? newest : mark, market, side, slip)
}

export function movedFrom(from: bigint, { rules }: Market, side: Side, slip: bigint): bigint {
  const moved =
    side === 'bid'
      ? floorDiv(from * (MILLION + slip), MILLION)
      : ceilDiv(from * (MILLION - slip), MILLION)
  return clamp(moved, rules.tickMin, rules.tickMax)
}
