// What follows from a command: the queues and the open funding pools (CORE-5), and an account's own
// queued turns before its next command (CORE-2 step 3).

import { payNext, samplePremium, settleFunding } from '../funding/funding.ts'
import { deleverageTurn } from '../liquidation/deleverage.ts'
import { liquidate } from '../liquidation/liquidation.ts'
import { sweep } from '../liquidation/sweep.ts'
import { backstopTurn, takeoverTurn } from '../liquidation/takeover.ts'
import { tripTurn } from '../orders/protection.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Scope } from '../state.ts'
import { fire } from '../triggers/triggers.ts'
import { accountOf } from './lookup.ts'
import { releaseByTick } from './releases.ts'
import { riskUnitsAreUsed, unitsAreUsed } from './units.ts'

/** LIQ-2, or LIQ-4 for a backstop. */
function liquidationTurn(naive: Naive, turn: Scope): void {
  const account = accountOf(naive, turn.account)
  settleFunding(naive, account)
  if (account.reserved) backstopTurn(naive, account)
  else liquidate(naive, account, turn.scope)
}

/** A takeover, a liquidation turn, a sweep, or quotes to cancel; false: none is due, or the units
 *  of risk are used. */
function runRisk(naive: Naive): boolean {
  if (riskUnitsAreUsed(naive)) return false
  const taken = naive.takeoverQueue.shift()
  const turn = taken ?? naive.liquidationQueue.shift()
  if (taken) takeoverTurn(naive, taken)
  else if (turn) liquidationTurn(naive, turn)
  else return runSweep(naive)
  return true
}

function runSweep(naive: Naive): boolean {
  const swept = naive.sweepQueue.shift()
  const tripped = swept === undefined ? naive.tripQueue.shift() : undefined
  if (swept !== undefined) sweep(naive, accountOf(naive, swept))
  else if (tripped) tripTurn(naive, tripped)
  return swept !== undefined || tripped !== undefined
}

function runDeleveraging(naive: Naive): boolean {
  const scope = naive.deleverageQueue.shift()
  if (scope) deleverageTurn(naive, scope)
  return scope !== undefined
}

function runTrigger(naive: Naive): boolean {
  const trigger = naive.triggerQueue.shift()
  if (trigger) fire(naive, trigger.stop)
  return trigger !== undefined
}

type Ticked = Readonly<{ market: Market; runKept: (naive: Naive) => void }>

/** CORE-5: each deleveraging but the first of a run needs units. */
function runDeleveragings(naive: Naive): void {
  while (runDeleveraging(naive)) if (unitsAreUsed(naive)) return
}

/** CORE-5: one kind after the other, each as often as it may. `ticked`: the market of a tick that
 *  was accepted just now, and what runs the kept actions that are due (ORDER-10). */
export function react(naive: Naive, ticked: Ticked | null = null): void {
  const { riskUnits, triggerUnits, fundingUnits } = bookOf(naive).limits
  naive.riskUnits = 0
  for (let unit = 0; unit < riskUnits; unit += 1) if (!runRisk(naive)) break
  runDeleveragings(naive)
  if (ticked) {
    releaseByTick(naive, ticked.market)
    ticked.runKept(naive)
    samplePremium(naive, ticked.market)
  }
  for (let unit = 0; unit < triggerUnits; unit += 1) if (!runTrigger(naive)) break
  for (let unit = 0; unit < fundingUnits; unit += 1) if (!payNext(naive)) break
}

/** CORE-2 step 3 */
export function readyAccount(naive: Naive, account: Account): void {
  const own = naive.triggerQueue.filter((queued) => queued.account === account.id)
  naive.triggerQueue = naive.triggerQueue.filter((queued) => queued.account !== account.id)
  for (const { stop } of own) fire(naive, stop)
  // It has as many units of risk as a run, once a command; what they do not suffice for keeps its
  // place.
  naive.riskUnits = naive.ownRiskUnits
  for (const turn of naive.liquidationQueue.filter((one) => one.account === account.id)) {
    if (riskUnitsAreUsed(naive)) break
    naive.liquidationQueue = naive.liquidationQueue.filter((one) => one !== turn)
    liquidationTurn(naive, turn)
  }
  naive.ownRiskUnits = naive.riskUnits
  for (const trip of naive.tripQueue.filter((one) => one.account === account.id)) {
    naive.tripQueue = naive.tripQueue.filter((one) => one !== trip)
    tripTurn(naive, trip)
  }
  settleFunding(naive, account)
}
