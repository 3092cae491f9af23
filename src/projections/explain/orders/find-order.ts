// Finds all events of an order, a stop, a level or an algo.

import { columnsOf, type Event, type EventOf, type EventType } from '../../../core/index.ts'
import {
  type EventFilter,
  type Found,
  findEvents,
  type Past,
  type Search,
  type Seqs,
} from '../past.ts'
import { OcoLegs } from './linked-legs.ts'

const ofOrders = [
  'ExpirySet',
  'OrderProtected',
  'OrderRested',
  'OrderReduced',
  'TrailSet',
  'StopArmed',
  'StopReduced',
  'StopTriggered',
  'AlgoPlaced',
] as const satisfies readonly EventType[]

const ofAlgos = ['AlgoStepped', 'AlgoFilled', 'AlgoEnded'] as const satisfies readonly EventType[]

export type OrderSearch = Search &
  Readonly<{
    /** Ids of the other leg of an OCO. */
    others: ReadonlySet<number>
    /** Ids of the orders of an algo, ascending. */
    children: ReadonlySet<number>
  }>

/** Finds all events of an order, including its descendants: the order of a stop, an edit, and the
 *  orders of an algo with their trades and ends. */
export async function findOrder(past: Past, id: number, seqs: Seqs): Promise<OrderSearch> {
  const legs = new OcoLegs()
  const search = await findEvents(past, filterOf(id, legs), seqs)
  const children = new Set(
    search.found.flatMap(({ events, at }) => (isChild(events[at]!, id) ? [events[at].order] : [])),
  )
  const mine = (each: Found) => isOf(each.events[each.at]!, id, children)
  return { ...search, found: search.found.filter(mine), others: legs.othersOf(id), children }
}

function filterOf(id: number, legs: OcoLegs): EventFilter {
  // Includes reverted events.
  const ids = new Set([id])
  const placed = columnsOf('OrderPlaced')
  const stop = columnsOf('StopPlaced')
  const linked = columnsOf('OcoLinked')
  const cancelled = columnsOf('OrderCancelled')
  const { takerOrder, makerOrder } = columnsOf('Traded')
  return {
    ...Object.fromEntries(ofOrders.map((type) => [type, equals(columnsOf(type).order, id)])),
    ...Object.fromEntries(ofAlgos.map((type) => [type, equals(columnsOf(type).algo, id)])),
    OcoLinked: (rows, at) => {
      legs.seeLink(rows, at)
      return rows[at + linked.first] === id || rows[at + linked.second] === id
    },
    StopPlaced: (rows, at) => {
      legs.seeStop(rows, at)
      return rows[at + stop.order] === id
    },
    OrderPlaced: (rows, at) => {
      legs.seeOrder(rows, at)
      if (rows[at + placed.parent] !== id) return rows[at + placed.order] === id
      ids.add(rows[at + placed.order]!)
      return true
    },
    OrderCancelled: (rows, at) => ids.has(rows[at + cancelled.order]!),
    Traded: (rows, at) => ids.has(rows[at + takerOrder]!) || ids.has(rows[at + makerOrder]!),
  }
}

const equals = (column: number, id: number) => (rows: Float64Array, at: number) =>
  rows[at + column] === id

function isChild(event: Event, id: number): event is EventOf<'OrderPlaced'> {
  return event.type === 'OrderPlaced' && event.origin === 'algo' && event.parent === id
}

/** Whether the event concerns the order itself, its descendants, or an order of the algo. */
function isOf(event: Event, id: number, children: ReadonlySet<number>): boolean {
  if (event.type === 'OrderCancelled') return event.order === id || children.has(event.order)
  if (event.type !== 'Traded') return true
  const { takerOrder, makerOrder } = event
  return [takerOrder, makerOrder].some((each) => each === id || children.has(each))
}
