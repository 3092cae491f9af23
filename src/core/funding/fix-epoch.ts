// At the full hour: fixes the rate of the epoch and opens the funding pool (FUND-2, FUND-3).

import { broken } from '../../units/invariant.ts'
import { divFloor, mulDivTrunc } from '../../units/rounding.ts'
import type { EventLog } from '../events/event-log.ts'
import { modeOf } from '../prices/trading.ts'
import { HALTED, type Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { settlePool } from './settle-funding.ts'

export function fixEpoch(state: State, log: EventLog, market: Market): void {
  settlePool(state, log, market)
  market.epoch += 1
  const rate = hourlyRate(state, market)
  const { epoch, oracle, sampleCount } = market
  if (sampleCount > market.rules.funding.samplesPerEpoch)
    broken('an epoch has more premium samples than points', sampleCount)
  if (market.pool !== 0) broken('an epoch begins with money in its funding pool', market.pool)
  market.sampleSum = 0
  market.sampleCount = 0
  market.fundingRate = rate
  market.fundingOracle = oracle
  log.write({
    type: 'FundingFixed',
    market: market.id,
    epoch,
    rate,
    oracle,
    samples: sampleCount,
  })
  if (rate === 0) return
  market.poolOpen = true
  market.poolEpoch = epoch
  market.poolCursor = 0
  state.openPools += 1
}

function hourlyRate(state: State, market: Market): number {
  const { funding } = market.rules
  const hour = market.epoch * funding.epochMs
  if (market.sampleCount < market.params.fundingSamplesMin) return 0
  if (modeOf(state, market) === HALTED) return 0
  if (market.liveTickAt < hour - funding.liveTickBeforeEpochMs) return 0
  return rateOf(market, truncated(market.sampleSum, funding.samplesPerEpoch))
}

/** The rate of FUND-2 for the current hour, assuming that the remaining samples equal the average
 *  so far. At the end of the hour this is the rate that is fixed. */
export function expectedRate(state: State, market: Market): number {
  const { samplesPerEpoch, samplePeriodMs } = market.rules.funding
  const { sampleSum, sampleCount } = market
  if (market.settled || modeOf(state, market) === HALTED) return 0
  // The next tick samples only the newest point that has passed.
  const passed = divFloor(state.atMs, samplePeriodMs) - 1
  const sampled = Math.max(market.samplePoint, passed)
  const ahead = (market.epoch + 1) * samplesPerEpoch - 1 - sampled
  const expected = sampleCount + Math.max(0, ahead)
  if (expected < market.params.fundingSamplesMin) return 0
  if (sampleCount === 0) return rateOf(market, 0)
  return rateOf(market, mulDivTrunc(sampleSum, expected, sampleCount * samplesPerEpoch))
}

/** The rate of FUND-2 for an average premium, in ppb. */
export function rateOf(market: Market, premium: number): number {
  const { interestPpb, interestClampPpb, epochParts } = market.rules.funding
  const interest = Math.max(-interestClampPpb, Math.min(interestClampPpb, interestPpb - premium))
  const rate = truncated(premium + interest, epochParts)
  const most = rateMost(market)
  return Math.max(-most, Math.min(most, rate))
}

/** The maximum rate in either direction, in ppb: at most half of the base maintenance fraction. */
export function rateMost({ rules, baseFractionPpm }: Market): number {
  return Math.min(rules.funding.ratePpbMax, baseFractionPpm * 500)
}

function truncated(value: number, divisor: number): number {
  return value < 0 ? -divFloor(-value, divisor) || 0 : divFloor(value, divisor)
}
