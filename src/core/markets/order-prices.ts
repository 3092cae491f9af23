// Prices of orders in a market: whether one is on its grid, and the worst one of an order that
// follows the mark (ORDER-1, PRICE-6).

import { divCeil, divFloor, mulPpmFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { ratioCeil, ratioFloor } from '../../units/wide.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Market } from './market.ts'
import { nearestPrice } from './market-params.ts'

export function priceRefusal(market: Market, price: number): Rejection | null {
  if (!Number.isSafeInteger(price)) return refuse('INVALID_TICK_SIZE', 0)
  const { tickMin, tickMax } = market.params
  if (price >= tickMin && price <= tickMax) return null
  return refuse('INVALID_TICK_LEVEL', price, tickMin, tickMax)
}

/** Mark moved against the order by this much, inside the market's prices (ORDER-1). */
export function worstPrice(market: Market, sign: number, slippagePpm: number): number {
  const slip = mulPpmFloor(market.mark, slippagePpm)
  return nearestPrice(market.params, market.mark + sign * slip)
}

/** PRICE-6: where the limit of an order starts that its owner does not send. While the market
 *  catches up that is the newest price, if it is better for the owner than the mark. */
export function fairPrice({ mark, raw, catchingUp }: Market, sign: number): number {
  if (!catchingUp) return mark
  return sign > 0
    ? Math.min(mark, divFloor(raw, MICRO_PER_TICK))
    : Math.max(mark, divCeil(raw, MICRO_PER_TICK))
}

/** A fair price moved against the order by this much, towards a better price if that is negative,
 *  inside the market's prices. */
export function limitFrom(market: Market, sign: number, fair: number, slipPpm: number): number {
  const limit =
    sign > 0
      ? ratioFloor([fair, 1_000_000 + slipPpm], [1_000_000])
      : ratioCeil([fair, 1_000_000 - slipPpm], [1_000_000])
  return nearestPrice(market.params, limit)
}

/** The worst price of a fired market stop (TRIG-3). */
export function worstOfStop(market: Market, sign: number, slippagePpm: number): number {
  return limitFrom(market, sign, fairPrice(market, sign), slippagePpm)
}
