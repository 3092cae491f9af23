// The next orders of a level, and what ending one of them asks for, read before they are needed:
// the processor fetches from memory for all of them at once what it would wait for one by one. It
// pays where a taker meets a hundred thousand dead orders (docs/performance.md), nowhere else.

import * as pool from '../orders/order-pool.ts'
import type { State } from '../state/state.ts'

const { EXPIRES } = pool

export const AHEAD = 64

class Fetched {
  /** Of no meaning: a sum that nobody kept would not be computed. */
  sum = 0

  /** From this order on, AHEAD of them. */
  read({ orders, expiries }: State, from: number): void {
    let sum = 0
    let slot = from
    for (let left = AHEAD; left > 0 && slot !== 0; left--) {
      const id = orders.id(slot)
      sum += orders.flags(orders.rowNext(slot)) + orders.flags(orders.rowPrev(slot))
      sum += orders.slotOf(id)
      if ((orders.flags(slot) & EXPIRES) !== 0) sum += expiries.timeOf(id)
      slot = orders.levelNext(slot)
    }
    this.sum = sum
  }
}

export const fetched = new Fetched()
