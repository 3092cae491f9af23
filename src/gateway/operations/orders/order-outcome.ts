// Derives the outcome of an order from the events of its command.

import type { Event } from '../../../core/index.ts'

export type PlacedOrder = Readonly<{
  order: number
  clientOrderId: string | null
  status: 'open' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected'
}>

/** The order that the command placed for its owner; undefined if there is none. */
export function placedOrderIn(events: readonly Event[]): PlacedOrder | undefined {
  const placed = events.find((event) => event.type === 'OrderPlaced' && event.origin === 'user')
  if (placed?.type !== 'OrderPlaced') return undefined
  const { order, clientOrderId, waiting } = placed
  return { order, clientOrderId, status: waiting ? 'open' : statusOf(order, events) }
}

function statusOf(order: number, events: readonly Event[]): PlacedOrder['status'] {
  let took = false
  for (const event of events) {
    if (event.type === 'Traded' && event.takerOrder === order) took = true
    if (event.type === 'OrderRested' && event.order === order)
      return took ? 'partially_filled' : 'open'
    if (event.type === 'OrderCancelled' && event.order === order)
      return event.reason === 'post_only_rejected' ? 'rejected' : 'cancelled'
  }
  return 'filled'
}

/** The reply to a placed order. */
export function placedReplyOf(events: readonly Event[]) {
  const placed = placedOrderIn(events)
  if (placed === undefined) throw new Error('the engine placed no order and refused none')
  return {
    order_id: placed.order,
    client_order_id: placed.clientOrderId,
    order_status: placed.status,
  }
}
