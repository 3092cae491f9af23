// How orders, stops, levels and algos end before they are filled, and what ends with them.

import type { EventOf } from '../../../src/core/events/event-fields.ts'
import { accountOf, byId, emit, holdingOf, levelLots, marketOf, ordersOf } from '../core/lookup.ts'
import type { Account, Algo, Naive, Order, Stop } from '../state.ts'
import { num } from '../units/numbers.ts'
import { otherLeg, unlink } from './legs.ts'

export type Reason = EventOf<'OrderCancelled'>['reason']

type Ending = Readonly<{
  price: bigint
  remaining: bigint
  reason: Reason
  code: number
  /** What rests at its price without it; −1: it did not rest. */
  left: bigint
}>

function cancelled(naive: Naive, what: Order | Stop, ending: Ending) {
  emit(naive, {
    type: 'OrderCancelled',
    order: what.id,
    account: what.account,
    market: what.market,
    side: what.side,
    price: num(ending.price),
    remaining: num(ending.remaining),
    reason: ending.reason,
    rejection: ending.code,
    levelLots: num(ending.left),
  })
}

export function takeOffOrder(naive: Naive, order: Order): void {
  const market = marketOf(naive, order.market)
  market.book = market.book.filter((other) => other.id !== order.id)
  naive.waiting = naive.waiting.filter((other) => other.id !== order.id)
}

/** ORDER-10: an order of a batch has been released or has ended. */
export function noteLeft(naive: Naive, { batch }: Order): void {
  for (const kept of naive.deferred) {
    if (kept.batch === batch) kept.releaseAt = Math.max(kept.releaseAt, naive.now)
  }
}

/** Resting, waiting or arriving; its unarmed levels end right after it (ORDER-4 step 7). */
export function endOrder(naive: Naive, order: Order, reason: Reason, code = 0): void {
  const market = marketOf(naive, order.market)
  const rested = market.book.includes(order)
  const other = unlink(naive, order.id)
  if (naive.waiting.includes(order)) noteLeft(naive, order)
  takeOffOrder(naive, order)
  order.ended = true
  const { price, remaining } = order
  const left = rested ? levelLots(market, order.side, price) : -1n
  cancelled(naive, order, { price, remaining, reason, code, left })
  followEnd(naive, order, reason)
  if (reason === 'expired' || reason === 'reduce_only') endLeg(naive, other)
}

/** TRIG-14: what the end of the other leg comes to. */
export function endLeg(naive: Naive, id: number): void {
  const stop = naive.stops.find((one) => one.id === id)
  if (stop) endStop(naive, stop, 'oco')
  const order = naive.markets.flatMap(({ book }) => book).find((one) => one.id === id)
  if (order) endOrder(naive, order, 'oco')
}

/** TRIG-14: a stop is at most as large as what remains of the other leg. */
export function cutLeg(naive: Naive, order: Order): void {
  const stop = naive.stops.find(({ id }) => id === otherLeg(naive, order.id))
  if (!stop || stop.size <= order.remaining) return
  if (order.remaining === 0n) {
    endStop(naive, stop, 'oco')
    return
  }
  stop.size = order.remaining
  const { id, account, market } = stop
  emit(naive, { type: 'StopReduced', order: id, account, market, size: num(stop.size) })
}

/** ORDER-4 step 7: the levels of an order that ended before any of its fills armed them; then
 *  its algo (ALGO-1), which may be over now. */
export function followEnd(naive: Naive, order: Order, reason: Reason | 'filled'): void {
  endUnarmed(naive, order.id)
  const algo = naive.algos.find((one) => one.live.includes(order))
  if (!algo) return
  algo.live = algo.live.filter((other) => other !== order)
  if (algo.kind === 'twap') finishSliced(naive, algo)
  else followChild(naive, algo, reason)
}

/** TRIG-5, TRIG-13: what waited for this order or stop waits for nothing now. */
function endUnarmed(naive: Naive, parent: number): void {
  for (const kind of ['take_profit', 'stop_loss']) {
    const levels = naive.stops.filter(
      (stop) => stop.parent === parent && stop.kind === kind && !stop.armed,
    )
    for (const level of levels.sort(byId)) endStop(naive, level, 'parent_ended')
  }
}

