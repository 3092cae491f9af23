// How old the price of a market is now, and whether its sources agree: what the state alone, which
// is as of the newest entry, does not say. Every page and message has it from here.

import type { MarketParams, MarketView } from '../core/index.ts'
import type { SourcesApart } from '../protocol/words.ts'
import { mulDivFloor } from '../units/rounding.ts'
import { PPM } from '../units/units.ts'
import type { DisputedPrice, Exchange } from './exchange.ts'
import { microPriceText, ppmText } from './market-text.ts'

type Seen = Pick<Exchange, 'settings' | 'wallNow' | 'view'>

/** Since the newest entry of a venue's journal: without prices and orders none may come for an
 *  hour. Below zero: the clock was ahead and has been set right. The clock of a sandbox is its own,
 *  and may stand still. */
export function sinceNewestEntry({ settings, wallNow, view }: Seen): number {
  return settings.mode === 'venue' ? wallNow() - view.atMs : 0
}

export function priceAgeOf(exchange: Seen, { priceAgeMs }: MarketView): number {
  return priceAgeMs + Math.max(0, sinceNewestEntry(exchange))
}

/** Null: the sources of the market agree, as far as they say anything. */
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

/** `4.12`: in hundredths of a percent, rounded down. */
export function percentText(distance: number, whole: number): string {
  const ppm = mulDivFloor(distance, PPM, whole)
  return ppmText(Math.floor(ppm / 100) * 100 * 100)
}
