// The three markets of the demonstration, and where their prices start.

import type { MarketParams } from '../core/markets/market-params.ts'
import type { Lots, Ppm, Quote, Ticks } from '../units/units.ts'

export const BTC = 1
export const ETH = 2
export const SOL = 3

/** Where the price starts, in ticks. */
export type Listing = Readonly<{ params: MarketParams; ticks: number }>

const shared = {
  tickMin: 1 as Ticks,
  leverageMax: 50,
  isolatedOnly: false,
  orderValueMin: 1_000_000 as Quote,
  orderValueMax: 1_000_000_000_000 as Quote,
  bandNearPpm: 50_000 as Ppm,
  bandFarPpm: 500_000 as Ppm,
  speedBumpMs: 0,
  openInterestMax: 1_000_000_000 as Lots,
  openInterestLower: 0 as Quote,
  openInterestUpper: 0 as Quote,
  maintenanceTiers: [],
  impactValue: 5_000_000_000 as Quote,
  backstopValueMax: 1_000_000_000_000 as Quote,
  backstopDailyLossMax: 1_000_000_000_000 as Quote,
} as const

type Grid = Pick<MarketParams, 'baseAsset' | 'tickSize' | 'lotSize'>

function listing(grid: Grid, ticks: number): Listing {
  const symbol = `${grid.baseAsset}-USD`
  const tickMax = (10 * ticks) as Ticks
  return {
    ticks,
    params: { ...shared, ...grid, symbol, tickMax, backstopAddress: `backstop ${symbol}` },
  }
}

/** By market id, from 1. */
export const listings: readonly Listing[] = [
  listing(
    { baseAsset: 'BTC', tickSize: { value: 1, scale: 0 }, lotSize: { value: 1, scale: 5 } },
    60_000,
  ),
  listing(
    { baseAsset: 'ETH', tickSize: { value: 1, scale: 1 }, lotSize: { value: 1, scale: 3 } },
    30_000,
  ),
  listing(
    { baseAsset: 'SOL', tickSize: { value: 1, scale: 2 }, lotSize: { value: 1, scale: 2 } },
    15_000,
  ),
]

export function paramsOf(market: number): MarketParams {
  return listings[market - 1]!.params
}