/** Without an event: a trigger that fires ends like this too. */
export function takeOffStop(naive: Naive, stop: Stop): void {
  naive.stops = naive.stops.filter((other) => other.id !== stop.id)
  naive.triggerQueue = naive.triggerQueue.filter((queued) => queued.stop !== stop.id)
  const holding = holdingOf(accountOf(naive, stop.account), marketOf(naive, stop.market))
  holding.takeProfit = holding.takeProfit.filter((id) => id !== stop.id)
  holding.stopLoss = holding.stopLoss.filter((id) => id !== stop.id)
}

export function endStop(naive: Naive, stop: Stop, reason: Reason, code = 0): void {
  const other = unlink(naive, stop.id)
  takeOffStop(naive, stop)
  const { limitPrice: price, size: remaining } = stop
  cancelled(naive, stop, { price, remaining, reason, code, left: -1n })
  endUnarmed(naive, stop.id)
  if (reason === 'expired') endLeg(naive, other)
}

type AlgoEnd = EventOf<'AlgoEnded'>['reason']

/** ALGO-1: ending an algo ends its orders, after the event of its end. */
export function stopAlgo(
  naive: Naive,
  algo: Algo,
  reason: Exclude<AlgoEnd, 'finished'>,
  code = 0,
): void {
  naive.algos = naive.algos.filter((other) => other.id !== algo.id)
  for (const order of algo.live) endOrder(naive, order, reason, code)
  emitEnded(naive, algo, reason)
}

/** ALGO-1: what the end of its order means for an algo that rests. */
function followChild(naive: Naive, algo: Algo, reason: Reason | 'filled'): void {
  if (reason === 'replaced' || reason === 'post_only_rejected') return
  if (reason === 'filled' && algo.filled < algo.size) {
    if (algo.kind === 'iceberg') algo.dueAt = naive.commandAt
    return
  }
  finishAlgo(naive, algo, reason === 'filled' ? 'finished' : endAs(reason))
}

function endAs(reason: Reason): AlgoEnd {
  if (['owner', 'scheduled', 'disconnected'].includes(reason)) return 'owner'
  const same = (['expired', 'liquidation', 'market_closed'] as const).find((one) => one === reason)
  return same ?? 'refused'
}

/** One without orders. */
export function finishAlgo(naive: Naive, algo: Algo, reason: AlgoEnd): void {
  naive.algos = naive.algos.filter((other) => other.id !== algo.id)
  emitEnded(naive, algo, reason)
}

/** TRIG-6: a TWAP is finished when its last slice was made and none of its orders lives. */
export function finishSliced(naive: Naive, algo: Algo): void {
  if (!naive.algos.includes(algo) || algo.done < algo.slices || algo.live.length > 0) return
  finishAlgo(naive, algo, 'finished')
}

function emitEnded(naive: Naive, algo: Algo, reason: AlgoEnd): void {
  emit(naive, {
    type: 'AlgoEnded',
    algo: algo.id,
    account: algo.account,
    market: algo.market,
    filled: num(algo.filled),
    filledValue: num(algo.filledValue),
    reason,
  })
}

/** Orders and stops alike, in order of id; those that ended with their parent are skipped. */
export function endAll(naive: Naive, all: (Order | Stop)[], reason: Reason): void {
  for (const one of [...all].sort((a, b) => a.id - b.id)) {
    if ('tif' in one) {
      if (!one.ended) endOrder(naive, one, reason)
    } else if (naive.stops.includes(one)) {
      endStop(naive, one, reason)
    }
  }
}

/** How many orders, waiting orders, stops and levels an account has (OPEN_ORDER_LIMIT_REACHED). */
export function liveCount(naive: Naive, account: Account): number {
  const stops = naive.stops.filter((stop) => stop.account === account.id)
  return ordersOf(naive, account, null).length + stops.length
}
