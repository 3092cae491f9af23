// Prices of orders in a market: whether one is on its grid, and the worst one of a market order
// (ORDER-1).

import { mulPpmFloor } from '../../units/rounding.ts'
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
  const price =
    sign > 0
      ? market.mark + mulPpmFloor(market.mark, slippagePpm)
      : market.mark - mulPpmFloor(market.mark, slippagePpm)
  return nearestPrice(market.params, price)
}
