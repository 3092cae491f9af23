// The markets of the exchange: what they are, their prices, whether they trade. One object for each
// market, made once: what it says is always of now.

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
import { maintenanceOf, tierOfValue } from '../accounts/margin.ts'
import type { Side } from '../commands/commands.ts'
import type { AccountId, MarketId } from '../commands/ids.ts'
import { expectedRate, rateMost, rateOf } from '../funding/fix-epoch.ts'
import { paymentOf } from '../funding/settle-funding.ts'
import { liquidationFeeOf } from '../liquidation/liquidation-step.ts'
import { CANCEL_ONLY, FEED_LOST, HALTED, LIVE, type Market, STALE } from '../markets/market.ts'
import type { MarketParams } from '../markets/market-params.ts'
import { modeOf, trades } from '../markets/trading.ts'
import type { FundingRules, LiquidationRules } from '../rules/rule-book.ts'
import type { State } from '../state/state.ts'

export const marketStatuses = [
  'live',
  'catching_up',
  'stale',
  'cancel_only',
  'halted',
  'settled',
] as const
export type MarketStatus = (typeof marketStatuses)[number]

/** One row of the maintenance table (MARGIN-1). */
export type TierView = Readonly<{ fromValue: Quote; fractionPpm: Ppm; deduction: Quote }>

export type PriceBand = Readonly<{ least: Ticks; most: Ticks }>

export type MarketView = Readonly<{
  id: MarketId
  params: MarketParams
  listedAt: TimeMs
  backstop: AccountId
  /** The strictest that applies. */
  status: MarketStatus
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
  /** The mark while a side of the book is empty. */
  mid: MicroTicks
  /** Oracle ticks with `jump` so far. */
  jumps: number
  openInterest: Lots
  tiers: readonly TierView[]
  /** How far mark may be from the oracle. */
  markBandPpm: Ppm
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
  /** MARGIN-1. */
  maintenanceOf(value: Quote): Quote
  tierOf(value: Quote): TierView
  /** The rate that a liquidated side pays, by the maintenance fraction of its tier (LIQ-3). */
  liquidationFeePpm(fractionPpm: Ppm): Ppm
  /** FUND-2 for an average premium. */
  fundingRateFor(premium: Ppb): Ppb
  /** What a position gets, or below zero pays, for an hour of this rate and oracle (FUND-4). */
  fundingPayment(lots: Lots, rate: Ppb, oracle: MicroTicks): Quote
}>

export type MarketsView = Readonly<{
  count: number
  /** Undefined: there is none. */
  get(market: number): MarketView | undefined
  /** Undefined: there is none of this name. */
  named(symbol: string): MarketView | undefined
  /** Of one that is there. */
  paramsOf(market: number): MarketParams
  /** Every market, settled ones too, oldest first, which is by rising id. */
  all(): readonly MarketView[]
}>

export class Markets implements MarketsView {
  private readonly state: State
  /** By rising id; those that were listed since are added when somebody asks. */
  private readonly listed: ListedMarket[] = []

  constructor(state: State) {
    this.state = state
  }

  get count(): number {
    return this.state.markets.length - 1
  }

  get(market: number): MarketView | undefined {
    return this.all()[market - 1]
  }

  named(symbol: string): MarketView | undefined {
    const id = this.state.symbols.get(symbol)
    return id === undefined ? undefined : this.get(id)
  }

  paramsOf(market: number): MarketParams {
    return this.state.markets[market]!.params
  }

  all(): readonly MarketView[] {
    const { listed, state } = this
    while (listed.length < this.count)
      listed.push(new ListedMarket(state, state.markets[listed.length + 1]!))
    return listed
  }
}

class ListedMarket implements MarketView {
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

  get status(): MarketStatus {
    const { market } = this
    const mode = modeOf(this.state, market)
    if (market.settled) return 'settled'
    if (mode === HALTED) return 'halted'
    if (mode === CANCEL_ONLY || market.health === FEED_LOST) return 'cancel_only'
    if (market.health === STALE) return 'stale'
    return market.catchingUp ? 'catching_up' : 'live'
  }

  get trades(): boolean {
    return trades(this.state, this.market)
  }

  get settled(): boolean {
    return this.market.settled
  }

  get hasLivePrice(): boolean {
    return this.market.health === LIVE
  }

  get unitValue(): Quote {
    return this.market.unitValue as Quote
  }

  get mark(): Ticks {
    return this.market.mark as Ticks
  }

  get lotValue(): Quote {
    return this.market.lotValue as Quote
  }

  get oracle(): MicroTicks {
    return this.market.oracle as MicroTicks
  }

  get mid(): MicroTicks {
    const { bids, asks, mark } = this.market
    const isOpen = bids.bestPrice !== 0 && asks.bestPrice !== 0
    const twice = isOpen ? bids.bestPrice + asks.bestPrice : 2 * mark
    return (twice * divFloor(MICRO_PER_TICK, 2)) as MicroTicks
  }

  get jumps(): number {
    return this.market.jumps
  }

  get openInterest(): Lots {
    return this.market.openInterest as Lots
  }

  get tiers(): readonly TierView[] {
    return this.market.tiers as readonly TierView[]
  }

  get markBandPpm(): Ppm {
    return this.market.bandPpm as Ppm
  }

  get fundingRate(): Ppb {
    return this.market.fundingRate as Ppb
  }

  get nextFundingRate(): Ppb {
    return expectedRate(this.state, this.market) as Ppb
  }

  get fundingRateMax(): Ppb {
    return rateMost(this.market) as Ppb
  }

  get samples(): MarketView['samples'] {
    const { sampleCount, sampleSum } = this.market
    return { count: sampleCount, sum: sampleSum as Ppb }
  }

  get fundingRules(): FundingRules {
    return this.market.rules.funding
  }

  get liquidationRules(): LiquidationRules {
    return this.market.rules.liquidation
  }

  bandOf(side: Side): PriceBand {
    const { bidMin, bidMax, askMin, askMax } = this.market
    const [least, most] = side === 'bid' ? [bidMin, bidMax] : [askMin, askMax]
    return { least: least as Ticks, most: most as Ticks }
  }

  maintenanceOf(value: Quote): Quote {
    return maintenanceOf(this.market, value) as Quote
  }

  tierOf(value: Quote): TierView {
    return tierOfValue(this.market, value) as TierView
  }

  liquidationFeePpm(fractionPpm: Ppm): Ppm {
    return liquidationFeeOf(this.market, fractionPpm) as Ppm
  }

  fundingRateFor(premium: Ppb): Ppb {
    return rateOf(this.market, premium) as Ppb
  }

  fundingPayment(lots: Lots, rate: Ppb, oracle: MicroTicks): Quote {
    return paymentOf(this.market, lots, rate, oracle) as Quote
  }
}
