// Feed health (PRICE-5): live, stale when its price is too old, lost after a minute; a stale one is
// back with the next tick, others after five good ones. Also what happens when a market stops
// trading (CORE-7).

import { endKept } from '../due/kept-actions.ts'
import { feedHealths } from '../events/event-fields.ts'
import type { EventLog } from '../events/event-log.ts'
import { cancelSlot, MARKET_CLOSED } from '../orders/order-life.ts'
import { WAITING } from '../orders/order-pool.ts'
import type { State } from '../state/state.ts'
import { FEED_LOST, LIVE, type Market, STALE } from './market.ts'
import { trades } from './trading.ts'

/** When the market's feed gets worse if no tick comes. */
export function healthDueAt(market: Market): number {
  const { cancelOnlyAfterMs } = market.rules.prices
  if (market.health === LIVE) return market.lastTickAt + market.params.staleAfterMs + 1
  if (market.health === STALE) return market.lastTickAt + cancelOnlyAfterMs + 1
  return Number.POSITIVE_INFINITY
}

export function loseFeed(state: State, log: EventLog, market: Market): void {
  const traded = trades(state, market)
  market.goodTicks = 0
  setHealth(log, market, market.health === LIVE ? STALE : FEED_LOST)
  if (traded && !trades(state, market)) stopTrading(state, log, market)
}

export function setHealth(log: EventLog, market: Market, health: number): void {
  if (market.health === health) return
  market.health = health
  log.write({ type: 'FeedHealthChanged', market: market.id, health: feedHealths[health]! })
}

/** A tick came: the feed may be live again. */
export function reviveFeed(state: State, log: EventLog, market: Market): void {
  if (market.health === LIVE) return
  const proves = market.proving || market.health === FEED_LOST
  if (proves && market.goodTicks < market.rules.prices.goodTicks) return
  market.proving = false
  market.matchesSince = state.atMs
  setHealth(log, market, LIVE)
}

/** Waiting orders go, then kept actions; resting orders stay. */
export function stopTrading(state: State, log: EventLog, market: Market): void {
  const { orders } = state
  const waiting: number[] = []
  for (let slot = 1; slot <= orders.used; slot++)
    if (orders.stage(slot) === WAITING && orders.market(slot) === market.id)
      waiting.push(orders.id(slot))
  for (const id of waiting.sort((one, other) => one - other))
    cancelSlot(state, log, orders.slotOf(id), MARKET_CLOSED, 0)
  endKept(state, log, 'market_closed', (action) => action.market === market.id)
}
