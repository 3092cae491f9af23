// Cancels the orders, stops and algos of a key with a policy when its owner or an operator ends the
// binding. Without the key, no policy would limit them any more (ACCT-9).

import { algosOf } from '../algos/algo-life.ts'
import { stopAlgo } from '../algos/stop-algo.ts'
import type { AgentPolicy } from '../commands/commands.ts'
import type { EventLog } from '../events/event-log.ts'
import { endKept, isCancel } from '../orders/kept-actions.ts'
import type { State } from '../state/state.ts'
import { cancelTrigger } from '../triggers/end-trigger.ts'

/** Ends stops by rising id, then algos, then deferred actions other than cancels. Reduce-only stops
 *  and algos stay: a trigger keeps the distance from the mark that the policy allowed. */
export function endLeftBehind(
  state: State,
  log: EventLog,
  account: number,
  agent: string,
  { maxSlippagePpm }: AgentPolicy,
): void {
  const stops = [...(state.accounts.records[account]!.stops ?? [])].sort((one, two) => one - two)
  for (const id of stops) {
    // A level that came with a stop ended with that stop.
    const trigger = state.triggers.get(id)
    if (trigger?.agent !== agent) continue
    if (trigger.reduceOnly) trigger.lastSlippagePpm = maxSlippagePpm
    else cancelTrigger(state, log, trigger, 'owner')
  }
  for (const [, persistent] of state.goingOn.all())
    if (persistent.agent === agent && state.positions.account[persistent.row] === account)
      persistent.lastSlippagePpm = maxSlippagePpm
  for (const algo of algosOf(state, account))
    if (algo.agent === agent && !algo.reduceOnly) stopAlgo(state, log, algo, 'owner')
  endKept(state, log, 'owner', (action) => {
    return action.account === account && action.proof?.agent === agent && !isCancel(action)
  })
}
