// A market: its parameters and values derived from them, its prices, book sides and indexes.
// Created by a listing, changed by its owner functions in this folder and by the book; never
// removed.

import { broken } from '../../units/invariant.ts'
import { divCeil, divFloor, mulPpmCeil, mulPpmFloor, roundHalfUp } from '../../units/rounding.ts'
import { MICRO_PER_TICK, PPM } from '../../units/units.ts'
import { BookSide } from '../book/book-side.ts'
import type { MarketParams, PendingChange, TierParams } from '../commands/market-params.ts'
import { LiquidationIndex } from '../queues/liquidation-index.ts'
import { WaitingOrders } from '../queues/waiting-orders.ts'
import { limits } from '../rules/limits.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { TrailingStops } from './trailing-stops.ts'
import { WatchedTriggers } from './watched-triggers.ts'

// Modes, from the mildest to the strictest: indexes into `modes` of event-words.ts.
export const OPEN = 0
export const REDUCING = 1
export const POSTING = 2
export const CANCEL_ONLY = 3
export const HALTED = 4

export const LIVE = 0
export const STALE = 1
export const FEED_LOST = 2

/** Values of `observedAt`: the price stands until the next tick; no price was observed yet. */
export const STANDS = -1
export const NEVER = -2

/** One row of the risk tiers, with maintenance in deduction form (MARGIN-1). */
export type Tier = Readonly<{
  fromValue: number
  maxLeverage: number
  fractionPpm: number
  deduction: number
}>

/** The largest gap between the mark and a worse book for one side, in ticks, within the current and
 *  the previous period (MARGIN-3). 0: no gap. */
export class KeptGap {
  /** 1 for longs, whose worst price is the lowest. */
  private readonly sign: number
  period = 0
  readonly largest = [0, 0]
  readonly worst = [0, 0]

  constructor(sign: number) {
    this.sign = sign
  }

  /** The largest gap. */
  get ticks(): number {
    return Math.max(...this.largest)
  }

  /** The worst impact price with a gap. */
  get price(): number {
    return this.worseOf(this.worst[0]!, this.worst[1]!)
  }

  /** Records the gap and the impact price of a tick. */
  see(ticks: number, price: number, period: number): void {
    const { largest, worst } = this
    if (period !== this.period) {
      const follows = period === this.period + 1
      largest[1] = follows ? largest[0]! : 0
      worst[1] = follows ? worst[0]! : 0
      largest[0] = 0
      worst[0] = 0
      this.period = period
    }
    if (ticks === 0) return
    largest[0] = Math.max(largest[0]!, ticks)
    worst[0] = this.worseOf(worst[0]!, price)
  }

  private worseOf(one: number, other: number): number {
    if (one === 0 || other === 0) return one + other
    return this.sign > 0 ? Math.min(one, other) : Math.max(one, other)
  }
}

type Listing = Readonly<{
  id: number
  backstop: number
  params: MarketParams
  oracle: number
  atMs: number
  /** As `Market.observedAt`. */
  observedAt: number
  rules: RuleBook
}>

