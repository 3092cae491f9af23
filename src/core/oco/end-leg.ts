// Closes orders, stops and levels by id, and both legs of an OCO together (TRIG-14).

import { cancelReasons } from '../../words/order-words.ts'
import { stopAlgo } from '../algos/stop-algo.ts'
import type { EventLog } from '../events/event-log.ts'
import { cancelSlot, OCO } from '../orders/order-life.ts'
import type { State } from '../state/state.ts'
import { cancelTrigger } from '../triggers/end-trigger.ts'
import { otherLeg } from './links.ts'

/** Ends an open order, stop or level, or an algo that has expired. */
export function cancelLive(state: State, log: EventLog, id: number, reason: number): void {
  const slot = state.orders.slotOf(id)
  const algo = state.algos.get(id)
  if (slot !== 0) cancelSlot(state, log, slot, reason, 0)
  else if (algo !== undefined) stopAlgo(state, log, algo, 'expired')
  else cancelTrigger(state, log, state.triggers.get(id)!, cancelReasons[reason]!)
}

/** Like `cancelLive`, and also ends the other leg, if there is one. */
export function cancelLeg(state: State, log: EventLog, id: number, reason: number): void {
  const other = otherLeg(state, id)
  cancelLive(state, log, id, reason)
  endOther(state, log, other)
}

/** Closes the other leg if it still exists. */
export function endOther(state: State, log: EventLog, id: number): void {
  if (id !== 0 && (state.orders.slotOf(id) !== 0 || state.triggers.has(id)))
    cancelLive(state, log, id, OCO)
}
