// The public view of a market. Each field is read on access.

import { divFloor } from '../../units/rounding.ts'
import {
  type Lots,
  MICRO_PER_TICK,
  type MicroTicks,
  type Ppb,
  type Ppm,
  type Quote,
  type Ticks,
  type TimeMs,
} from '../../units/units.ts'
import { type Mode, modes, type Side, type TriggerBy } from '../../words/order-words.ts'
import type { AccountId, MarketId } from '../commands/ids.ts'
import type { MarketParams } from '../commands/market-params.ts'
import { dueArrival } from '../due/releases.ts'
import { expectedRate, rateMost, rateOf } from '../funding/fix-epoch.ts'
import { paymentOf } from '../funding/settle-funding.ts'
import { liquidationFeeOf, planStep } from '../liquidation/step-plan.ts'
import { initialFraction, maintenanceOf, maintenanceTier, tierOfValue } from '../margin/margin.ts'
import { highestTick } from '../markets/grid.ts'
import { maintenanceInForce } from '../prices/maintenance-in-force.ts'
import { fairPrice } from '../prices/order-prices.ts'
import { modeOf, trades } from '../prices/trading.ts'
import type { FundingRules, LiquidationRules } from '../rules/rule-book.ts'
import {
  CANCEL_ONLY,
  FEED_LOST,
  HALTED,
  LIVE,
  type Market,
  POSTING,
  REDUCING,
  STALE,
  type Tier,
} from '../state/market.ts'
import type { State } from '../state/state.ts'
import { triggerByOf } from '../triggers/trigger-life.ts'
import { isReached } from '../triggers/trigger-price.ts'
import type {
  AnnouncedChange,
  KeptTiers,
  LiquidationStep,
  MaintenanceTier,
  MarketStatus,
  PriceBand,
  PriceState,
  TierView,
  UnhealthyPosition,
} from './market-view.ts'

export function tierView(market: Market, value: number): TierView {
  const { fractionPpm, deduction } = maintenanceTier(market, value)
  return { ...rowView(market, tierOfValue(market, value)), fractionPpm, deduction } as TierView
}

function rowView(market: Market, tier: Tier): TierView {
  return { ...tier, initialPpm: initialFraction(market, tier.maxLeverage) } as TierView
}

export class ListedMarket {
  private readonly state: State
  private readonly market: Market

  constructor(state: State, market: Market) {
    this.state = state
    this.market = market
  }

  get id(): MarketId {
    return this.market.id as MarketId
  }

  get params(): MarketParams {
    return this.market.params
  }

  get listedAt(): TimeMs {
    return this.market.listedAt as TimeMs
  }

  get backstop(): AccountId {
    return this.market.backstop as AccountId
  }

  /** The strictest status that applies. */
  get status(): MarketStatus {
    const { market } = this
    const mode = modeOf(this.state, market)
    if (market.settled) return 'settled'
    if (mode === HALTED) return 'halted'
    if (mode === CANCEL_ONLY || market.health === FEED_LOST) return 'cancel_only'
    if (mode === POSTING) return 'post_only'
    if (market.health === STALE) return 'stale'
    if (mode === REDUCING) return 'reduce_only'
    return market.catchingUp ? 'catching_up' : 'live'
  }

  /** The stricter of the exchange's mode and the market's mode. */
  get mode(): Mode {
    return modes[modeOf(this.state, this.market)]!
  }

  get priceState(): PriceState {
    const { health, catchingUp } = this.market
    if (health === LIVE) return catchingUp ? 'catching_up' : 'live'
    return health === STALE ? 'stale' : 'cancel_only'
  }

  /** The last price was clamped. The feed may have been lost since (PRICE-1). */
  get isCatchingUp(): boolean {
    return this.market.catchingUp
  }

  /** Current age of the newest price. */
  get priceAgeMs(): number {
    return this.state.atMs - this.market.lastTickAt
  }

  /** When the earliest order arrived that is past its speed bump and waits for a tick (ORDER-3). A
   *  price observed at or after that time releases it. `null` if no order waits. */
  get dueArrival(): TimeMs | null {
    return dueArrival(this.state, this.market) as TimeMs | null
  }

  /** Whether orders are accepted: the market is open and not settled, and its feed is not lost. */
  get trades(): boolean {
    return trades(this.state, this.market)
  }

  get settled(): boolean {
    return this.market.settled
  }

  /** Whether the feed is live. The market may still be halted. */
  get hasLivePrice(): boolean {
    return this.market.health === LIVE
  }

  /** K: micro-dollars of one lot at one tick. */
  get unitValue(): Quote {
    return this.market.unitValue as Quote
  }

  get mark(): Ticks {
    return this.market.mark as Ticks
  }

  /** Value of one lot at mark. */
  get lotValue(): Quote {
    return this.market.lotValue as Quote
  }

  get oracle(): MicroTicks {
    return this.market.oracle as MicroTicks
  }

  /** The newest price before clamping (PRICE-1). */
  get raw(): MicroTicks {
    return this.market.raw as MicroTicks
  }

  /** Impact prices of the last tick, or 0. */
  get impactBid(): MicroTicks {
    return this.market.impactBid as MicroTicks
  }

  get impactAsk(): MicroTicks {
    return this.market.impactAsk as MicroTicks
  }

  /** Equals the mark while a side of the book is empty. */
  get mid(): MicroTicks {
    const { bids, asks, mark } = this.market
    const isOpen = bids.bestPrice !== 0 && asks.bestPrice !== 0
    const twice = isOpen ? bids.bestPrice + asks.bestPrice : 2 * mark
    return (twice * divFloor(MICRO_PER_TICK, 2)) as MicroTicks
  }

