// The current age of a market's price, and whether its sources agree. The state does not contain
// this, because it is as of the newest entry. All pages and messages use these functions.

import type { MarketParams, MarketView } from '../core/index.ts'
import { microPriceText, ppmText } from '../projections/market-text.ts'
import type { SourcesApart } from '../protocol/words.ts'
import { mulDivFloor } from '../units/rounding.ts'
import { PPM } from '../units/units.ts'
import type { DisputedPrice, Exchange } from './exchange.ts'

type Seen = Pick<Exchange, 'settings' | 'wallNow' | 'view'>

/** Time since the newest entry of a venue's journal, which may be an hour if there are no prices
 *  and orders. Negative if the clock was ahead and has been corrected. A sandbox has its own
 *  clock, which may be stopped. */
export function sinceNewestEntry({ settings, wallNow, view }: Seen): number {
  return settings.mode === 'venue' ? wallNow() - view.atMs : 0
}

export function priceAgeOf(exchange: Seen, { priceAgeMs }: MarketView): number {
  return priceAgeMs + Math.max(0, sinceNewestEntry(exchange))
}

/** Returns `null` if the market's sources that have a price agree. */
export function sourcesApartIn(
  { disputedPrices }: Pick<Exchange, 'disputedPrices'>,
  { id, params }: MarketView,
): SourcesApart | null {
  const found = disputedPrices().find(({ market }) => market === id)
  return found === undefined ? null : apartWire(params, found)
}

function apartWire(params: MarketParams, { lowest, highest, hasPrice }: DisputedPrice) {
  return {
    lowest: microPriceText(params, lowest),
    highest: microPriceText(params, highest),
    percent: percentText(highest - lowest, lowest),
    has_price: hasPrice,
  }
}

/** Formats a fraction as a percentage, such as `4.12`, rounded down to two decimals. */
export function percentText(distance: number, whole: number): string {
  const ppm = mulDivFloor(distance, PPM, whole)
  return ppmText(Math.floor(ppm / 100) * 100 * 100)
}
