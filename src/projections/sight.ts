// Who reads an account, and so which of its orders are shown. The owner sees everything. To all
// others an order exists from its release on, in every mode; where reads are `resting`, stops,
// levels, OCO legs and algos are the owner's as well.

import type { OrderEventName } from '../protocol/words.ts'

/** `all`: the owner's. `released`: others', where reads are public. `resting`: others',
 *  elsewhere. */
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

/** The order without links to what the reader must not know of. `isUnreleased`: of an order id. */
export function withSeenLinks<T extends Linked>(
  sight: Sight,
  order: T,
  isUnreleased: (order: number) => boolean,
): T {
  if (sight === 'all' || order.parent === null) return order
  if (sight === 'released' && !isUnreleased(order.parent)) return order
  return { ...order, parent: null, ...(order.source === undefined ? {} : { source: null }) }
}

/** The name of a step; where algos and stops are hidden, so is that an order came from one. */
export function seenEvent<E extends OrderEventName>(sight: Sight, event: E): E | 'make' {
  const reveals = event === 'stop_upgrade' || event === 'twap_triggered'
  return sight === 'resting' && reveals ? 'make' : event
}
