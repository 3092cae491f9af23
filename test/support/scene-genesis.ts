// What the exchange of a scene starts with.

import type { Genesis } from '../../src/core/state/genesis.ts'
import { paidTiers } from '../twin/scenario.ts'

export function genesisOf(tiers: readonly unknown[] = paidTiers, pricesMayStand = true): Genesis {
  return {
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: tiers as never,
    pricesMayStand,
  }
}
