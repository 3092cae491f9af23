// Whether an order that must be filled as a whole would be (ORDER-4, step 4).

import { marketOf, reachable } from '../core/lookup.ts'
import type { Naive, Order } from '../state.ts'
import { matchOrder } from './match.ts'

/** FOK: a run on a copy of the whole exchange says whether it is filled, and by whom. */
export function wouldFill(
  naive: Naive,
  order: Order,
  price: bigint,
  most: number,
  asked = false,
): boolean {
  const light: Naive = { ...naive, events: [], references: [], withdrawals: [] }
  const copy = structuredClone({ naive: light, order })
  copy.order.price = price
  matchOrder(copy.naive, copy.order, asked)
  const within = reachable(marketOf(naive, order.market), order.side, price)
  const looked = within.slice(0, most).map(({ id }) => id)
  const trades = copy.naive.events.filter((event) => event.type === 'Traded')
  return copy.order.remaining === 0n && trades.every((trade) => looked.includes(trade.makerOrder))
}
