// Which way a trigger fires, and at which price (TRIG-1, TRIG-10).

import type { TriggerBy } from '../../../src/words/order-words.ts'
import type { Market } from '../state.ts'
import { MILLION } from '../units/numbers.ts'
import type { Stop } from './stop.ts'

/** A bid stop, a long's take-profit (it sells), a short's stop-loss (it buys): up. */
export function firesUp({ side, kind, up }: Pick<Stop, 'side' | 'kind' | 'up'>): boolean {
  return up ?? (kind === 'take_profit' ? side === 'ask' : side === 'bid')
}

/** Twice the price a trigger is compared with, in micro-ticks; null: not to be had. */
export function doublePrice(market: Market, by: TriggerBy): bigint | null {
  const { mark, lastTrade, impactBid, impactAsk } = market
  if (by === 'mark') return 2n * mark * MILLION
  if (by === 'last') return lastTrade === null ? null : 2n * lastTrade * MILLION
  return impactBid === 0n || impactAsk === 0n ? null : impactBid + impactAsk
}

/** In ticks, rounded down. */
export function ticksOf(double: bigint): bigint {
  return double / (2n * MILLION)
}

export function isTrue(up: boolean, stop: bigint | null, double: bigint | null): boolean {
  if (double === null || stop === null) return false
  const at = 2n * stop * MILLION
  return up ? double >= at : double <= at
}
