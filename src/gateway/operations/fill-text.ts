// Fills as text: what the histories of positions and trades both show.

import type { MarketParams } from '../../core/index.ts'
import { averagePriceText } from '../../feeds/market-text.ts'
import type { FillRow } from '../../projections/history/history.ts'

export { fillPriceText } from '../../feeds/market-text.ts'

export function entryPriceText(params: MarketParams, { entryCost, entryLots }: FillRow): string {
  return averagePriceText(params, entryCost, entryLots)
}

/** What it did to the position, forced or not. */
export function withoutForce(kind: string): string {
  return kind.replace(/^force_/, '')
}
