// The market of the benches: wide bands, no speed bump, and limits that are never reached, so that
// every command of a flow is accepted.

import { type MarketParams, marketDefaults } from '../src/core/commands/market-params.ts'
import { limits } from '../src/core/rules/limits.ts'
import type { Lots, Ppm, Quote, Ticks } from '../src/units/units.ts'

export const params: MarketParams = {
  symbol: 'BTC-USD',
  baseAsset: 'BTC',
  tickSize: { value: 1, scale: 0 },
  lotSize: { value: 1, scale: 5 },
  tickMin: 1 as Ticks,
  tickMax: 200_000 as Ticks,
  leverageMax: 50,
  isolatedOnly: false,
  orderValueMin: 1 as Quote,
  orderValueMax: limits.moneyMax as Quote,
  bandNearPpm: 1_000_000 as Ppm,
  bandFarPpm: 1_000_000 as Ppm,
  speedBumpMs: 0,
  openInterestMax: 1_000_000_000 as Lots,
  ownerInterestMax: (2 ** 52) as Lots,
  openInterestLower: 0 as Quote,
  openInterestUpper: 0 as Quote,
  riskTiers: [],
  impactValue: 1_000_000_000 as Quote,
  ...marketDefaults,
  backstopAddress: 'backstop',
  backstopValueMax: limits.moneyMax as Quote,
  backstopDailyLossMax: limits.moneyMax as Quote,
}
