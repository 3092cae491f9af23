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

/** `nothing`: it has left no trace. `unknown`: it would leave none that can be told apart. */
export type Found = Readonly<{ reply: unknown }> | 'nothing' | 'unknown'

export type Finder = (lookup: Lookup, body: Fields) => Promise<Found>

export type OrderEvent = ReplyOf<'get_order_events'>[number]
export type OrderRow = ReplyOf<'get_order_history'>['rows'][number]

/** An order as it is after its newest event, by its id or its client id; null: there is none. */
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

/** Newest first; a recent request is among these. */
export const pageMax = 100
