// What follows from a command: the queues and the open funding pools (CORE-5), and an account's own
// queued turns before its next command (CORE-2 step 3).

import { payNext, settleFunding } from '../funding/funding.ts'
import { deleverageTurn } from '../liquidation/deleverage.ts'
import { liquidate } from '../liquidation/liquidation.ts'
import { sweep } from '../liquidation/sweep.ts'
import { backstopTurn, takeoverTurn } from '../liquidation/takeover.ts'
import { tripTurn } from '../orders/protection.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Naive, Scope } from '../state.ts'
import { evaluateAll, fire } from '../triggers/triggers.ts'
import { accountOf } from './lookup.ts'

/** LIQ-2, or LIQ-4 for a backstop. */
function liquidationTurn(naive: Naive, turn: Scope): void {
  const account = accountOf(naive, turn.account)
  settleFunding(naive, account)
  if (account.reserved) backstopTurn(naive, account)
  else liquidate(naive, account, turn.scope)
}

/** A takeover, a liquidation turn, a sweep, or quotes that go; false: nobody waits for any. */
function runRisk(naive: Naive): boolean {
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

/** CORE-5: one kind after the other, each as often as it may; last and mid prices are looked at
 *  before each unit but those of funding. */
export function react(naive: Naive): void {
  const { riskUnits, triggerUnits, fundingUnits } = bookOf(naive).limits
  const kinds = [
    { units: riskUnits, runOne: runRisk },
    { units: 1, runOne: runDeleveraging },
    { units: triggerUnits, runOne: runTrigger },
  ]
  for (const { units, runOne } of kinds) {
    for (let unit = 0; unit < units; unit += 1) {
      evaluateAll(naive)
      if (!runOne(naive)) break
    }
  }
  for (let unit = 0; unit < fundingUnits; unit += 1) if (!payNext(naive)) break
}

/** CORE-2 step 3 */
export function readyAccount(naive: Naive, account: Account): void {
  const own = naive.triggerQueue.filter((queued) => queued.account === account.id)
  naive.triggerQueue = naive.triggerQueue.filter((queued) => queued.account !== account.id)
  for (const { stop } of own) fire(naive, stop)
  const turns = naive.liquidationQueue.filter((turn) => turn.account === account.id)
  naive.liquidationQueue = naive.liquidationQueue.filter((turn) => turn.account !== account.id)
  for (const turn of turns) liquidationTurn(naive, turn)
  const trips = naive.tripQueue.filter((trip) => trip.account === account.id)
  naive.tripQueue = naive.tripQueue.filter((trip) => trip.account !== account.id)
  for (const trip of trips) tripTurn(naive, trip)
  settleFunding(naive, account)
}
