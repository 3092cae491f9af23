// Order ids that this client has received, by the request that created them. An older order with a
// reused client id must not be mistaken for the new one.

import { batchActions } from '../../protocol/batch-actions.ts'
import type { BatchAction } from '../methods.ts'
import type { Fields } from '../requests.ts'
import { orderIdIn } from './order-ids.ts'

const knownMax = 1_000

type Placed = Readonly<{ order_id?: unknown; order_ids?: readonly unknown[] }>
/** The timestamp identifies the request, because a client never signs two requests with the same
 *  timestamp. */
type KnownOrder = Readonly<{ order: unknown; timestamp: unknown }>

export class KnownOrders {
  private readonly orders = new Map<string, KnownOrder>()

  /** Remembers the orders in the reply to a request. */
  add(name: string, fields: Fields, reply: unknown): void {
    if (name === 'batch_orders') return this.addBatch(fields, reply)
    const key = keyOf(name, fields)
    const { order_id, order_ids } = (reply ?? {}) as Placed
    const order = order_id ?? order_ids?.[0]
    if (key === null || order == null) return
    this.orders.delete(key)
    this.orders.set(key, { order, timestamp: fields.timestamp })
    if (this.orders.size > knownMax) this.orders.delete(this.orders.keys().next().value!)
  }

  /** Whether a different request with the same name and ids created this order. */
  has(name: string, fields: Fields, order: number): boolean {
    const known = this.orders.get(keyOf(name, fields) ?? '')
    return known?.order === order && known.timestamp !== fields.timestamp
  }

  private addBatch({ actions, timestamp }: Fields, reply: unknown): void {
    const { results } = reply as { results: readonly Placed[] }
    for (const [at, { type, data }] of (actions as readonly BatchAction[]).entries())
      if (type !== 'Quote')
        this.add(batchActions[type], { timestamp, ...(data as Fields) }, results[at])
  }
}

function keyOf(name: string, fields: Fields): string | null {
  if (name === 'edit_order') return `edit ${fields.order_id ?? fields.client_order_id}`
  return orderIdIn(name, fields)
}
