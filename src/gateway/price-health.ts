// Age of a market's price now, and whether its sources agree, which the state, being as of the
// newest entry, does not contain. Every page and message uses this.

import type { MarketParams, MarketView } from '../core/index.ts'
import { microPriceText, ppmText } from '../feeds/market-text.ts'
import type { SourcesApart } from '../protocol/words.ts'
import { mulDivFloor } from '../units/rounding.ts'
import { PPM } from '../units/units.ts'
import type { DisputedPrice, Exchange } from './exchange.ts'

type Seen = Pick<Exchange, 'settings' | 'wallNow' | 'view'>

/** Time since the newest entry of a venue's journal: without prices and orders there may be none
 *  for an hour. Negative if the clock was ahead and has been corrected. A sandbox has its own
 *  clock, which may stand still. */
export function sinceNewestEntry({ settings, wallNow, view }: Seen): number {
  return settings.mode === 'venue' ? wallNow() - view.atMs : 0
}

export function priceAgeOf(exchange: Seen, { priceAgeMs }: MarketView): number {
  return priceAgeMs + Math.max(0, sinceNewestEntry(exchange))
}

/** `null` if the sources of the market agree, as far as they have prices. */
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

/** For instance `4.12`: in hundredths of a percent, rounded down. */
export function percentText(distance: number, whole: number): string {
  const ppm = mulDivFloor(distance, PPM, whole)
  return ppmText(Math.floor(ppm / 100) * 100 * 100)
}
