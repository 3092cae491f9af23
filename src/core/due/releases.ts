// Releases orders whose wait is over, and deferred actions of batches (ORDER-3, ORDER-10). A
// command runs a limited number of releases, and starts none once its units are used (CORE-3,
// CORE-5). Releases left over are due immediately when the next command arrives.

import { broken } from '../../units/invariant.ts'
import { rejections } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { rejected } from '../events/rejected.ts'
import { runAction } from '../orders/batch.ts'
import { isCancel } from '../orders/kept-actions.ts'
import { logUnplaced } from '../orders/log-unplaced.ts'
import { waitFor } from '../orders/order-life.ts'
import { endBump, endWait, isBehind, releaseOrder } from '../orders/run-order.ts'
import { runsNext } from '../orders/runs-next.ts'
import { expiredKeyRefusal } from '../policies/check-policy.ts'
import { NO_END, WAITING } from '../pools/order-pool.ts'
import { isFresh, placesUntil } from '../prices/trading.ts'
import { DUE_RELEASE, type Due } from '../queues/due-queue.ts'
import { FOR_BUMP, FOR_NEXT } from '../queues/waiting-orders.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { hasUnits } from '../timing/command-units.ts'
import { isThere, schedule } from '../timing/schedule.ts'
import { settleAccount } from './account-reactions.ts'

/** Whether the command may run one more release. */
export function mayRelease(state: State): boolean {
  return state.releaseRoom > 0 && hasUnits(state)
}

/** Releases an order after a speed bump, a wait for a tick or a limit that was reached, or runs a
 *  deferred action. The order or action exists. */
export function release(state: State, log: EventLog, { id, at }: Due): void {
  const { orders } = state
  const slot = orders.slotOf(id)
  if (slot === 0) {
    state.releaseRoom -= 1
    return runKept(state, log, id)
  }
  const market = state.markets[orders.market(slot)]!
  if (state.leftReleases.get(id) === at) {
    state.leftReleases.delete(id)
    if (isBehind(state, slot)) return waitFor(state, market, slot, FOR_NEXT, NO_END)
    state.releaseRoom -= 1
    return releaseOrder(state, log, slot)
  }
  state.releaseRoom -= 1
  if (market.waiting.whatFor(id) === FOR_BUMP) endBump(state, log, slot, at)
  else endWait(state, log, slot)
}

/** Whether a release was left over by a tick whose price is no longer fresh. The order then waits
 *  for the next tick. Nothing runs, so engine time does not change. */
export function isTooLate(state: State, { id, at }: Due, atMs: number): boolean {
  if (state.leftReleases.get(id) !== at) return false
  const market = state.markets[state.orders.market(state.orders.slotOf(id))]!
  if (isFresh({ atMs }, market)) return false
  state.leftReleases.delete(id)
  return true
}

/** Runs a deferred action as its own command would run (ORDER-10). */
function runKept(state: State, log: EventLog, id: number): void {
  const { action } = state.deferred.get(id) ?? broken('a kept action does not exist', id)
  state.deferred.delete(id)
  settleAccount(state, log, action.account)
  const expired = isCancel(action)
    ? null
    : expiredKeyRefusal(state, action.account, action.proof?.agent ?? null)
  const refusal = expired ?? runAction(state, log, action)
  if (refusal === null) return
  logUnplaced(state, log, action, { reason: 'refused', code: rejections[refusal.name].code })
  rejected(log, refusal)
}

/** Handles a tick of the market: releases orders that arrived before its price was observed, by id,
 *  then deferred actions that are due. */
export function releaseByTick(state: State, log: EventLog, market: Market): void {
  if (isFresh(state, market)) releaseWaiting(state, log, market)
  runDueKept(state, log)
}

function releaseWaiting(state: State, log: EventLog, market: Market): void {
  const { orders } = state
  const until = placesUntil(market)
  for (const id of market.waiting.forTicks()) {
    const slot = orders.slotOf(id)
    if (slot === 0 || orders.stage(slot) !== WAITING) continue
    if (orders.createdAt(slot) > until) return
    if (!mayRelease(state)) leave(state, id)
    else if (isBehind(state, slot)) waitFor(state, market, slot, FOR_NEXT, NO_END)
    else {
      state.leftReleases.delete(id)
      state.releaseRoom -= 1
      releaseOrder(state, log, slot)
    }
  }
}

/** Leaves a release for later because the limit was reached. A later tick sets its due time to that
 *  of the tick. */
function leave(state: State, id: number): void {
  if (runsNext(state, id)) return
  state.leftReleases.set(id, state.atMs)
  schedule(state, { at: state.atMs, kind: DUE_RELEASE, id })
}

function runDueKept(state: State, log: EventLog): void {
  while (mayRelease(state)) {
    const first = state.releases.first()
    if (first === undefined || first.at > state.atMs) return
    state.releases.pop()
    if (isThere(state, first)) release(state, log, first)
  }
}

/** Returns the arrival time of the earliest order that is past its speed bump and waits for a tick,
 *  or `null`. A price observed at or after that time releases the order. */
export function dueArrival({ orders }: State, { waiting }: Market): number | null {
  const id = waiting.firstForTick()
  return id === 0 ? null : orders.createdAt(orders.slotOf(id))
}
