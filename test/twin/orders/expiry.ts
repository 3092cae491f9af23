// The moment from which an order must not trade (docs/rules/orders.md, ORDER-14).

import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { bookOf } from '../rule-books.ts'
import type { Naive } from '../state.ts'
import { given, isInt } from '../units/numbers.ts'

export type Timed = { expireTime: number | null }

export function isPast(naive: Naive, { expireTime }: Timed): boolean {
  return expireTime !== null && naive.now >= expireTime
}

/** `latest`: ALGO-2 allows no later one. */
export function timeRefusal(
  naive: Naive,
  expireTime: unknown,
  latest: number | null = null,
): Rejection | null {
  const earliest = naive.now + bookOf(naive).limits.expireAheadMsMin
  if (expireTime === null || expireTime === undefined) return null
  const isLate = (time: number) => latest !== null && time > latest
  if (isInt(expireTime) && expireTime >= earliest && !isLate(expireTime)) return null
  return refuse('INVALID_TIME', given(expireTime), earliest, latest ?? 0)
}
