// The reply to a placed order.

import type { Event } from '../../../core/index.ts'
import { placedOrderIn } from './order-outcome.ts'

export function placedReplyOf(events: readonly Event[]) {
  const placed = placedOrderIn(events)
  if (placed === undefined) throw new Error('the engine placed no order and refused none')
  return {
    order_id: placed.order,
    client_order_id: placed.clientOrderId,
    order_status: placed.status,
  }
}