export class Market {
  readonly id: number
  readonly backstop: number
  readonly listedAt: number
  params: MarketParams
  /** Micro-dollars of one lot at one tick. */
  readonly unitValue: number
  tiers: readonly Tier[]
  /** Where the second tier begins. Values below need only the fractions of the first tier, so one
   *  comparison separates most positions from those that other tiers concern. */
  tierFrom: number
  /** Maintenance tables: the current tiers, then the kept ones, oldest first (MARGIN-1). */
  tables: readonly (readonly Tier[])[]
  /** From this value on, maintenance depends on more than the first tier. Equal to `tierFrom`, or 0
   *  while the market keeps tiers. */
  maintenanceFrom: number
  /** The highest maintenance fraction of any notional, in ppm. */
  maintenanceMost: number
  /** r of FUND-1: the bound of a premium, in ppm. */
  premiumPpmMax: number
  mode = OPEN
  settled = false
  health = LIVE
  goodTicks = 1
  /** Set after a start: the market becomes live only after good ticks, not with the next tick
   *  (PRICE-5). */
  proving = false
  catchingUp = false
  oracle: number
  /** The newest price before clamping, in micro-ticks (PRICE-1). */
  raw: number
  mark = 0
  /** Impact prices of the last tick, in micro-ticks, or 0 (PRICE-6). */
  impactBid = 0
  impactAsk = 0
  /** Micro-dollars of one lot at mark, and of one lot of a long and a short at guarded prices
   *  (MARGIN-3). */
  lotValue = 0
  longValue = 0
  shortValue = 0
  /** The same without kept gaps. */
  longUngapped = 0
  shortUngapped = 0
  /** The larger distance of the two guarded prices from the mark, in ticks. */
  guardAway = 0
  /** Prices that the band allows at this mark (ORDER-1). */
  bidMin = 0
  bidMax = 0
  askMin = 0
  askMax = 0
  /** Number of ticks with `jump` so far, which is the progress of a scripted price path. */
  jumps = 0
  lastTickAt: number
  /** When the price of the last tick was observed; or STANDS, or NEVER (PRICE-1). */
  observedAt: number
  /** The last time a tick found the market live. */
  liveTickAt: number
  /** Since when the feed is live and the mode lets orders match (PRICE-8). */
  matchesSince: number
  /** 0 if the market has never traded. */
  lastTrade = 0
  openInterest = 0
  /** Open interest at the last tick, used to scale margin until the next tick (MARGIN-1). */
  interestLots = 0
  /** Initial fraction by leverage since the last tick. Filled on demand (MARGIN-1). */
  readonly fractions = new Int32Array(101)
  sampleSum = 0
  sampleCount = 0
  /** The newest multiple of the sample period that was sampled or passed. */
  samplePoint: number
  epoch: number
  fundingRate = 0
  fundingOracle = 0
  poolOpen = false
  pool = 0
  /** Slices have settled accounts up to this id. */
  poolCursor = 0
  poolEpoch = 0
  backstopDay = -1
  backstopDayEquity = 0
  /** Pending changes, in the order in which they were made. */
  changes: PendingChange[] = []
  /** Limits by owner that replace ownerInterestMax (ORDER-13). */
  readonly ownerLimits = new Map<number, number>()
  /** Up to this many lots, owner limits need no lookup and no sum overflows (UNITS-4). */
  sureLots = 0
  readonly bids = new BookSide(1)
  readonly asks = new BookSide(-1)
  readonly longs = new LiquidationIndex(1)
  readonly shorts = new LiquidationIndex(-1)
  /** Armed triggers by the price that they watch. */
  readonly triggers = new WatchedTriggers()
  /** Armed triggers that follow the mark. */
  readonly trailing = new TrailingStops()
  /** Prices of the previous tick, doubled, for mark, last and mid triggers (TRIG-3). */
  readonly evaluated = [0, 0, 0]
  /** Orders that wait for the end of a speed bump or for a tick (ORDER-3). */
  readonly waiting = new WaitingOrders()
  /** Row of the position pool by account id. */
  rowOf = new Int32Array(8)
  /** Number of announced changes, which is the number of the newest one (MARKET-2). */
  announced = 0
  /** Gaps of the book below the mark, for longs, and above it, for shorts. */
  readonly longGap = new KeptGap(1)
  readonly shortGap = new KeptGap(-1)
  /** The base maintenance fraction in force, ppm (MARGIN-1). */
  baseFractionPpm = 0
  /** Declared last: in front of the fields that every fill reads, it cost a percent or two of the
   *  throughput. */
  rules: RuleBook

  constructor({ id, backstop, params, oracle, atMs, observedAt, rules }: Listing) {
    this.id = id
    this.backstop = backstop
    this.rules = rules
    this.params = params
    this.unitValue = unitValueOf(params)
    this.oracle = oracle
    this.raw = oracle
    this.listedAt = atMs
    this.lastTickAt = atMs
    this.observedAt = observedAt
    this.liveTickAt = atMs
    this.matchesSince = atMs
    this.samplePoint = divFloor(atMs, rules.funding.samplePeriodMs)
    this.epoch = divFloor(atMs, rules.funding.epochMs)
    this.tiers = []
    this.tierFrom = 0
    this.tables = []
    this.maintenanceFrom = 0
    this.maintenanceMost = 0
    this.premiumPpmMax = 0
    this.setParams(params)
  }

