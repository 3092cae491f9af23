// Runs before a command of an account: its own queued reactions, then its funding (CORE-2, step 3).
// Only entries of this account are visited, because thousands of others may wait in the same
// queues.

import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { liquidationTurn } from '../liquidation/liquidation-turn.ts'
import { mmpTurn } from '../orders/trips.ts'
import { scopeNumber, scopeOfRow } from '../solvency/scope.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from '../state/trigger.ts'
import { byTurn } from '../state/trigger-queue.ts'
import { fireTrigger } from '../triggers/fire-trigger.ts'

export function settleAccount(state: State, log: EventLog, account: number): void {
  const { triggerQueue, liquidationQueue, mmpQueue } = state
  if (triggerQueue.size !== 0)
    for (const trigger of reachedOf(state, account))
      if (triggerQueue.delete(trigger)) fireTrigger(state, log, trigger)
  if (liquidationQueue.size !== 0) {
    state.riskUnitsLeft = state.ownRiskUnitsLeft
    for (const number of liquidationQueue.among(scopesOf(state, account)))
      if (state.riskUnitsLeft > 0 && liquidationQueue.delete(number))
        liquidationTurn(state, log, number)
    state.ownRiskUnitsLeft = state.riskUnitsLeft
  }
  if (mmpQueue.size !== 0)
    for (const row of mmpQueue.among(rowsOf(state, account)))
      if (mmpQueue.delete(row)) mmpTurn(state, log, row)
  if (state.openPools !== 0) settleFunding(state, log, account)
}

function* rowsOf({ accounts, positions }: State, account: number): Generator<number> {
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) yield row
}

/** Returns the account's queued triggers in queue order. */
function reachedOf(state: State, account: number): Trigger[] {
  const ids = [...(state.accounts.records[account]!.stops ?? [])]
  const reached = ids.map((id) => state.triggers.get(id)!).filter(({ wave }) => wave !== 0)
  return reached.sort(byTurn)
}

/** Returns all scopes of the account: the cross account and its isolated positions. */
function scopesOf(state: State, account: number): Set<number> {
  const scopes = new Set([scopeNumber({ account, market: 0 })])
  for (const row of rowsOf(state, account)) scopes.add(scopeNumber(scopeOfRow(state, row)))
  return scopes
}
