// What is to be known of a market: what it is, its prices, whether it trades.

import type { Lots, MicroTicks, Ppb, Ppm, Quote, Ticks, TimeMs } from '../../units/units.ts'
import type { Mode, Side, TriggerBy } from '../../words/order-words.ts'
import type { AccountId, MarketId } from '../commands/ids.ts'
import type { MarketChange, MarketParams } from '../commands/market-params.ts'
import type { FundingRules, LiquidationRules } from '../rules/rule-book.ts'

export type MarketStatus =
  | 'live'
  | 'catching_up'
  | 'reduce_only'
  | 'stale'
  | 'post_only'
  | 'cancel_only'
  | 'halted'
  | 'settled'

/** What its price allows, whatever the mode of the market (PRICE-5). */
export type PriceState = 'live' | 'catching_up' | 'stale' | 'cancel_only'

/** One row of the risk tiers (MARGIN-1). */
export type TierView = Readonly<{
  fromValue: Quote
  maxLeverage: number
  /** Of maintenance, in deduction form. */
  fractionPpm: Ppm
  deduction: Quote
  /** Initial fraction of who set the largest leverage, with the open interest of now. */
  initialPpm: Ppm
}>

/** Tiers that an immediate change replaced: until then maintenance is what the mildest table asks
 *  for (MARGIN-1). */
export type KeptTiers = Readonly<{ until: TimeMs; tiers: readonly TierView[] }>

/** At each notional what maintenance is in force: of its tiers, or of kept ones if those are
 *  milder (MARGIN-1). */
export type MaintenanceTier = Pick<TierView, 'fromValue' | 'fractionPpm' | 'deduction'>

/** A change that waits until then; by its number it is cancelled (MARKET-2). */
export type AnnouncedChange = Readonly<{ id: number; at: TimeMs; change: MarketChange }>

export type PriceBand = Readonly<{ least: Ticks; most: Ticks }>

/** A position of an unhealthy scope, at this mark. */
export type UnhealthyPosition = Readonly<{
  lots: Lots
  mark: Ticks
  /** Where its limit starts (PRICE-6). */
  fair: Ticks
  /** Of the whole scope. */
  equity: Quote
  maintenance: Quote
  /** Steps in a row without a fill before this one. */
  unfilled: number
}>

export type LiquidationStep = Readonly<{
  lots: Lots
  limit: Ticks
  feePpm: Ppm
  /** Maintenance of the position's tier. */
  fractionPpm: Ppm
  /** Lots that would make the scope healthy, and the most that a step closes. */
  need: Lots
  cap: Lots
  /** How far the limit is from the fair price, towards a worse price. */
  slipPpm: Ppm
}>

export type MarketView = Readonly<{
  id: MarketId
  params: MarketParams
  listedAt: TimeMs
  backstop: AccountId
  /** The strictest that applies. */
  status: MarketStatus
  /** The stricter of the exchange's and its own. */
  mode: Mode
  priceState: PriceState
  /** The last price was clamped, and its feed may have been lost since (PRICE-1). */
  isCatchingUp: boolean
  /** Of its newest price, now. */
  priceAgeMs: number
  /** When the first of the orders arrived that are over their speed bump and wait for a tick
   *  (ORDER-3): a price that was observed then or later releases it. `null` if none waits. */
  dueArrival: TimeMs | null
  /** Orders are taken: open, not settled, and its feed not lost. */
  trades: boolean
  settled: boolean
  /** Its feed is live; it may be halted all the same. */
  hasLivePrice: boolean
  /** K: micro-dollars of one lot at one tick. */
  unitValue: Quote
  mark: Ticks
  /** Of one lot at mark. */
  lotValue: Quote
  oracle: MicroTicks
  /** The newest price as it came, before the oracle followed it (PRICE-1). */
  raw: MicroTicks
  /** The mark while a side of the book is empty. */
  mid: MicroTicks
  /** Whether the price that a stop watches has reached it (TRIG-1). */
  isReached(by: TriggerBy, stop: Ticks, up: boolean): boolean
  /** Oracle ticks with `jump` so far. */
  jumps: number
  openInterest: Lots
  tiers: readonly TierView[]
  keptTiers: readonly KeptTiers[]
  maintenanceTiers: readonly MaintenanceTier[]
  /** In the order in which they were made. */
  announcedChanges: readonly AnnouncedChange[]
  /** The highest tick that it may have, or be settled at, with the positions and orders of all
   *  accounts (UNITS-4). */
  highestTick: Ticks
  /** Bound of a premium (FUND-1). */
  premiumPpmMax: Ppm
  /** Of the last full hour. */
  fundingRate: Ppb
  /** Of the hour that runs, if it goes on as it began. */
  nextFundingRate: Ppb
  /** The rate never leaves ± this. */
  fundingRateMax: Ppb
  /** Premiums that were sampled in the hour that runs. */
  samples: Readonly<{ count: number; sum: Ppb }>
  fundingRules: FundingRules
  liquidationRules: LiquidationRules
  /** Prices that an order of this side may have now (ORDER-1). */
  bandOf(side: Side): PriceBand
  /** What lots are worth at a price (UNITS-1). */
  valueOf(lots: Lots, price: Ticks): Quote
  /** Impact prices of the last tick; 0: none. */
  impactBid: MicroTicks
  impactAsk: MicroTicks
  /** The price at which a position of this sign backs anything: the mark, or the newest price while
   *  the market catches up, or the kept gap away from the mark, where that is worse for its owner
   *  (MARGIN-3). */
  guardedPrice(lots: number): Ticks
  /** From which a fired stop or a liquidation of these lots computes its limit (PRICE-6). */
  fairPrice(lots: number): Ticks
  /** The largest distance by which the book was worse than the mark for a position of this sign,
   *  and the worst impact price that was; both 0: none is kept (MARGIN-3). */
  keptGap(lots: number): Readonly<{ ticks: Ticks; price: Ticks }>
  /** MARGIN-1. */
  maintenanceOf(value: Quote): Quote
  /** Its own tier; of maintenance, the fraction and the deduction in force. */
  tierOf(value: Quote): TierView
  /** What a liquidation step would close of a position of an unhealthy scope (LIQ-3). */
  liquidationStep(position: UnhealthyPosition): LiquidationStep
  /** The rate that a liquidated side pays, by the maintenance fraction of its tier (LIQ-3). */
  liquidationFeePpm(fractionPpm: Ppm): Ppm
  /** FUND-2 for an average premium. */
  fundingRateFor(premium: Ppb): Ppb
  /** What a position gets, or below zero pays, for an hour of this rate and oracle (FUND-4). */
  fundingPayment(lots: Lots, rate: Ppb, oracle: MicroTicks): Quote
}>
