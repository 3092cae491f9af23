// What follows from a command: the queues and the open funding pools (CORE-5), and an account's own
// queued turns before its next command (CORE-2 step 3).

import { payNext, settleFunding } from '../funding/funding.ts'
import { deleverageTurn } from '../liquidation/deleverage.ts'
import { liquidate } from '../liquidation/liquidation.ts'
import { backstopTurn, takeoverTurn } from '../liquidation/takeover.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Naive, Scope } from '../state.ts'
import { evaluateAll, fire } from '../triggers/triggers.ts'
import { accountOf } from './lookup.ts'

/** One element of the first queue that is not empty, or the next payment: what it costs, 0 for
 *  nothing to do. */
function runOne(naive: Naive): number {
  const trigger = naive.triggerQueue.shift()
  if (trigger !== undefined) {
    fire(naive, trigger.stop)
    return 1
  }
  const turns = [
    { queue: naive.liquidationQueue, run: liquidationTurn },
    { queue: naive.takeoverQueue, run: takeoverTurn },
    { queue: naive.deleverageQueue, run: deleverageTurn },
  ]
  for (const { queue, run } of turns) {
    const scope = queue.shift()
    if (!scope) continue
    run(naive, scope)
    // A deleveraging is the last of its phase.
    return run === deleverageTurn ? bookOf(naive).limits.reactions : 1
  }
  return payNext(naive) ? 1 : 0
}

/** LIQ-2, or LIQ-4 for a backstop. */
function liquidationTurn(naive: Naive, turn: Scope): void {
  const account = accountOf(naive, turn.account)
  settleFunding(naive, account)
  if (account.reserved) backstopTurn(naive, account)
  else liquidate(naive, account, turn.scope)
}

export function react(naive: Naive): void {
  let budget: number = bookOf(naive).limits.reactions
  while (budget > 0) {
    evaluateAll(naive)
    const cost = runOne(naive)
    if (cost === 0) return
    budget -= cost
  }
}

/** CORE-2 step 3 */
export function readyAccount(naive: Naive, account: Account): void {
  const own = naive.triggerQueue.filter((queued) => queued.account === account.id)
  naive.triggerQueue = naive.triggerQueue.filter((queued) => queued.account !== account.id)
  for (const { stop } of own) fire(naive, stop)
  const turns = naive.liquidationQueue.filter((turn) => turn.account === account.id)
  naive.liquidationQueue = naive.liquidationQueue.filter((turn) => turn.account !== account.id)
  for (const turn of turns) liquidationTurn(naive, turn)
  settleFunding(naive, account)
}
