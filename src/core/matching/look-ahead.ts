// The next orders of a level, and the data that closing one of them needs, read early: the
// processor fetches all of it from memory in parallel instead of one by one. It pays only where a
// taker meets a hundred thousand ended orders (docs/performance.md).

import * as pool from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'

const { EXPIRES } = pool

const AHEAD = 64

export class LookAhead {
  /** Has no meaning: without a use of the sum the reads would be optimised away. */
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
