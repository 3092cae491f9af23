// What a reader may see of an account's orders. The owner sees all orders. For other readers an
// order exists from its release on. If reads are `resting`, stops, levels, OCO legs and algos are
// hidden from them as well.

import type { OrderEventName } from '../protocol/words.ts'

/** `all`: the owner. `released`: other readers, if reads are public. `resting`: other readers,
 *  otherwise. */
export type Sight = 'all' | 'released' | 'resting'

type Listed = Readonly<{
  /** Whether the order waits for its first release, came with an order that does, or ended without
   *  a release. */
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

/** Removes links to orders that are hidden from the reader. `isUnreleased` checks an order id. */
export function withSeenLinks<T extends Linked>(
  sight: Sight,
  order: T,
  isUnreleased: (order: number) => boolean,
): T {
  if (sight === 'all' || order.parent === null) return order
  if (sight === 'released' && !isUnreleased(order.parent)) return order
  return { ...order, parent: null, ...(order.source === undefined ? {} : { source: null }) }
}

/** The event name for the reader. If stops and algos are hidden, it does not show that an order
 *  came from one. */
export function seenEvent<E extends OrderEventName>(sight: Sight, event: E): E | 'make' {
  const reveals = event === 'stop_upgrade' || event === 'twap_triggered'
  return sight === 'resting' && reveals ? 'make' : event
}
