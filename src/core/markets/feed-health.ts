// Feed health (PRICE-5): live, stale when the price is too old, and lost after a minute. A stale
// feed recovers with the next tick, a lost feed after five good ticks. Also stops trading in a
// market (CORE-7).

import { cancelReasons, feedHealths } from '../../words/order-words.ts'
import { rejections } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { endKept } from '../orders/kept-actions.ts'
import { cancelSlot, MARKET_CLOSED, REFUSED } from '../orders/order-life.ts'
import { GOES_ON } from '../pools/order-pool.ts'
import { trades } from '../prices/trading.ts'
import { FEED_LOST, LIVE, type Market, STALE } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** When the market's feed health declines if no tick arrives. */
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

/** Cancels waiting orders, because there may be no price for a while (PRICE-5). */
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

/** Handles a tick: the feed may become live again. */
export function reviveFeed(state: State, log: EventLog, market: Market): void {
  if (market.health === LIVE) return
  const proves = market.proving || market.health === FEED_LOST
  if (proves && market.goodTicks < market.rules.prices.goodTicks) return
  market.proving = false
  market.matchesSince = state.atMs
  setHealth(log, market, LIVE)
}

/** Cancels waiting orders, then deferred actions. Resting orders stay. */
export function stopTrading(state: State, log: EventLog, market: Market): void {
  endWaiting(state, log, market, MARKET_CLOSED, 0)
}

/** Orders of fired stops that are still executing stay (TRIG-3). */
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
