// The moment from which an order must not trade (docs/rules/orders.md, ORDER-14).

import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { bookOf } from '../rule-books.ts'
import type { Naive } from '../state.ts'
import { given, isInt } from '../units/numbers.ts'

export type Timed = { expireTime: number | null }

export function isPast(naive: Naive, { expireTime }: Timed): boolean {
  return expireTime !== null && naive.now >= expireTime
}

export function timeRefusal(naive: Naive, expireTime: unknown): Rejection | null {
  const earliest = naive.now + bookOf(naive).limits.expireAheadMsMin
  const none = expireTime === null || expireTime === undefined
  if (none || (isInt(expireTime) && expireTime >= earliest)) return null
  return refuse('INVALID_TIME', given(expireTime), earliest)
}
