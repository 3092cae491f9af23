// Feed health (PRICE-5): live, stale when its price is too old, lost after a minute; a stale one is
// back with the next tick, others after five good ones. Also what happens when a market stops
// trading (CORE-7).

import { cancelReasons, feedHealths } from '../../words/order-words.ts'
import { rejections } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { endKept } from '../orders/kept-actions.ts'
import { cancelSlot, MARKET_CLOSED, REFUSED } from '../orders/order-life.ts'
import { GOES_ON } from '../pools/order-pool.ts'
import { trades } from '../prices/trading.ts'
import { FEED_LOST, LIVE, type Market, STALE } from '../state/market.ts'
import type { State } from '../state/state.ts'

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
  if (market.health === LIVE) return becomeStale(state, log, market)
  setHealth(log, market, FEED_LOST)
  if (traded && !trades(state, market)) stopTrading(state, log, market)
}

/** What waits in it ends: there may be no price for a while (PRICE-5). */
export function becomeStale(state: State, log: EventLog, market: Market): void {
  setHealth(log, market, STALE)
  const { code } = rejections.ORACLE_NOT_AVAILABLE
  endWaiting(state, log, market, REFUSED, code)
}

function setHealth(log: EventLog, market: Market, health: number): void {
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

/** Waiting orders end, then kept actions; resting orders stay. */
export function stopTrading(state: State, log: EventLog, market: Market): void {
  endWaiting(state, log, market, MARKET_CLOSED, 0)
}

/** Orders of fired stops that go on stay (TRIG-3). */
function endWaiting(
  state: State,
  log: EventLog,
  market: Market,
  reason: number,
  code: number,
): void {
  const { orders } = state
  for (const id of market.waiting.all()) {
    const slot = orders.slotOf(id)
    if (slot !== 0 && (orders.flags(slot) & GOES_ON) === 0)
      cancelSlot(state, log, slot, reason, code)
  }
  endKept(state, log, cancelReasons[reason]!, (action) => action.market === market.id, code)
}
