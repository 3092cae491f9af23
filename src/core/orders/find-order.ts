// Finds one open order of an account on a market, by id, client id or both (ORDER-8).

import type { OrderRef } from '../commands/commands.ts'
import { findClientId } from '../drafts/client-ids.ts'
import { CHILD, GOES_ON } from '../pools/order-pool.ts'
import { type Algo, rests } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from '../state/trigger.ts'

/** The id of the order, or 0 if id and client id name different orders or both are absent. */
function meantId(state: State, account: number, { order, clientOrderId }: OrderRef): number {
  if (clientOrderId === null) return order ?? 0
  const named = findClientId(state, account, clientOrderId)
  return order === null || order === named ? named : 0
}

/** The slot of a resting or waiting order, or 0. */
export function findSlot(state: State, account: number, market: number, ref: OrderRef): number {
  const { orders } = state
  const id = meantId(state, account, ref)
  const slot = id >= 1 ? orders.slotOf(id) : 0
  return orders.account(slot) === account && orders.market(slot) === market ? slot : 0
}

/** Like `findSlot`, for the order of a fired stop that is still executing (TRIG-3). */
export function findFired(state: State, account: number, market: number, ref: OrderRef): number {
  const slot = findSlot(state, account, market, ref)
  return (state.orders.flags(slot) & GOES_ON) !== 0 ? slot : 0
}

/** Like `findSlot`, for an order that may be edited. The owner cannot edit orders of an algo. */
export function findEditable(state: State, account: number, market: number, ref: OrderRef): number {
  const slot = findSlot(state, account, market, ref)
  return (state.orders.flags(slot) & CHILD) === 0 ? slot : 0
}

/** Finds an algo with resting orders. */
export function findAlgo(
  state: State,
  account: number,
  market: number,
  ref: OrderRef,
): Algo | undefined {
  const algo = state.algos.get(meantId(state, account, ref))
  const found = algo?.account === account && algo.market === market && rests(algo)
  return found ? algo : undefined
}

/** Finds a stop or level. */
export function findTrigger(
  state: State,
  account: number,
  market: number,
  ref: OrderRef,
): Trigger | undefined {
  const trigger = state.triggers.get(meantId(state, account, ref))
  return trigger?.account === account && trigger.market === market ? trigger : undefined
}
