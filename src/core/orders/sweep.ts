// Cancels orders that their account can no longer carry (LIQ-8), because displayed depth must be
// executable. Only a closing fill can lose money that open orders had reserved.

import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { AccountSums, sumAccount } from '../margin/margin.ts'
import { surelyCovered } from '../margin/quick-checks.ts'
import * as pool from '../pools/order-pool.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { cancelSlot, NO_MARGIN } from './order-life.ts'

// A module constant is compiled into the machine code (docs/performance.md).
const { REDUCE_ONLY } = pool

const sums = new AccountSums()

/** Called after a closing fill of this row. */
export function queueSweep(state: State, market: Market, row: number): void {
  const account = state.positions.account[row]!
  if (surelyCovered(state, market, row, account)) return
  if (isShort(state, account) && hasOpenOrder(state, account)) state.sweepQueue.add(account)
}

/** Whether equity is below what the account's positions and orders require. */
function isShort(state: State, account: number): boolean {
  sumAccount(state, account, 0, sums)
  return sums.equity < sums.requirement
}

/** Whether the account has an open order that is not reduce-only. Others are not counted in these
 *  sums. */
function hasOpenOrder({ accounts, positions }: State, account: number): boolean {
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!)
    if (positions.buys[row] !== 0 || positions.sells[row] !== 0) return true
  return false
}

/** The turn of an account: cancels its newest orders until it can carry all others. */
export function sweepTurn(state: State, log: EventLog, account: number): void {
  settleFunding(state, log, account)
  for (const id of newestFirst(state, account)) {
    if (!isShort(state, account)) return
    const slot = state.orders.slotOf(id)
    if (slot !== 0) cancelSlot(state, log, slot, NO_MARGIN, 0)
  }
}

function newestFirst({ accounts, positions, orders }: State, account: number): number[] {
  const ids: number[] = []
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!)
    for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot))
      if ((orders.flags(slot) & REDUCE_ONLY) === 0) ids.push(orders.id(slot))
  return ids.sort((one, other) => other - one)
}
