// Orders with an expiry (ORDER-14). A bit of the order says that there is one, and only then is it
// looked up. An order past its time is treated as closed.

import { type Rejection, refuse } from '../commands/rejections.ts'
import * as pool from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'

// As a constant of this module it is part of the machine code (docs/performance.md).
const { EXPIRES } = pool

/** When the order ends, if not before; null: nothing ends it then. */
export function expireTimeOf({ orders, expiries }: State, slot: number): number | null {
  return (orders.flags(slot) & EXPIRES) === 0 ? null : expiries.timeAt(orders.expiry(slot))
}

/** Its turn in the due work may be yet to come. */
export function isOver(state: State, expireTime: number | null): boolean {
  return expireTime !== null && expireTime <= state.atMs
}

/** Whether an expired order or stop may wait for its turn, so that most checks need no lookup. */
export function hasOverdue({ expiries, atMs }: State): boolean {
  return expiries.firstAt() <= atMs
}

/** Checks a requested expiry. `latest`: the maximum, where there is one. */
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
