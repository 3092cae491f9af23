// Legs of OCO pairs, recounted plainly (TRIG-14).

import type { Event } from '../../../src/core/index.ts'
import type { OrderRow } from '../../../src/projections/history/schema/order-table.ts'

type Leg = Pick<OrderRow, 'status' | 'oco'>

export function isOpen({ status }: Pick<OrderRow, 'status'>): boolean {
  return status === 'open' || status === 'partially_filled'
}

/** Legs whose other leg ended by this command, without them, in the order of these ends. */
export function partedLegs<L extends Leg>(
  orders: ReadonlyMap<number, L>,
  events: readonly Event[],
): readonly L[] {
  const endOf = (id: number) =>
    events.findLastIndex((event) => 'order' in event && event.order === id)
  return [...orders.values()]
    .filter((leg) => isOpen(leg) && leg.oco !== null && !isOpen(orders.get(leg.oco)!))
    .sort((a, b) => endOf(a.oco!) - endOf(b.oco!))
}

/** Where an event stands. */
export type At = Readonly<{
  seq: number
  atMs: number
  isMarket: boolean
  before: Event | undefined
  events: readonly Event[]
  index: number
}>
