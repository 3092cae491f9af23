// Cancels one order, all orders, or all that are not protective (ORDER-8, TRIG-7). Never delayed.

import { admissionRefusal, isOpenTo, marketAdmissionRefusal } from '../admission/admit.ts'
import { algosOf } from '../algos/algo-life.ts'
import { stopAlgo } from '../algos/stop-algo.ts'
import type { CancelAllOrders, CancelOrder, CancelStop } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { cancelLeg, cancelLive } from '../oco/end-leg.ts'
import { GOES_ON, LINKED, REDUCE_ONLY } from '../pools/order-pool.ts'
import { rests } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { triggerKindOf } from '../state/trigger-kinds.ts'
import { findAlgo, findFired, findSlot, findTrigger } from './find-order.ts'
import { cancelKept, type Spared } from './kept-actions.ts'
import { BY_OWNER, cancelSlot } from './order-life.ts'

export function cancelOrder(
  state: State,
  log: EventLog,
  command: CancelOrder | CancelStop,
): Rejection | null {
  const { account, market, proof } = command
  if (proof !== null || !isOpenTo(state, account, market)) {
    const refusal = marketAdmissionRefusal(state, log, command, 'trade')
    if (refusal !== null) return refusal
  }
  return cancelAdmitted(state, log, command)
}

export function cancelAdmitted(
  state: State,
  log: EventLog,
  command: CancelOrder | CancelStop,
): Rejection | null {
  const { account, market } = command
  if (command.type === 'CancelOrder') {
    const slot = findSlot(state, account, market, command)
    if (slot !== 0) {
      if ((state.orders.flags(slot) & LINKED) === 0) cancelSlot(state, log, slot, BY_OWNER, 0)
      else cancelLeg(state, log, state.orders.id(slot), BY_OWNER)
      return null
    }
    const algo = findAlgo(state, account, market, command)
    if (algo !== undefined) {
      stopAlgo(state, log, algo, 'owner')
      return null
    }
  }
  const fired = findFired(state, account, market, command)
  if (fired !== 0) {
    cancelSlot(state, log, fired, BY_OWNER, 0)
    return null
  }
  const trigger = findTrigger(state, account, market, command)
  if (trigger === undefined) return notFound(command.order)
  cancelLeg(state, log, trigger.id, BY_OWNER)
  return null
}

export function notFound(order: number | null): Rejection {
  return refuse('ORDER_NOT_FOUND', Number.isSafeInteger(order) ? order! : 0)
}

export function cancelAllOrders(
  state: State,
  log: EventLog,
  command: CancelAllOrders,
): Rejection | null {
  const { market } = command
  const refusal =
    market === null
      ? admissionRefusal(state, log, command, 'trade')
      : marketAdmissionRefusal(state, log, { ...command, market }, 'trade')
  return refusal ?? cancelAllAdmitted(state, log, command, state.nextOrderId)
}

/** Cancels orders with an id below `before`, then algos that have no open order now. */
export function cancelAllAdmitted(
  state: State,
  log: EventLog,
  { account, market, excludeReduceOnly }: CancelAllOrders,
  before: number,
): null {
  const spared = excludeReduceOnly ? 'reduce-only' : 'none'
  const ids = liveOrders(state, account, market ?? 0, spared).filter((id) => id < before)
  cancelEach(state, log, account, ids, BY_OWNER)
  cancelKept(state, log, { account, market: market ?? 0, spared, before }, 'owner')
  for (const algo of algosOf(state, account)) {
    const meant = algo.id < before && (market === null || algo.market === market)
    const spares = excludeReduceOnly && algo.reduceOnly
    if (meant && rests(algo) && algo.orders.length === 0 && !spares)
      stopAlgo(state, log, algo, 'owner')
  }
  return null
}

/** Ends these orders, skipping those that ended together with an earlier one. Returns how many
 *  ended. */
export function cancelEach(
  state: State,
  log: EventLog,
  account: number,
  ids: readonly number[],
  reason: number,
): void {
  const before = state.accounts.openCount[account]!
  for (const id of ids)
    if (state.orders.slotOf(id) !== 0 || state.triggers.has(id)) cancelLive(state, log, id, reason)
  const count = before - state.accounts.openCount[account]!
  log.write({ type: 'AllOrdersCancelled', account, count })
}

/** Open orders, waiting orders, stops and levels of an account, by rising id. `market` 0: all.
 *  `reduce-only` spares everything that is reduce-only. `protective` spares only reduce-only stops
 *  and levels, and orders of such stops that are still executing (TRIG-3). */
export function liveOrders(state: State, account: number, market: number, spare: Spared): number[] {
  const { positions, orders } = state
  const ids: number[] = []
  const sparedFlag = spare === 'reduce-only' ? REDUCE_ONLY : spare === 'protective' ? GOES_ON : 0
  for (let row = state.accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    if (market !== 0 && positions.market[row] !== market) continue
    for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot)) {
      if ((orders.flags(slot) & sparedFlag) === 0) ids.push(orders.id(slot))
    }
  }
  for (const id of state.accounts.records[account]!.stops ?? []) {
    const trigger = state.triggers.get(id)!
    if (market !== 0 && trigger.market !== market) continue
    const protective = trigger.reduceOnly || triggerKindOf(trigger.kind).level !== null
    if (spare === 'none' || !protective) ids.push(id)
  }
  return ids.sort((one, other) => one - other)
}
