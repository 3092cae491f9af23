// The size of a stop for the whole position. While the position is open, it is the size of the
// position; afterwards, the size at the beginning of the command that closed it.

import { closableLots } from '../core/index.ts'
import type { Side } from '../words/order-words.ts'

type Held = Readonly<{
  now: number
  /** Signed lots before the command whose events are being read. */
  began: number
}>

/** The size to report for a step, which may be the last one; 0 if there is nothing to close. */
export function wholeSize(side: Side, { now, began }: Held): number {
  return closableLots(side, now) || closableLots(side, began)
}
