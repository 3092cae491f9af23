// Orders that their account can no longer carry (LIQ-8).

import { ordersOf } from '../core/lookup.ts'
import { settleFunding } from '../funding/funding.ts'
import * as margin from '../margin/margin.ts'
import { endOrder } from '../orders/endings.ts'
import type { Account, Naive, Order } from '../state.ts'

function lacks(naive: Naive, account: Account): boolean {
  return margin.equityOf(naive, account, 0) < margin.requirements(naive, account, null)
}

function sweepable(naive: Naive, account: Account): Order[] {
  return ordersOf(naive, account, null).filter((order) => !order.reduceOnly)
}

/** A fill of the account in the book has closed something. */
export function noteClosed(naive: Naive, account: Account): void {
  if (sweepable(naive, account).length === 0 || !lacks(naive, account)) return
  if (!naive.sweepQueue.includes(account.id)) naive.sweepQueue.push(account.id)
}

/** Its turn: the order with the highest id ends, as often as it takes. */
export function sweep(naive: Naive, account: Account): void {
  settleFunding(naive, account)
  while (lacks(naive, account)) {
    const orders = sweepable(naive, account)
    const newest = orders.reduce<Order | null>((best, one) => {
      return best === null || one.id > best.id ? one : best
    }, null)
    if (newest === null) return
    endOrder(naive, newest, 'margin')
  }
}
