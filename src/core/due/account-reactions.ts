// Before a command of an account: its own waiting reactions, then its funding (CORE-2, step 3).

import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { liquidationTurn } from '../liquidation/liquidation-turn.ts'
import { scopeOf } from '../liquidation/scope.ts'
import type { State } from '../state/state.ts'
import { fireTrigger } from '../triggers/fire-trigger.ts'

export function settleAccount(state: State, log: EventLog, account: number): void {
  if (state.triggerQueue.size !== 0)
    for (const id of state.triggerQueue.all())
      if (state.triggers.get(id)?.account === account && state.triggerQueue.delete(id))
        fireTrigger(state, log, id)
  if (state.liquidationQueue.size !== 0)
    for (const number of state.liquidationQueue.all())
      if (scopeOf(number).account === account && state.liquidationQueue.delete(number))
        liquidationTurn(state, log, number)
  if (state.openPools !== 0) settleFunding(state, log, account)
}
