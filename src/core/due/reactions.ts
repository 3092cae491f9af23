// Runs reactions after a command: takeovers, liquidation turns, sweeps, cancelled quotes,
// deleveragings, releases and the premium sample of a tick, triggers and funding payments. Each
// kind has its own limit, so that no kind delays another; the remainder waits for the next command
// (CORE-5). There is no recursion: effects of a reaction join the queues.

import type { EventLog } from '../events/event-log.ts'
import { samplePremium } from '../funding/sample-premium.ts'
import { settleSlice } from '../funding/settle-funding.ts'
import { deleverageTurn } from '../liquidation/deleverage.ts'
import { liquidationTurn } from '../liquidation/liquidation-turn.ts'
import { takeoverTurn } from '../liquidation/takeover.ts'
import { sweepTurn } from '../orders/sweep.ts'
import { mmpTurn } from '../orders/trips.ts'
import type { State } from '../state/state.ts'
import { hasUnits } from '../timing/command-units.ts'
import { fireTrigger } from '../triggers/fire-trigger.ts'
import { releaseByTick } from './releases.ts'

/** Whether reactions are pending: queued work, unsettled funding, or a tick that was just
 *  applied. */
export function hasReactions(state: State): boolean {
  return state.waiting.count !== 0 || state.openPools !== 0 || state.ticked !== null
}

export function runReactions(state: State, log: EventLog): void {
  const { riskUnits, triggerUnits, fundingUnits } = state.rules.limits
  state.riskUnitsLeft = state.rules.limits.riskMatchUnits
  for (let left = riskUnits; left > 0 && state.riskUnitsLeft > 0; left--)
    if (!runRisk(state, log)) break
  deleverageQueued(state, log)
  if (state.ticked !== null) followTick(state, log)
  for (let left = triggerUnits; left > 0; left--) {
    const trigger = state.triggerQueue.take()
    if (trigger === undefined) break
    fireTrigger(state, log, trigger)
  }
  if (state.openPools !== 0) settlePools(state, log, fundingUnits)
}

/** The first scope is always processed, the others only while units are left. */
function deleverageQueued(state: State, log: EventLog): void {
  let scope = state.deleverageQueue.take()
  while (scope !== undefined) {
    deleverageTurn(state, log, scope)
    scope = hasUnits(state) ? state.deleverageQueue.take() : undefined
  }
}

/** Runs the releases and the premium sample that follow a tick. */
function followTick(state: State, log: EventLog): void {
  const market = state.ticked!
  state.ticked = null
  releaseByTick(state, log, market)
  samplePremium(state, log, market)
}

/** Runs the first element of the first risk queue that is not empty. */
function runRisk(state: State, log: EventLog): boolean {
  const takeover = state.takeoverQueue.take()
  if (takeover !== undefined) {
    takeoverTurn(state, log, takeover)
    return true
  }
  const liquidation = state.liquidationQueue.take()
  if (liquidation !== undefined) {
    liquidationTurn(state, log, liquidation)
    return true
  }
  const sweep = state.sweepQueue.take()
  if (sweep !== undefined) {
    sweepTurn(state, log, sweep)
    return true
  }
  const tripped = state.mmpQueue.take()
  if (tripped === undefined) return false
  mmpTurn(state, log, tripped)
  return true
}

/** Settles the next funding payments, markets by rising id. */
function settlePools(state: State, log: EventLog, budget: number): void {
  let paid = 0
  for (const market of state.markets)
    if (market?.poolOpen === true && paid < budget)
      paid += settleSlice(state, log, market, budget - paid)
}
