// The prices that triggers are compared with (TRIG-1), doubled so that the middle of two impact
// prices is exact: in ticks for mark and last, in micro-ticks for mid.

import { divFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import type { Market } from '../state/market.ts'
import { BY_LAST, BY_MARK, BY_MID } from '../state/trigger.ts'

/** 2 × the price, or 0 if there is none. */
export function doubledPrice(market: Market, triggerBy: number): number {
  if (triggerBy === BY_MARK) return market.mark * 2
  if (triggerBy === BY_LAST) return market.lastTrade * 2
  const { impactBid, impactAsk } = market
  return impactBid === 0 || impactAsk === 0 ? 0 : impactBid + impactAsk
}

/** 2 × a stop price, as it is compared. */
export function doubledStop(triggerBy: number, stop: number): number {
  return triggerBy === BY_MID ? 2 * stop * MICRO_PER_TICK : 2 * stop
}

export function isReached(market: Market, triggerBy: number, stop: number, up: boolean): boolean {
  const doubled = doubledPrice(market, triggerBy)
  if (doubled === 0) return false
  const needed = doubledStop(triggerBy, stop)
  return up ? doubled >= needed : doubled <= needed
}

/** The price in whole ticks. A mid is rounded down. */
export function wholePrice(market: Market, triggerBy: number): number {
  return divFloor(doubledPrice(market, triggerBy), triggerBy === BY_MID ? 2 * MICRO_PER_TICK : 2)
}
