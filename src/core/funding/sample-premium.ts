// The premium of the book over the index, sampled by the first tick of every five seconds (FUND-1).

import { divFloor } from '../../units/rounding.ts'
import { ratioTrunc } from '../../units/wide.ts'
import type { EventLog } from '../events/event-log.ts'
import { impactPrice } from '../prices/impact-price.ts'
import { isSteady } from '../prices/trading.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** Samples the premium if a sample is due. */
export function samplePremium(state: State, log: EventLog, market: Market): void {
  const point = divFloor(state.atMs, market.rules.funding.samplePeriodMs)
  if (point <= market.samplePoint) return
  market.samplePoint = point
  if (!isSteady(state, market)) return
  const { oracle } = market
  const impactBid = impactPrice(state, market, market.bids)
  const impactAsk = impactPrice(state, market, market.asks)
  const above = Math.max(impactBid - oracle, 0)
  const below = impactAsk === 0 ? 0 : Math.max(oracle - impactAsk, 0)
  const most = market.premiumPpmMax * 1_000
  const raw = premiumOf(above - below, oracle, most)
  market.sampleSum += raw
  market.sampleCount += 1
  log.write({ type: 'PremiumSampled', market: market.id, premium: raw, impactBid, impactAsk })
}

/** Re-applies the bound of FUND-1 to the hour's samples, because a change may have made r
 *  smaller. */
export function boundSamples(market: Market): void {
  const most = market.sampleCount * market.premiumPpmMax * 1_000
  market.sampleSum = Math.max(-most, Math.min(most, market.sampleSum))
}

function premiumOf(distance: number, oracle: number, most: number): number {
  // A distance of many times the oracle would overflow, and it is clamped anyway. An ask cannot be
  // that far below the oracle.
  if (distance >= oracle) return most
  return Math.max(-most, Math.min(most, ratioTrunc([distance, 1_000_000_000], [oracle])))
}
