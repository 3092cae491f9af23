// The premium of the book over the index, sampled every five seconds (FUND-1).

import { ratioTrunc } from '../../units/wide.ts'
import type { EventLog } from '../events/event-log.ts'
import { impactPrice } from '../markets/impact-price.ts'
import type { Market } from '../markets/market.ts'
import { isSteady } from '../markets/trading.ts'
import type { State } from '../state/state.ts'

export function samplePremium(state: State, log: EventLog, market: Market, point: number): void {
  market.samplePoint = point
  if (!isSteady(state, market)) return
  const { oracle } = market
  const impactBid = impactPrice(state, market, market.bids)
  const impactAsk = impactPrice(state, market, market.asks)
  const above = Math.max(impactBid - oracle, 0)
  const below = impactAsk === 0 ? 0 : Math.max(oracle - impactAsk, 0)
  const most = market.bandPpm * 1_000
  const raw = premiumOf(above - below, oracle, most)
  market.sampleSum += raw
  market.sampleCount += 1
  log.write({ type: 'PremiumSampled', market: market.id, premium: raw, impactBid, impactAsk })
}

/** FUND-1: a change may have made the band narrower than the hour's samples were taken in. */
export function keepSamplesInBand(market: Market): void {
  const most = market.sampleCount * market.bandPpm * 1_000
  market.sampleSum = Math.max(-most, Math.min(most, market.sampleSum))
}

function premiumOf(distance: number, oracle: number, most: number): number {
  // A distance of many times the oracle would not fit, and is clamped anyway. No ask is that far
  // below it.
  if (distance >= oracle) return most
  return Math.max(-most, Math.min(most, ratioTrunc([distance, 1_000_000_000], [oracle])))
}
