// Orders with an expiry (ORDER-14). A flag of the order says that it has one; only then is it
// looked up. An expired order is treated as closed.

import { type Rejection, refuse } from '../commands/rejections.ts'
import * as pool from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'

// A module constant is compiled into the machine code (docs/performance.md).
const { EXPIRES } = pool

/** Returns the expiry of an order, or `null`. */
export function expireTimeOf({ orders, expiries }: State, slot: number): number | null {
  return (orders.flags(slot) & EXPIRES) === 0 ? null : expiries.timeAt(orders.expiry(slot))
}

/** Whether an order has expired. It may not have been removed yet. */
export function isOver(state: State, expireTime: number | null): boolean {
  return expireTime !== null && expireTime <= state.atMs
}

/** Whether an expired order or stop may not have been removed yet, so that most checks need no
 *  lookup. */
export function hasOverdue({ expiries, atMs }: State): boolean {
  return expiries.firstAt() <= atMs
}

/** Checks a requested expiry. `latest`: the latest permitted time, if any. */
export function timeRefusal(
  state: State,
  expireTime: number | null,
  latest: number | null = null,
): Rejection | null {
  const earliest = state.atMs + state.rules.limits.expireAheadMsMin
  if (expireTime === null) return null
  const whole = Number.isSafeInteger(expireTime)
  if (whole && expireTime >= earliest && expireTime <= (latest ?? expireTime)) return null
  const range = latest === null ? [earliest] : [earliest, latest]
  return refuse('INVALID_TIME', whole ? expireTime : 0, ...range)
}
