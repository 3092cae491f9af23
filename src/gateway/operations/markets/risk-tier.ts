import type { TierView } from '../../../core/index.ts'
import { moneyText, ppmText } from '../../../projections/market-text.ts'
import type { keptTier, riskTier } from '../../../protocol/schemas/market-replies.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'

export function tierWire(tier: TierView): Static<typeof riskTier> {
  return {
    from_value: moneyText(tier.fromValue),
    max_leverage: tier.maxLeverage,
    initial_fraction: ppmText(tier.initialPpm),
    maintenance_fraction: ppmText(tier.fractionPpm),
  }
}

export function keptWire(tier: TierView): Static<typeof keptTier> {
  const { initial_fraction: _, ...kept } = tierWire(tier)
  return kept
}
