// Prices of orders in a market: whether a price is on the grid, and the worst price of an order
// that follows the mark (ORDER-1, PRICE-6).

import { divCeil, divFloor, mulPpmFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { ratioCeil, ratioFloor } from '../../units/wide.ts'
import { nearestPrice } from '../commands/market-params.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Market } from '../state/market.ts'

export function priceRefusal(market: Market, price: number): Rejection | null {
  if (!Number.isSafeInteger(price)) return refuse('INVALID_TICK_SIZE', 0)
  const { tickMin, tickMax } = market.params
  if (price >= tickMin && price <= tickMax) return null
  return refuse('INVALID_TICK_LEVEL', price, tickMin, tickMax)
}

/** The worst price of a market order: the fair price moved against the order by this slippage,
 *  within the market's prices (ORDER-1). */
export function worstPrice(market: Market, sign: number, slippagePpm: number): number {
  const fair = fairPrice(market, sign)
  return nearestPrice(market.params, fair + sign * mulPpmFloor(fair, slippagePpm))
}

/** PRICE-6: where the limit of an order without a price starts. While the market catches up, this
 *  is the newest price if it is better for the owner than the mark. */
export function fairPrice({ mark, raw, catchingUp }: Market, sign: number): number {
  if (!catchingUp) return mark
  return sign > 0
    ? Math.min(mark, divFloor(raw, MICRO_PER_TICK))
    : Math.max(mark, divCeil(raw, MICRO_PER_TICK))
}

/** A fair price moved against the order by `slipPpm` (negative: towards a better price), within the
 *  market's prices. */
export function limitFrom(market: Market, sign: number, fair: number, slipPpm: number): number {
  const limit =
    sign > 0
      ? ratioFloor([fair, 1_000_000 + slipPpm], [1_000_000])
      : ratioCeil([fair, 1_000_000 - slipPpm], [1_000_000])
  return nearestPrice(market.params, limit)
}
