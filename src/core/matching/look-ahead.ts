// The next orders of a level, and what ending one of them asks for, read before they are needed:
// the processor fetches from memory for all of them at once what it would wait for one by one. It
// pays where a taker meets a hundred thousand dead orders (docs/performance.md), nowhere else.

import * as pool from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'

const { EXPIRES } = pool

const AHEAD = 64

export class LookAhead {
  /** Of no meaning: a sum that nobody kept would not be computed. */
  sum = 0

  private left = 0

  /** One order after the other of a walk; where those are behind it that were read, the next. */
  pass(state: State, maker: number): void {
    if (this.left === 0) {
      this.left = AHEAD
      this.read(state, maker)
    }
    this.left -= 1
  }

  private read({ orders, expiries }: State, from: number): void {
    let sum = 0
    let slot = from
    for (let count = 0; count < AHEAD && slot !== 0; count++) {
      const id = orders.id(slot)
      sum += orders.flags(orders.rowNext(slot)) + orders.flags(orders.rowPrev(slot))
      sum += orders.slotOf(id)
      if ((orders.flags(slot) & EXPIRES) !== 0) sum += expiries.timeAt(orders.expiry(slot))
      slot = orders.levelNext(slot)
    }
    this.sum = sum
  }
}
