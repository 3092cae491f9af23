// Whether a market trades, and with which restrictions (CORE-7).

import type { Market } from '../state/market.ts'
import * as markets from '../state/market.ts'
import type { State } from '../state/state.ts'

// Module constants are compiled into the machine code (docs/performance.md).
const { CANCEL_ONLY, FEED_LOST, LIVE, OPEN, POSTING, STANDS } = markets

/** The stricter of the exchange's and the market's mode. */
export function modeOf(state: State, market: Market): number {
  return Math.max(state.mode, market.mode)
}

export function trades(state: State, market: Market): boolean {
  return modeOf(state, market) < CANCEL_ONLY && !market.settled && market.health !== FEED_LOST
}

/** Whether the market matches on a trusted price, so that triggers fire and liquidations run. */
export function isLively(state: State, market: Market): boolean {
  return modeOf(state, market) < POSTING && !market.settled && market.health === LIVE
}

/** Whether the market is lively and every order may take. */
export function isOpen(state: State, market: Market): boolean {
  return modeOf(state, market) === OPEN && !market.settled && market.health === LIVE
}

/** Takeovers, deleveragings and premium samples wait while the price catches up. */
export function isSteady(state: State, market: Market): boolean {
  return isLively(state, market) && !market.catchingUp
}

/** Whether the price holds until the next tick (PRICE-1). */
export function stands({ observedAt }: Market): boolean {
  return observedAt === STANDS
}

/** Whether the price stands, or was observed recently enough (PRICE-1). */
export function isFresh({ atMs }: Pick<State, 'atMs'>, { observedAt, params }: Market): boolean {
  return observedAt === STANDS || (observedAt >= 0 && atMs - observedAt <= params.observedWithinMs)
}

/** Orders that took their place after this time may reflect a newer price (PRICE-6). */
export function placesUntil({ observedAt }: Market): number {
  return observedAt === STANDS ? Number.POSITIVE_INFINITY : observedAt
}
