// What the core owes after a command: triggers, liquidation turns, takeovers, deleveragings,
// funding payments, in that order and to a bound; the rest waits for the next command (CORE-5).
// Never recursion: whatever a reaction causes joins the queues.

import type { EventLog } from '../events/event-log.ts'
import { settleSlice } from '../funding/settle-funding.ts'
import { deleverageTurn } from '../liquidation/deleverage.ts'
import { liquidationTurn } from '../liquidation/liquidation-turn.ts'
import { takeoverTurn } from '../liquidation/takeover.ts'
import type { State } from '../state/state.ts'
import { evaluateBookTriggers, fireTrigger } from '../triggers/fire-trigger.ts'

export function hasReactions(state: State): boolean {
  return state.bookTriggers !== 0 || state.openPools !== 0 || state.waiting.count !== 0
}

export function runReactions(state: State, log: EventLog): void {
  if (!hasReactions(state)) return
  let budget: number = state.rules.limits.reactions
  while (budget > 0) {
    evaluateBookTriggers(state)
    const units = runQueued(state, log) || settlePools(state, log, budget)
    if (units === 0) return
    budget -= units
  }
}

/** Runs the first element of the first queue that has one; gives what it costs, 0 without any. A
 *  deleveraging asks every opposite account, so it is the last of its command. */
function runQueued(state: State, log: EventLog): number {
  const trigger = state.triggerQueue.take()
  if (trigger !== undefined) {
    fireTrigger(state, log, trigger)
    return 1
  }
  const liquidation = state.liquidationQueue.take()
  if (liquidation !== undefined) {
    liquidationTurn(state, log, liquidation)
    return 1
  }
  const takeover = state.takeoverQueue.take()
  if (takeover !== undefined) {
    takeoverTurn(state, log, takeover)
    return 1
  }
  const deleverage = state.deleverageQueue.take()
  if (deleverage !== undefined) {
    deleverageTurn(state, log, deleverage)
    return state.rules.limits.reactions
  }
  return 0
}

/** The next funding payments, markets by rising id; gives how many were made. */
function settlePools(state: State, log: EventLog, budget: number): number {
  let paid = 0
  if (state.openPools === 0) return 0
  for (const market of state.markets)
    if (market?.poolOpen === true && paid < budget)
      paid += settleSlice(state, log, market, budget - paid)
  return paid
}
