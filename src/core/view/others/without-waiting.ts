// The state as visible to accounts other than the owner: without orders that wait for their first
// release (ORDER-3), and without orders of fired stops that wait for their next run (TRIG-3). A
// waiting order reserves margin, counts as open and uses its client id; each of these figures would
// reveal it.

import { levelSlots } from '../../commands/level-ids.ts'
import { clientIdKey } from '../../drafts/client-ids.ts'
import { recountOpen, uncountOpen } from '../../orders/order-life.ts'
import { GOES_ON, WAITING } from '../../pools/order-pool.ts'
import type { State } from '../../state/state.ts'

/** Whether the order in this slot waits, and either has never traded or belongs to a fired stop
 *  that is still executing. Only the owner may see it. */
export function isUnreleased({ orders }: State, slot: number): boolean {
  if (orders.stage(slot) !== WAITING) return false
  if ((orders.flags(slot) & GOES_ON) !== 0) return true
  return orders.remaining(slot) + orders.cancelled(slot) === orders.size(slot)
}

/** Like `isUnreleased`, for an order id, or for a level attached to such an order. */
export function isUnreleasedId(state: State, id: number): boolean {
  const slot = state.orders.slotOf(id)
  if (slot !== 0) return isUnreleased(state, slot)
  const trigger = state.triggers.get(id)
  // A fired stop passed its levels to an order with a higher id. Those levels were visible before.
  if (trigger === undefined || trigger.parent === 0 || trigger.parent > id) return false
  const parent = state.orders.slotOf(trigger.parent)
  return parent !== 0 && isUnreleased(state, parent)
}

/** Runs `work`, which only reads, as if no account of this account's owner had an unreleased order.
 *  Restores sums, counts and client ids afterwards. */
export function withoutWaiting<T>(state: State, account: number, work: () => T): T {
  const hidden = unreleasedOf(state, account)
  if (hidden.length === 0) return work()
  const taken = hidden.flatMap((slot) => takenClientIds(state, slot))
  for (const slot of hidden) uncount(state, slot, 1)
  for (const { ids, key } of taken) ids.set(key, 0)
  try {
    return work()
  } finally {
    for (const { ids, key, id } of taken) ids.set(key, id)
    for (const slot of hidden) uncount(state, slot, -1)
  }
}

/** Slots of unreleased orders of all accounts of the owner. */
function unreleasedOf(state: State, account: number): number[] {
  const { accounts, positions, orders } = state
  const found: number[] = []
  const owner = accounts.main[account]!
  for (const member of [owner, ...accounts.records[owner]!.subaccounts])
    for (let row = accounts.rows[member]!; row !== 0; row = positions.nextOfAccount[row]!)
      for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot))
        if (isUnreleased(state, slot)) found.push(slot)
  return found
}

function levelsOf(state: State, slot: number): number[] {
  const attached = state.attached.get(state.orders.id(slot))
  if (attached === undefined) return []
  return levelSlots.flatMap((kind) => attached[kind].filter((id) => isUnreleasedId(state, id)))
}

/** Removes an order and its levels from every sum and count, or restores them (`by` −1). */
function uncount(state: State, slot: number, by: 1 | -1): void {
  const { orders, positions, accounts } = state
  const row = orders.position(slot)
  const account = orders.account(slot)
  const lots = orders.remaining(slot)
  const levels = levelsOf(state, slot).length
  if (by === 1) uncountOpen(state, slot, lots)
  else recountOpen(state, slot, lots)
  positions.orderCount[row] = positions.orderCount[row]! - by
  positions.stopCount[row] = positions.stopCount[row]! - levels * by
  accounts.openCount[account] = accounts.openCount[account]! - (1 + levels) * by
}

type TakenId = Readonly<{ ids: Map<string, number>; key: string; id: number }>

function takenClientIds(state: State, slot: number): TakenId[] {
  const ids = state.accounts.records[state.orders.account(slot)]!.clientIds
  return [state.orders.id(slot), ...levelsOf(state, slot)].flatMap((id) => {
    const text = state.clientIds.get(id)
    return text === undefined || ids === null ? [] : [{ ids, key: clientIdKey(text), id }]
  })
}
