// Market maker protection (ORDER-18): counts fills of protected quotes. The order that exceeds a
// limit may take all displayed quotes. Afterwards they are cancelled, at their turn or when the
// next taker meets them.

import { broken } from '../../units/invariant.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { cancelSlot, MMP } from './order-life.ts'

/** Rows that the current order has brought to a limit, in order. */
const marked = new Set<number>()

/** Counts a fill of a protected order of this row. `net` is signed. */
export function countFill(state: State, row: number, lots: number, net: number): void {
  if (state.protections.get(row)?.add(state.atMs, lots, net) === true) marked.add(row)
}

/** Called after the taking order has run: trips the protection of the marked rows. */
export function tripMarked(state: State, log: EventLog): void {
  if (marked.size === 0) return
  for (const row of marked) {
    const protection = state.protections.get(row)!
    const { frozenMs } = protection.limits
    const until = frozenMs === 0 ? 0 : state.atMs + frozenMs
    protection.until = until
    protection.empty()
    state.mmpQueue.add(row)
    const { account, market } = state.positions
    log.write({ type: 'MmpTripped', account: account[row]!, market: market[row]!, until })
  }
  marked.clear()
}

/** The turn of a row: cancels its protected orders. */
export function mmpTurn(state: State, log: EventLog, row: number): void {
  for (const id of [...(state.protectedOrders.get(row) ?? [])].sort((a, b) => a - b)) {
    const slot = state.orders.slotOf(id)
    if (slot === 0) broken('a protected order does not exist', id)
    cancelSlot(state, log, slot, MMP, 0)
  }
}
