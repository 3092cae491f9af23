// Prices and amounts that an embedding program gives as text.

import type { MarketParams } from '../../core/index.ts'
import { microPriceText, parseMicroPrice, parseMoney } from '../../projections/market-text.ts'

/** Prices in millionths of a tick. */
export function microPricesOf(params: MarketParams, prices: readonly string[]): number[] {
  return prices.map((text) => {
    const parsed = typeof text === 'string' ? parseMicroPrice(params, text) : null
    if (parsed?.ok && parsed.value > 0) return parsed.value
    throw new RangeError(
      `price ${JSON.stringify(text)} of ${params.symbol} is not text of a positive multiple of ` +
        microPriceText(params, 1),
    )
  })
}

/** A positive amount in micro-dollars. */
export function usdOf(amount: string): number {
  const parsed = typeof amount === 'string' ? parseMoney(amount) : null
  if (parsed?.ok && parsed.value > 0) return parsed.value
  throw new RangeError(`not an amount of USD: ${JSON.stringify(amount)}; text like '1000.5'`)
}
