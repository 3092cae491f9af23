// What becomes of protected quotes (ORDER-18): fills of them are counted, the order that took too
// much may take all that is shown, and then they go, when their turn comes or the next taker does.

import { broken } from '../../units/invariant.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { cancelSlot, MMP } from './order-life.ts'

/** Rows that the order under way has brought to a limit, the first first. */
const marked = new Set<number>()

/** A fill of a protected order of this row; `net` is signed. */
export function countFill(state: State, row: number, lots: number, net: number): void {
  if (state.protections.get(row)?.add(state.atMs, lots, net) === true) marked.add(row)
}

/** The order that took has run. */
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

/** The turn of a row: its protected orders end. */
export function mmpTurn(state: State, log: EventLog, row: number): void {
  for (const id of [...(state.protectedOrders.get(row) ?? [])].sort((a, b) => a - b)) {
    const slot = state.orders.slotOf(id)
    if (slot === 0) broken('a protected order does not exist', id)
    cancelSlot(state, log, slot, MMP, 0)
  }
}
