// One live order of an account on a market, by id, client id or both (ORDER-8).

import type { OrderRef } from '../commands.ts'
import type { State } from '../state.ts'
import { findClientId } from './client-ids.ts'

/** The id if such an order, stop or level lives there; otherwise 0. */
export function findOrder(
  state: State,
  account: number,
  market: number,
  { order, clientOrderId }: OrderRef,
): number {
  let id = order ?? 0
  if (clientOrderId !== null) {
    const named = findClientId(state, account, clientOrderId)
    if (order !== null && order !== named) return 0
    id = named
  }
  if (!(id >= 1)) return 0
  const slot = state.orders.slots.get(id)
  if (slot !== 0)
    return state.orders.account[slot] === account && state.orders.market[slot] === market ? id : 0
  const trigger = state.triggers.get(id)
  return trigger?.account === account && trigger.market === market ? id : 0
}
