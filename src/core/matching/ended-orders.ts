// Orders in the book that have ended but have not been removed yet: expired orders (ORDER-14), and
// orders of a maker whose protection tripped (ORDER-18). A match that meets one closes it.

import { EXPIRED, MMP } from '../orders/order-life.ts'
import { PROTECTED } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'
import { expireTimeOf, hasOverdue, isOver } from '../timing/expiry.ts'

export const LIVES = -1

/** Whether there may be such an order, so that most walks need not check. */
export function hasEnded(state: State): boolean {
  return hasOverdue(state) || state.mmpQueue.size !== 0
}

/** Why the order has ended. */
export function endReasonOf(state: State, slot: number): number {
  if (isOver(state, expireTimeOf(state, slot))) return EXPIRED
  const { orders, mmpQueue } = state
  if ((orders.flags(slot) & PROTECTED) === 0) return LIVES
  return mmpQueue.has(orders.position(slot)) ? MMP : LIVES
}
