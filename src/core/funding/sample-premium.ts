// The premium of the book over the index, sampled every five seconds (FUND-1).

import { ratioFloor, ratioTrunc } from '../../units/wide.ts'
import type { BookSide } from '../book/book-side.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Market } from '../markets/market.ts'
import { samples } from '../markets/trading.ts'
import type { State } from '../state/state.ts'

export function samplePremium(state: State, log: EventLog, market: Market, point: number): void {
  market.samplePoint = point
  if (!samples(state, market)) return
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

function premiumOf(distance: number, oracle: number, most: number): number {
  // A distance of many times the oracle would not fit, and is clamped anyway. No ask is that far
  // below it.
  if (distance >= oracle) return most
  return Math.max(-most, Math.min(most, ratioTrunc([distance, 1_000_000_000], [oracle])))
}

/** Average price, in micro-ticks, of trading the impact value into a side; 0 without the depth. */
export function impactPrice(state: State, market: Market, side: BookSide): number {
  const wanted = market.params.impactValue
  let left: number = wanted
  let lots = 0
  for (let level = side.bestLevel; level !== 0; level = state.levels.worse[level]!) {
    const price = state.levels.price[level]!
    const value = state.levels.lots[level]! * price * market.unitValue
    if (value >= left) {
      const spent = lots * price * market.unitValue + left
      return ratioFloor([wanted, 1_000_000, price], [spent])
    }
    left -= value
    lots += state.levels.lots[level]!
  }
  return 0
}
