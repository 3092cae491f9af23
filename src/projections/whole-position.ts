// How large a stop is that was set without a size: it follows the position. While it is open that
// is what the position is; with the position gone, what there was when the command began that
// ended it.

import { closableLots, type Side } from '../core/index.ts'

type Held = Readonly<{
  now: number
  /** Before the command whose events are being read. */
  began: number
}>

/** The size to report for a step, which may be its end; 0 if there is nothing to close. */
export function wholeSize(side: Side, { now, began }: Held): number {
  return closableLots(side, now) || closableLots(side, began)
}
