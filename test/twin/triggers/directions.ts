// Which way a trigger fires, and at which price (TRIG-1, TRIG-10).

import type { TriggerBy } from '../../../src/core/commands/commands.ts'
import { bestPrice } from '../core/lookup.ts'
import type { Market } from '../state.ts'
import type { Stop } from './stop.ts'

/** A bid stop, a long's take-profit (it sells), a short's stop-loss (it buys): up. */
export function firesUp({ side, kind, up }: Pick<Stop, 'side' | 'kind' | 'up'>): boolean {
  return up ?? (kind === 'take_profit' ? side === 'ask' : side === 'bid')
}

/** Twice the price a trigger is compared with, so that a half tick counts; null: not to be had. */
export function doublePrice(market: Market, by: TriggerBy): bigint | null {
  if (by === 'mark') return 2n * market.mark
  if (by === 'last') return market.lastTrade === null ? null : 2n * market.lastTrade
  const bid = bestPrice(market, 'bid')
  const ask = bestPrice(market, 'ask')
  return bid === null || ask === null ? null : bid + ask
}

export function isTrue(up: boolean, stop: bigint | null, double: bigint | null): boolean {
  if (double === null || stop === null) return false
  return up ? double >= 2n * stop : double <= 2n * stop
}
