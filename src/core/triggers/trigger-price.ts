// The prices triggers compare with, doubled so that a mid of two ticks is exact (TRIG-1).

import { divFloor } from '../../units/rounding.ts'
import type { Market } from '../markets/market.ts'
import { BY_LAST, BY_MARK } from './trigger.ts'

/** 2 × the price, or 0 when there is none. */
export function doubledPrice(market: Market, triggerBy: number): number {
  if (triggerBy === BY_MARK) return market.mark * 2
  if (triggerBy === BY_LAST) return market.lastTrade * 2
  const bid = market.bids.bestPrice
  const ask = market.asks.bestPrice
  return bid === 0 || ask === 0 ? 0 : bid + ask
}

export function isReached(market: Market, triggerBy: number, stop: number, up: boolean): boolean {
  const doubled = doubledPrice(market, triggerBy)
  if (doubled === 0) return false
  return up ? doubled >= 2 * stop : doubled <= 2 * stop
}

/** In whole ticks, a mid rounded down. */
export function wholePrice(market: Market, triggerBy: number): number {
  return divFloor(doubledPrice(market, triggerBy), 2)
}
