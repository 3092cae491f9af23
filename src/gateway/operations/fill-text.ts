// Formats fills, for the histories of positions and of trades.

import type { MarketParams } from '../../core/index.ts'
import type { FillRow } from '../../projections/history/history.ts'
import { averagePriceText } from '../../projections/market-text.ts'

export { fillPriceText } from '../../projections/market-text.ts'

export function entryPriceText(params: MarketParams, { entryCost, entryLots }: FillRow): string {
  return averagePriceText(params, entryCost, entryLots)
}

/** The effect of a fill on the position, without whether it was forced. */
export function withoutForce(kind: string): string {
  return kind.replace(/^force_/, '')
}
