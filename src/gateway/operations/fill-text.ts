// Fills as text: what the histories of positions and trades both show.

import type { MarketParams } from '../../core/markets/market-params.ts'
import type { FillRow } from '../../projections/history/history.ts'
import { averagePriceText, priceText } from '../market-text.ts'

/** A deleveraging has no whole tick: its price is its value divided by its lots. */
export function fillPriceText(params: MarketParams, { price, value, lots }: FillRow): string {
  return price === 0 ? averagePriceText(params, value, lots) : priceText(params, price)
}

export function entryPriceText(params: MarketParams, { entryCost, entryLots }: FillRow): string {
  return averagePriceText(params, entryCost, entryLots)
}

/** What it did to the position, forced or not. */
export function withoutForce(kind: string): string {
  return kind.replace(/^force_/, '')
}
