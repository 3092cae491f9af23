// Parts of the public view of a market (listed-market.ts).

import type { Lots, Ppm, Quote, Ticks, TimeMs } from '../../units/units.ts'
import type { MarketChange } from '../commands/market-params.ts'

export type MarketStatus =
  | 'live'
  | 'catching_up'
  | 'reduce_only'
  | 'stale'
  | 'post_only'
  | 'cancel_only'
  | 'halted'
  | 'settled'

/** What the price allows, regardless of the mode of the market (PRICE-5). */
export type PriceState = 'live' | 'catching_up' | 'stale' | 'cancel_only'

/** One row of the risk tiers (MARGIN-1). */
export type TierView = Readonly<{
  fromValue: Quote
  maxLeverage: number
  /** Maintenance fraction, in deduction form. */
  fractionPpm: Ppm
  deduction: Quote
  /** Initial fraction at the maximum leverage, with the current open interest. */
  initialPpm: Ppm
}>

/** Tiers replaced by an immediate change. Until `until`, maintenance follows the mildest of the old
 *  and new tables (MARGIN-1). */
export type KeptTiers = Readonly<{ until: TimeMs; tiers: readonly TierView[] }>

/** The maintenance in force at each notional: from the current tiers, or from kept tiers if those
 *  are milder (MARGIN-1). */
export type MaintenanceTier = Pick<TierView, 'fromValue' | 'fractionPpm' | 'deduction'>

/** A change that takes effect at that time. Its number is used to cancel it (MARKET-2). */
export type AnnouncedChange = Readonly<{ id: number; at: TimeMs; change: MarketChange }>

export type PriceBand = Readonly<{ least: Ticks; most: Ticks }>

/** A position of an unhealthy scope, at this mark. */
export type UnhealthyPosition = Readonly<{
  lots: Lots
  mark: Ticks
  /** The price that the limit starts from (PRICE-6). */
  fair: Ticks
  /** Equity of the whole scope. */
  equity: Quote
  maintenance: Quote
  /** Consecutive steps without a fill before this one. */
  unfilled: number
}>

export type LiquidationStep = Readonly<{
  lots: Lots
  limit: Ticks
  feePpm: Ppm
  /** Maintenance fraction of the position's tier. */
  fractionPpm: Ppm
  /** Lots that would make the scope healthy, and the maximum that a step closes. */
  need: Lots
  cap: Lots
  /** How far the limit is from the fair price, towards a worse price. */
  slipPpm: Ppm
}>
