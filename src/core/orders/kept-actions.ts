// Actions that a delayed batch defers until its release (ORDER-10).

import type { KeptAction } from '../commands/commands.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { type End, logUnplaced } from './log-unplaced.ts'

/** What stays when all orders of an account are cancelled: `reduce-only` spares everything that is
 *  reduce-only, `protective` only reduce-only stops and levels. */
export type Spared = 'none' | 'reduce-only' | 'protective'

type Selection = Readonly<{ account: number; market: number; spared: Spared; before: number }>

/** When all orders of an account are cancelled, also drops deferred actions that would place
 *  orders, if their id is below `before`. Cancels stay. `market` 0: all. */
export function cancelKept(
  state: State,
  log: EventLog,
  { account, market, spared, before }: Selection,
  reason: End['reason'],
): void {
  endKept(state, log, reason, (action, id) => {
    if (action.account !== account || id >= before || isCancel(action)) return false
    if (market !== 0 && action.market !== market) return false
    return spared === 'none' || !protects(action)
  })
}

/** Drops the selected actions, so that they never run. */
export function endKept(
  state: State,
  log: EventLog,
  reason: End['reason'],
  isMeant: (action: KeptAction, id: number) => boolean,
  code = 0,
): void {
  for (const [id, { action }] of state.deferred) {
    if (!isMeant(action, id)) continue
    state.deferred.delete(id)
    logUnplaced(state, log, action, { reason, code })
  }
}

function protects(action: KeptAction): boolean {
  return action.type === 'SetPositionTpsl' || (action.type === 'PlaceStop' && action.reduceOnly)
}

export function isCancel({ type }: Readonly<{ type: string }>): boolean {
  return type === 'CancelOrder' || type === 'CancelStop'
}
