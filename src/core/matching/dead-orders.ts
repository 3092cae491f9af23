// Orders that are over and still stand in the book until their turn comes: past their time
// (ORDER-14), or of a maker whose protection was tripped (ORDER-18). Whoever meets one ends it.

import { EXPIRED, MMP } from '../orders/order-life.ts'
import { PROTECTED } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'
import { expireTimeOf, hasOverdue, isOver } from '../timing/expiry.ts'

export const LIVES = -1

/** There may be one: else nobody has to look. */
export function hasDead(state: State): boolean {
  return hasOverdue(state) || state.mmpQueue.size !== 0
}

/** Why it is over. */
export function deathOf(state: State, slot: number): number {
  if (isOver(state, expireTimeOf(state, slot))) return EXPIRED
  const { orders, mmpQueue } = state
  if ((orders.flags(slot) & PROTECTED) === 0) return LIVES
  return mmpQueue.has(orders.position(slot)) ? MMP : LIVES
}