  /** Whether the price that a stop watches has reached it (TRIG-1). */
  isReached(by: TriggerBy, stop: Ticks, up: boolean): boolean {
    return isReached(this.market, triggerByOf(by), stop, up)
  }

  /** Number of oracle ticks with `jump` so far. */
  get jumps(): number {
    return this.market.jumps
  }

  get openInterest(): Lots {
    return this.market.openInterest as Lots
  }

  get tiers(): readonly TierView[] {
    return this.market.tiers.map((tier) => rowView(this.market, tier))
  }

  get keptTiers(): readonly KeptTiers[] {
    const { market } = this
    const kept = market.changes.filter((pending) => pending.kept !== null)
    return kept.map(({ at }, index) => {
      const tiers = market.tables[index + 1]!.map((tier) => rowView(market, tier))
      return { until: at as TimeMs, tiers }
    })
  }

  get maintenanceTiers(): readonly MaintenanceTier[] {
    return maintenanceInForce(this.market.tables) as readonly MaintenanceTier[]
  }

  /** Announced changes, in the order in which they were made. */
  get announcedChanges(): readonly AnnouncedChange[] {
    const announced = this.market.changes.filter(({ kept }) => kept === null)
    return announced.map(({ id, at, change }) => ({ id, at: at as TimeMs, change }))
  }

  /** The highest tick that the market may have, or be settled at, with the positions and orders of
   *  all accounts (UNITS-4). */
  get highestTick(): Ticks {
    return highestTick(this.state, this.market) as Ticks
  }

  /** Bound of a premium (FUND-1). */
  get premiumPpmMax(): Ppm {
    return this.market.premiumPpmMax as Ppm
  }

  /** The rate of the last full hour. */
  get fundingRate(): Ppb {
    return this.market.fundingRate as Ppb
  }

  /** The expected rate of the current hour, assuming that its remaining samples equal the average
   *  so far. */
  get nextFundingRate(): Ppb {
    return expectedRate(this.state, this.market) as Ppb
  }

  /** The rate is always within ± this. */
  get fundingRateMax(): Ppb {
    return rateMost(this.market) as Ppb
  }

  /** Premiums sampled in the current hour. */
  get samples(): Readonly<{ count: number; sum: Ppb }> {
    const { sampleCount, sampleSum } = this.market
    return { count: sampleCount, sum: sampleSum as Ppb }
  }

  get fundingRules(): FundingRules {
    return this.market.rules.funding
  }

  get liquidationRules(): LiquidationRules {
    return this.market.rules.liquidation
  }

  /** Prices that an order of this side may have now (ORDER-1). */
  bandOf(side: Side): PriceBand {
    const { bidMin, bidMax, askMin, askMax } = this.market
    const [least, most] = side === 'bid' ? [bidMin, bidMax] : [askMin, askMax]
    return { least: least as Ticks, most: most as Ticks }
  }

  /** Value of lots at a price (UNITS-1). */
  valueOf(lots: Lots, price: Ticks): Quote {
    return (lots * price * this.market.unitValue) as Quote
  }

  /** The price that values a position of this sign as collateral: the mark; or the newest price
   *  while the market catches up; or the mark moved by the kept gap. The worst for the owner
   *  applies (MARGIN-3). */
  guardedPrice(lots: number): Ticks {
    const { longValue, shortValue, unitValue } = this.market
    return divFloor(lots > 0 ? longValue : shortValue, unitValue) as Ticks
  }

  /** The price that the limit of a fired stop or a liquidation of these lots starts from
   *  (PRICE-6). */
  fairPrice(lots: number): Ticks {
    return fairPrice(this.market, lots > 0 ? -1 : 1) as Ticks
  }

  /** The largest kept distance by which the book was worse than the mark for a position of this
   *  sign, and the worst impact price. Both are 0 if no gap is kept (MARGIN-3). */
  keptGap(lots: number): Readonly<{ ticks: Ticks; price: Ticks }> {
    const { ticks, price } = lots > 0 ? this.market.longGap : this.market.shortGap
    return { ticks: ticks as Ticks, price: price as Ticks }
  }

  /** Maintenance of a notional (MARGIN-1). */
  maintenanceOf(value: Quote): Quote {
    return maintenanceOf(this.market, value) as Quote
  }

  /** The market's own tier for a notional, with the maintenance fraction and deduction in force. */
  tierOf(value: Quote): TierView {
    return tierView(this.market, value)
  }

  /** What a liquidation step would close of a position of an unhealthy scope (LIQ-3). */
  liquidationStep(position: UnhealthyPosition): LiquidationStep {
    return planStep(this.market, position) as LiquidationStep
  }

  /** The fee rate of a liquidated side, by the maintenance fraction of its tier (LIQ-3). */
  liquidationFeePpm(fractionPpm: Ppm): Ppm {
    return liquidationFeeOf(this.market, fractionPpm) as Ppm
  }

  /** The rate of FUND-2 for an average premium. */
  fundingRateFor(premium: Ppb): Ppb {
    return rateOf(this.market, premium) as Ppb
  }

  /** The payment to a position (negative: by it) for an hour with this rate and oracle (FUND-4). */
  fundingPayment(lots: Lots, rate: Ppb, oracle: MicroTicks): Quote {
    return paymentOf(this.market, lots, rate, oracle) as Quote
  }
}

export type MarketView = Readonly<ListedMarket>
