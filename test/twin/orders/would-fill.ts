// Whether an order that must be filled as a whole would be (ORDER-4, step 4).

import { marketOf, reachable } from '../core/lookup.ts'
import { bookOf } from '../rule-books.ts'
import type { Naive, Order } from '../state.ts'
import { matchOrder } from './match.ts'

/** FOK: a run on a copy of the whole exchange, against the orders that are looked at, says whether
 *  it is filled. */
export function wouldFill(naive: Naive, order: Order, price: bigint, checked = false): boolean {
  const light: Naive = { ...naive, events: [], references: [], withdrawals: [] }
  const copy = structuredClone({ naive: light, order })
  copy.order.price = price
  const { ordersWalked } = bookOf(naive).limits
  const within = reachable(marketOf(naive, order.market), order.side, price).slice(0, ordersWalked)
  const ids = within.map(({ id }) => id)
  matchOrder(copy.naive, copy.order, { checked, ids })
  return copy.order.remaining === 0n
}
