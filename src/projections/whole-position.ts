// Size of a stop without a fixed size: it follows the position. While the position is open it is
// that size; afterwards, the size at the beginning of the command that closed it.

import { closableLots } from '../core/index.ts'
import type { Side } from '../words/order-words.ts'

type Held = Readonly<{
  now: number
  /** Size before the command whose events are being read. */
  began: number
}>

/** The size to report for a step, which may be its end; 0 if there is nothing to close. */
export function wholeSize(side: Side, { now, began }: Held): number {
  return closableLots(side, now) || closableLots(side, began)
}
