// What an account has open: resting and waiting orders, stops, and take-profit or stop-loss levels.

import { sides } from '../../core/index.ts'
import { liveOrders } from '../../core/orders/cancel-order.ts'
import { FROM_TRIGGER } from '../../core/orders/draft.ts'
import { MARKET_ORDER, REDUCE_ONLY } from '../../core/orders/order-pool.ts'
import type { State } from '../../core/state/state.ts'
import type { Trigger } from '../../core/triggers/trigger.ts'
import type { OrderType } from '../../protocol/words.ts'
import { closable } from '../whole-position.ts'

export type OpenOrder = Readonly<{
  order: number
  clientOrderId: string | null
  market: number
  side: 'bid' | 'ask'
  /** Ticks: its limit, or the worst price of a market order; 0 for a stop that makes one. */
  price: number
  initialLots: number
  filledLots: number
  cancelledLots: number
  /** Null: not a stop. */
  stopPrice: number | null
  orderType: OrderType
  /** The order a level is attached to, or the stop an order came from. */
  parent: number | null
  reduceOnly: boolean
  createdAt: number
  updatedAt: number
}>

/** Newest first. */
export function openOrders(state: State, account: number): readonly OpenOrder[] {
  return liveOrders(state, account, 0, 'none')
    .reverse()
    .map((id) => {
      const trigger = state.triggers.get(id)
      return trigger === undefined ? orderOf(state, id) : stopOf(state, trigger)
    })
}

function orderOf(state: State, id: number): OpenOrder {
  const { orders } = state
  const slot = orders.slotOf(id)
  const flags = orders.flags(slot)
  const cancelledLots = orders.cancelled(slot)
  return {
    order: id,
    clientOrderId: state.clientIds.get(id) ?? null,
    market: orders.market(slot),
    side: sides[orders.side(slot)]!,
    price: orders.price(slot),
    initialLots: orders.size(slot),
    filledLots: orders.size(slot) - orders.remaining(slot) - cancelledLots,
    cancelledLots,
    stopPrice: null,
    orderType: (flags & MARKET_ORDER) === 0 ? 'limit' : 'market',
    // An edited order has a parent too, but that one is no stop.
    parent: orders.origin(slot) === FROM_TRIGGER ? orders.parent(slot) : null,
    reduceOnly: (flags & REDUCE_ONLY) !== 0,
    createdAt: orders.createdAt(slot),
    updatedAt: orders.updatedAt(slot),
  }
}

const stopKinds = ['stop', 'take_profit', 'stop_loss'] as const

function stopOf(state: State, trigger: Trigger): OpenOrder {
  const kind = stopKinds[trigger.kind]!
  return {
    order: trigger.id,
    clientOrderId: trigger.clientOrderId,
    market: trigger.market,
    side: sides[trigger.side]!,
    price: trigger.limitPrice,
    initialLots: trigger.wanted === 0 ? wholeOf(state, trigger) : trigger.wanted,
    filledLots: 0,
    cancelledLots: 0,
    stopPrice: trigger.stopPrice,
    orderType: trigger.limitPrice === 0 ? `${kind}_market` : `${kind}_limit`,
    parent: trigger.parent === 0 ? null : trigger.parent,
    reduceOnly: trigger.reduceOnly,
    createdAt: trigger.createdAt,
    updatedAt: trigger.updatedAt,
  }
}

/** Lots of an open stop that was set without a size; null: it is none. */
export function wholeStop(state: State, order: number): number | null {
  const trigger = state.triggers.get(order)
  return trigger?.wanted === 0 ? wholeOf(state, trigger) : null
}

/** A level for the whole position is as large as that is now; before its order has filled, as large
 *  as the order. */
function wholeOf(state: State, trigger: Trigger): number {
  const held = closable(sides[trigger.side]!, state.positions.lots[trigger.position]!)
  if (trigger.armed) return held
  const slot = state.orders.slotOf(trigger.parent)
  return slot === 0 ? held : state.orders.size(slot)
}
