// What a key with a policy leaves behind when its owner or an operator ends its binding: without
// the key there would be no policy to hold it any more (ACCT-9).

import { algosOf } from '../algos/algo-life.ts'
import { stopAlgo } from '../algos/stop-algo.ts'
import type { AgentPolicy } from '../commands/commands.ts'
import type { EventLog } from '../events/event-log.ts'
import { endKept, isCancel } from '../orders/kept-actions.ts'
import type { State } from '../state/state.ts'
import { cancelTrigger } from '../triggers/end-trigger.ts'

/** Stops by rising id, then algos; what only reduces stays, and triggers keep the distance from the
 *  mark that the policy allowed. Then actions that are kept for their release, but for cancels. */
export function endLeftBehind(
  state: State,
  log: EventLog,
  account: number,
  agent: string,
  { maxSlippagePpm }: AgentPolicy,
): void {
  const stops = [...(state.accounts.records[account]!.stops ?? [])].sort((one, two) => one - two)
  for (const id of stops) {
    // A level that came with a stop has ended with it.
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
