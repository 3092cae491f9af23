// The markets of the exchange: what they are, their prices, whether they trade.

import { rateMost, rateOf } from '../../core/funding/fix-epoch.ts'
import { DEFICIT, FEES, type FeeTier, INSURANCE, type MarketParams } from '../../core/index.ts'
import { CANCEL_ONLY, FEED_LOST, HALTED, type Market, STALE } from '../../core/markets/market.ts'
import { modeOf } from '../../core/markets/trading.ts'
import type { State } from '../../core/state/state.ts'
import { divFloor, mulDivTrunc } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'

export const marketStatuses = [
  'live',
  'catching_up',
  'stale',
  'cancel_only',
  'halted',
  'settled',
] as const
export type MarketStatus = (typeof marketStatuses)[number]

export type MarketNumbers = Readonly<{
  id: number
  params: MarketParams
  listedAt: number
  status: MarketStatus
  /** Ticks. */
  mark: number
  /** Millionths of a tick; the mark while a side of the book is empty. */
  midMicro: number
  oracleMicro: number
  /** Of the last full hour, ppb. */
  fundingRate: number
  /** Of the hour that runs, if it goes on as it began. */
  nextFundingRate: number
  /** The rate never leaves ± this. */
  fundingRateMax: number
  openInterest: number
  tiers: Market['tiers']
  /** How far mark may be from the oracle. */
  markBandPpm: number
  backstop: Reserve
}>

export type Reserve = Readonly<{ address: string; balance: number }>

/** Undefined when there is none with this symbol. */
export function marketIdOf(state: State, symbol: string): number | undefined {
  return state.symbols.get(symbol)
}

/** Every market, settled ones too, oldest first; of one moment by id. */
export function allMarkets(state: State): readonly MarketNumbers[] {
  return state.markets
    .filter((market) => market !== undefined)
    .sort((one, other) => one.listedAt - other.listedAt || one.id - other.id)
    .map((market) => marketNumbers(state, market))
}

export function paramsOfMarket(state: State, market: number): MarketParams {
  return state.markets[market]!.params
}

function marketNumbers(state: State, market: Market): MarketNumbers {
  const bid = market.bids.bestPrice
  const ask = market.asks.bestPrice
  const whole = bid === 0 || ask === 0
  return {
    id: market.id,
    params: market.params,
    listedAt: market.listedAt,
    status: statusOf(state, market),
    mark: market.mark,
    midMicro: whole ? market.mark * MICRO_PER_TICK : (bid + ask) * divFloor(MICRO_PER_TICK, 2),
    oracleMicro: market.oracle,
    fundingRate: market.fundingRate,
    nextFundingRate: nextFundingRate(state, market),
    fundingRateMax: rateMost(market),
    openInterest: market.openInterest,
    tiers: market.tiers,
    markBandPpm: market.bandPpm,
    backstop: reserveOf(state, market.backstop),
  }
}

/** The strictest that applies. */
function statusOf(state: State, market: Market): MarketStatus {
  const mode = modeOf(state, market)
  if (market.settled) return 'settled'
  if (mode === HALTED) return 'halted'
  if (mode === CANCEL_ONLY || market.health === FEED_LOST) return 'cancel_only'
  if (market.health === STALE) return 'stale'
  return market.catchingUp ? 'catching_up' : 'live'
}

/** FUND-2 for the hour that runs, as if its remaining points gave the average of those so far: at
 *  the end of the hour this is the rate that is fixed. */
export function nextFundingRate(state: State, market: Market): number {
  const { samplesPerEpoch, samplesMin } = market.rules.funding
  const { sampleSum, sampleCount } = market
  if (market.settled || modeOf(state, market) === HALTED) return 0
  const ahead = (market.epoch + 1) * samplesPerEpoch - 1 - market.samplePoint
  const expected = sampleCount + Math.max(0, ahead)
  if (expected < samplesMin) return 0
  if (sampleCount === 0) return rateOf(market, 0)
  return rateOf(market, mulDivTrunc(sampleSum, expected, sampleCount * samplesPerEpoch))
}

export function feeTiersOf(state: State): readonly FeeTier[] {
  return state.feeTiers
}

/** The accounts that belong to the exchange itself, without the markets' backstops. */
export function reservesOf(state: State) {
  return {
    fees: reserveOf(state, FEES),
    insurance: reserveOf(state, INSURANCE),
    deficit: reserveOf(state, DEFICIT),
  }
}

function reserveOf({ accounts }: State, account: number): Reserve {
  return { address: accounts.records[account]!.address, balance: accounts.balance[account]! }
}
