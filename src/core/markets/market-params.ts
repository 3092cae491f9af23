// What an operator decides about a market. All integers: prices in ticks, money in micro-dollars.

import { divFloor } from '../../units/rounding.ts'
import type { Lots, Ppm, Quote, Ticks } from '../../units/units.ts'

/** A step of the decimal grid: value ÷ 10^scale. */
export type Step = Readonly<{ value: number; scale: number }>

/** From this notional on, the highest leverage of the part above it. */
export type RiskTier = Readonly<{ fromValue: Quote; maxLeverage: number }>

export type MarketParams = Readonly<{
  symbol: string
  baseAsset: string
  tickSize: Step
  lotSize: Step
  tickMin: Ticks
  tickMax: Ticks
  leverageMax: number
  isolatedOnly: boolean
  orderValueMin: Quote
  orderValueMax: Quote
  /** How far beyond mark an order may reach towards the other side (bid above, ask below). */
  bandNearPpm: Ppm
  /** How far it may lie on its own side (bid below, ask above). */
  bandFarPpm: Ppm
  speedBumpMs: number
  openInterestMax: Lots
  /** Most lots of one owner, positions and open orders of all its accounts together. */
  ownerInterestMax: Lots
  /** Where the initial fraction starts and ends to grow with open interest; both 0: never. */
  openInterestLower: Quote
  openInterestUpper: Quote
  /** Tiers above the first, which is (0, leverageMax): rising in value, falling in leverage. */
  riskTiers: readonly RiskTier[]
  impactValue: Quote
  /** With fewer premium samples in its hour, a funding rate is 0 (FUND-2). */
  fundingSamplesMin: number
  /** A price that is older is no price: nothing matches until the next one (PRICE-5). */
  staleAfterMs: number
  /** A price that was observed longer ago is not fresh (PRICE-1). */
  observedWithinMs: number
  /** Fresh sources that a price needs. No rule reads it: the feed does. */
  minSources: number
  backstopAddress: string
  backstopValueMax: Quote
  backstopDailyLossMax: Quote
  /** What a liquidated side pays (LIQ-3): a part of its tier's maintenance fraction, and at most so
   *  much of the value. */
  liquidationFeePartPpm: Ppm
  liquidationFeePpmMax: Ppm
  /** What a liquidation may cost a position, of its maintenance: how far a step goes from mark, and
   *  what goes with a takeover. */
  liquidationConcessionPpm: Ppm
  /** Steps in a row without a fill before the backstop takes over. */
  liquidationDryMax: number
  /** What one step closes at most, unless a part of the position is more. */
  liquidationStepMax: Quote
}>

/** What may change after listing; the steps of the grid, the symbol and the backstop's address may
 *  not. */
export const changeable = [
  'tickMin',
  'tickMax',
  'leverageMax',
  'orderValueMin',
  'orderValueMax',
  'bandNearPpm',
  'bandFarPpm',
  'speedBumpMs',
  'openInterestMax',
  'ownerInterestMax',
  'openInterestLower',
  'openInterestUpper',
  'impactValue',
  'fundingSamplesMin',
  'staleAfterMs',
  'observedWithinMs',
  'minSources',
  'backstopValueMax',
  'backstopDailyLossMax',
  'liquidationFeePartPpm',
  'liquidationFeePpmMax',
  'liquidationConcessionPpm',
  'liquidationDryMax',
  'liquidationStepMax',
] as const satisfies readonly (keyof MarketParams)[]

export type MarketChange = Readonly<
  Partial<Pick<MarketParams, (typeof changeable)[number] | 'riskTiers'>>
>

/** What maintenance and the initial margin follow from (MARGIN-1). */
export type TierParams = Pick<MarketParams, 'leverageMax' | 'riskTiers'>

/** A change that waits; or, with `kept`, tiers that an immediate change replaced, until the
 *  maintenance that they ask for gives way too (MARKET-2). */
export type PendingChange = Readonly<{
  /** Of an announced one, by which it is cancelled: 1, 2, … in each market. Else 0. */
  id: number
  at: number
  change: MarketChange
  kept: Readonly<TierParams> | null
}>

/** What a listing gets that says nothing about it, at the edge: a command says everything. */
export const marketDefaults = {
  fundingSamplesMin: 360,
  staleAfterMs: 4_500,
  observedWithinMs: 1_000,
  minSources: 2,
  liquidationFeePartPpm: 400_000 as Ppm,
  liquidationFeePpmMax: 7_500 as Ppm,
  liquidationConcessionPpm: 500_000 as Ppm,
  liquidationDryMax: 3,
  liquidationStepMax: 100_000_000_000 as Quote,
} as const satisfies Partial<MarketParams>

/** What one owner may hold where a listing says nothing about it. */
export function ownerInterestDefault(openInterestMax: number): Lots {
  return Math.max(1, divFloor(openInterestMax, 4)) as Lots
}

/** The nearest price that an order may have. */
export function nearestPrice({ tickMin, tickMax }: MarketParams, ticks: number): number {
  return Math.max(tickMin, Math.min(tickMax, ticks))
}

export function isChangeable(field: string): boolean {
  return field === 'riskTiers' || changeable.some((name) => name === field)
}
