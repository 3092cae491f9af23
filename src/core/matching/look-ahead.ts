// Prefetches the next orders of a level and the data needed to close each of them, so that the
// processor loads them from memory in parallel. This pays only when a taker meets a hundred
// thousand ended orders (docs/performance.md).

import * as pool from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'

const { EXPIRES } = pool

const AHEAD = 64

export class LookAhead {
  /** The value is meaningless; it is stored only so that the reads are not optimised away. */
  sum = 0

  private left = 0

  /** Called for each order of a walk. Prefetches the next orders when those read before are used
   *  up. */
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
