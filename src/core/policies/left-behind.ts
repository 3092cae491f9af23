// What a key with a policy leaves behind when its owner or an operator ends its binding: without
// the key there would be no policy to hold it any more (ACCT-9).

import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { stopTwap } from '../triggers/stop-twap.ts'
import { cancelTrigger } from '../triggers/trigger-life.ts'
import { twapsOf } from '../triggers/twap-life.ts'

/** Stops by rising id, then TWAPs; what only reduces stays. Actions that are kept for their release
 *  vanish, but for cancels. */
export function endLeftBehind(state: State, log: EventLog, account: number, agent: string): void {
  const stops = [...(state.accounts.records[account]!.stops ?? [])].sort((one, two) => one - two)
  for (const id of stops) {
    const trigger = state.triggers.get(id)!
    if (trigger.agent === agent && !trigger.reduceOnly) cancelTrigger(state, log, trigger, 'owner')
  }
  for (const twap of twapsOf(state, account))
    if (twap.agent === agent && !twap.reduceOnly) stopTwap(state, log, twap, 'owner')
  for (const [id, { action }] of state.deferred)
    if (action.account === account && action.proof?.agent === agent && !isCancel(action))
      state.deferred.delete(id)
}

export function isCancel({ type }: Readonly<{ type: string }>): boolean {
  return type === 'CancelOrder' || type === 'CancelStop'
}
