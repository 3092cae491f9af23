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
  return (
    state.bookTriggers !== 0 ||
    state.openPools !== 0 ||
    state.triggerQueue.size !== 0 ||
    state.liquidationQueue.size !== 0 ||
    state.takeoverQueue.size !== 0 ||
    state.deleverageQueue.size !== 0
  )
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
  const trigger = takeFirst(state.triggerQueue)
  if (trigger !== undefined) {
    fireTrigger(state, log, trigger)
    return 1
  }
  const liquidation = takeFirst(state.liquidationQueue)
  if (liquidation !== undefined) {
    liquidationTurn(state, log, liquidation)
    return 1
  }
  const takeover = takeFirst(state.takeoverQueue)
  if (takeover !== undefined) {
    takeoverTurn(state, log, takeover)
    return 1
  }
  const deleverage = takeFirst(state.deleverageQueue)
  if (deleverage !== undefined) {
    deleverageTurn(state, log, deleverage)
    return state.rules.limits.reactions
  }
  return 0
}

/** How far each queue was emptied. A set keeps a gap for what left it until it is rebuilt, and a
 *  new walk steps over all gaps again: emptying a long queue would cost its length squared. */
const walks = new WeakMap<Set<number>, Iterator<number>>()

function takeFirst(queue: Set<number>): number | undefined {
  if (queue.size === 0) return undefined
  // Whatever the walk has passed left the queue at once, and new elements join at its end: the next
  // one is the first. A walk that once met the end stays there, so a new one begins.
  let next = walks.get(queue)?.next()
  if (next === undefined || next.done === true) {
    const walk = queue.values()
    walks.set(queue, walk)
    next = walk.next()
  }
  queue.delete(next.value!)
  return next.value
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
