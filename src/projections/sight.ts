// The reader of an account, which determines the orders that are shown. The owner sees everything.
// To all others an order exists from its release on, in every mode; where reads are `resting`,
// stops, levels, OCO legs and algos are hidden from them as well.

import type { OrderEventName } from '../protocol/words.ts'

/** `all`: the owner. `released`: others, if reads are public. `resting`: others, in the other
 *  modes. */
export type Sight = 'all' | 'released' | 'resting'

type Listed = Readonly<{
  /** It waits for its first release, came with an order that does, or ended without a release. */
  unreleased: boolean
  stopPrice: number | null
  oco: number | null
}>

export function isSeen(sight: Sight, { unreleased, stopPrice, oco }: Listed): boolean {
  if (sight === 'all') return true
  if (unreleased) return false
  return sight === 'released' || (stopPrice === null && oco === null)
}

type Linked = Readonly<{ parent: number | null; source?: number | null }>

/** The order without links to orders that are hidden from the reader. `isUnreleased`: of an order
 *  id. */
export function withSeenLinks<T extends Linked>(
  sight: Sight,
  order: T,
  isUnreleased: (order: number) => boolean,
): T {
  if (sight === 'all' || order.parent === null) return order
  if (sight === 'released' && !isUnreleased(order.parent)) return order
  return { ...order, parent: null, ...(order.source === undefined ? {} : { source: null }) }
}

/** The name of a step; if algos and stops are hidden, it does not reveal that an order came from
 *  one. */
export function seenEvent<E extends OrderEventName>(sight: Sight, event: E): E | 'make' {
  const reveals = event === 'stop_upgrade' || event === 'twap_triggered'
  return sight === 'resting' && reveals ? 'make' : event
}