  setParams(params: MarketParams): void {
    this.params = params
    const { premiumParts, premiumPpmMax } = this.rules.funding
    const kept = this.changes.flatMap((pending) => pending.kept ?? [])
    const leverage = Math.max(params.leverageMax, ...kept.map(({ leverageMax }) => leverageMax))
    this.premiumPpmMax = Math.min(divFloor(PPM, premiumParts * leverage), premiumPpmMax)
    this.tiers = tiersOf(params, this.rules)
    this.tables = [this.tiers, ...kept.map((tiers) => tiersOf(tiers, this.rules))]
    this.tierFrom = params.riskTiers[0]?.fromValue ?? Number.POSITIVE_INFINITY
    this.maintenanceFrom = kept.length === 0 ? this.tierFrom : 0
    this.baseFractionPpm = Math.min(...this.tables.map((tiers) => tiers[0]!.fractionPpm))
    this.maintenanceMost = Math.max(...this.tables.map((tiers) => tiers.at(-1)!.fractionPpm))
    this.fractions.fill(0)
    this.setSureLots()
    this.updateMark()
  }

  setSureLots(): void {
    const { tickMax, ownerInterestMax } = this.params
    const most = divFloor(limits.moneyMax, tickMax * this.unitValue)
    this.sureLots = Math.min(most, ownerInterestMax, ...this.ownerLimits.values())
  }

  setRules(rules: RuleBook): void {
    this.rules = rules
    this.setParams(this.params)
  }

  /** Updates the mark (PRICE-2) and all values derived from it. */
  updateMark(): void {
    const { bandNearPpm, bandFarPpm } = this.params
    const mark = roundHalfUp(this.oracle, MICRO_PER_TICK)
    if (!(mark > 0)) broken('a market has no mark price, ticks', mark)
    this.mark = mark
    this.lotValue = mark * this.unitValue
    this.bidMin = mulPpmCeil(mark, PPM - bandFarPpm)
    this.bidMax = mark + mulPpmFloor(mark, bandNearPpm)
    this.askMin = mulPpmCeil(mark, PPM - bandNearPpm)
    this.askMax = mark + mulPpmFloor(mark, bandFarPpm)
    this.guard()
  }

  /** Records the impact prices of a tick in whole ticks, over orders of any age; 0: none
   *  (MARGIN-3). */
  keepGaps(ask: number, bid: number, atMs: number): void {
    const { mark, longGap, shortGap, rules } = this
    const period = divFloor(atMs, rules.margin.dislocationMs)
    longGap.see(ask === 0 ? 0 : Math.max(0, mark - ask), ask, period)
    shortGap.see(Math.max(0, bid - mark), bid, period)
    this.guard()
  }

  /** Updates the guarded prices, which are worse for the owner of a position than the mark
   *  (MARGIN-3). */
  private guard(): void {
    const { mark, raw, longGap, shortGap, unitValue } = this
    let long: number = mark
    let short: number = mark
    if (this.catchingUp) {
      long = Math.min(long, divFloor(raw, MICRO_PER_TICK))
      short = Math.max(short, divCeil(raw, MICRO_PER_TICK))
    }
    this.longUngapped = long * unitValue
    this.shortUngapped = short * unitValue
    long = Math.min(long, Math.max(longGap.price, mark - longGap.ticks))
    short = Math.max(short, Math.min(shortGap.price, mark + shortGap.ticks))
    this.longValue = long * unitValue
    this.shortValue = short * unitValue
    this.guardAway = Math.max(mark - long, short - mark)
  }
}

function tiersOf({ leverageMax, riskTiers }: TierParams, { margin }: RuleBook): readonly Tier[] {
  let deduction = 0
  let below = 0
  return [{ fromValue: 0, maxLeverage: leverageMax }, ...riskTiers].map((tier) => {
    const fractionPpm = divCeil(PPM, margin.maintenanceParts * tier.maxLeverage)
    deduction += mulPpmFloor(tier.fromValue, fractionPpm - below)
    below = fractionPpm
    return { ...tier, fractionPpm, deduction }
  })
}

/** K of the rules: tick size × lot size in micro-dollars; 0 if it is not an integer ≥ 1. */
export function unitValueOf(params: MarketParams): number {
  const above = BigInt(params.tickSize.value) * BigInt(params.lotSize.value) * 1_000_000n
  const below = 10n ** BigInt(params.tickSize.scale + params.lotSize.scale)
  if (above % below !== 0n) return 0
  return +(above / below).toString()
}
