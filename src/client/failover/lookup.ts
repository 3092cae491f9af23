// Reads that find the outcome of a request.

import type { ReplyOf } from '../../protocol/route-schemas.ts'
import type { RouteName } from '../../protocol/routes.ts'
import { ApiRefusal } from '../errors.ts'
import type { Fields } from '../requests.ts'
import type { KnownOrders } from './known-orders.ts'

export type Lookup = Readonly<{
  read<N extends RouteName>(name: N, fields: Fields): Promise<ReplyOf<N>>
  known: KnownOrders
}>

/** `nothing`: the request had no effect. `unknown`: the orders do not show whether it had one. */
export type Found = Readonly<{ reply: unknown }> | 'nothing' | 'unknown'

export type Finder = (lookup: Lookup, body: Fields) => Promise<Found>

export type OrderEvent = ReplyOf<'get_order_events'>[number]
export type OrderRow = ReplyOf<'get_order_history'>['rows'][number]

/** Returns an order by its id or client id, as of its latest event; `null` if it does not exist. */
export async function orderOf({ read }: Lookup, named: Fields): Promise<OrderEvent | null> {
  const { account, order_id, client_order_id } = named
  const by = order_id == null ? { client_order_id } : { order_id }
  const events = await orNone(read('get_order_events', { account, ...by }))
  return events?.[0] ?? null
}

export async function orNone<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    // A missing order is a valid answer here.
    if (error instanceof ApiRefusal && error.reason === 'ORDER_NOT_FOUND') return null
    throw error
  }
}

/** Lists are newest first, so that one page contains the orders of a recent request. */
export const pageMax = 100
