// Public data of a market: its parameters, its prices, and whether it trades.

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

/** Tiers that an immediate change replaced. Until then the mildest table decides maintenance
 *  (MARGIN-1). */
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

export type MarketView = Readonly<{
  id: MarketId
  params: MarketParams
  listedAt: TimeMs
  backstop: AccountId
  /** The strictest status that applies. */
  status: MarketStatus
  /** The stricter of the exchange's mode and the market's mode. */
  mode: Mode
  priceState: PriceState
  /** The last price was clamped. The feed may have been lost since (PRICE-1). */
  isCatchingUp: boolean
  /** Current age of the newest price. */
  priceAgeMs: number
  /** When the earliest order arrived that is past its speed bump and waits for a tick (ORDER-3). A
   *  price observed at or after that time releases it. `null` if no order waits. */
  dueArrival: TimeMs | null
  /** Whether orders are accepted: the market is open and not settled, and its feed is not lost. */
  trades: boolean
  settled: boolean
  /** Whether the feed is live. The market may still be halted. */
  hasLivePrice: boolean
  /** K: micro-dollars of one lot at one tick. */
  unitValue: Quote
  mark: Ticks
  /** Value of one lot at mark. */
  lotValue: Quote
  oracle: MicroTicks
  /** The newest price before clamping (PRICE-1). */
  raw: MicroTicks
  /** Equals the mark while a side of the book is empty. */
  mid: MicroTicks
  /** Whether the price that a stop watches has reached it (TRIG-1). */
  isReached(by: TriggerBy, stop: Ticks, up: boolean): boolean
  /** Number of oracle ticks with `jump` so far. */
  jumps: number
  openInterest: Lots
  tiers: readonly TierView[]
  keptTiers: readonly KeptTiers[]
  maintenanceTiers: readonly MaintenanceTier[]
  /** Announced changes, in the order in which they were made. */
  announcedChanges: readonly AnnouncedChange[]
  /** The highest tick that the market may have, or be settled at, with the positions and orders of
   *  all accounts (UNITS-4). */
  highestTick: Ticks
  /** Bound of a premium (FUND-1). */
  premiumPpmMax: Ppm
  /** The rate of the last full hour. */
  fundingRate: Ppb
  /** The expected rate of the current hour, assuming that its remaining samples equal the average
   *  so far. */
  nextFundingRate: Ppb
  /** The rate is always within ± this. */
  fundingRateMax: Ppb
  /** Premiums sampled in the current hour. */
  samples: Readonly<{ count: number; sum: Ppb }>
  fundingRules: FundingRules
  liquidationRules: LiquidationRules
  /** Prices that an order of this side may have now (ORDER-1). */
  bandOf(side: Side): PriceBand
  /** Value of lots at a price (UNITS-1). */
  valueOf(lots: Lots, price: Ticks): Quote
  /** Impact prices of the last tick, or 0. */
  impactBid: MicroTicks
  impactAsk: MicroTicks
  /** The price that values a position of this sign as collateral: the mark; or the newest price
   *  while the market catches up; or the mark moved by the kept gap. The worst for the owner
   *  applies (MARGIN-3). */
  guardedPrice(lots: number): Ticks
  /** The price that the limit of a fired stop or a liquidation of these lots starts from
   *  (PRICE-6). */
  fairPrice(lots: number): Ticks
  /** The largest kept distance by which the book was worse than the mark for a position of this
   *  sign, and the worst impact price. Both are 0 if no gap is kept (MARGIN-3). */
  keptGap(lots: number): Readonly<{ ticks: Ticks; price: Ticks }>
  /** Maintenance of a notional (MARGIN-1). */
  maintenanceOf(value: Quote): Quote
  /** The market's own tier for a notional, with the maintenance fraction and deduction in force. */
  tierOf(value: Quote): TierView
  /** What a liquidation step would close of a position of an unhealthy scope (LIQ-3). */
  liquidationStep(position: UnhealthyPosition): LiquidationStep
  /** The fee rate of a liquidated side, by the maintenance fraction of its tier (LIQ-3). */
  liquidationFeePpm(fractionPpm: Ppm): Ppm
  /** The rate of FUND-2 for an average premium. */
  fundingRateFor(premium: Ppb): Ppb
  /** The payment to a position (negative: by it) for an hour with this rate and oracle (FUND-4). */
  fundingPayment(lots: Lots, rate: Ppb, oracle: MicroTicks): Quote
}>
