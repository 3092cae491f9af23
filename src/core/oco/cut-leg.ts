// Keeps a stop no larger than the remainder of the order that is its other leg (TRIG-14).

import { broken } from '../../units/invariant.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { cancelTrigger } from '../triggers/end-trigger.ts'
import { shrinkLevel } from '../triggers/trigger-life.ts'
import { otherLeg } from './links.ts'

/** Called after a fill or an edit of the order. */
export function cutLeg(state: State, log: EventLog, order: number, remaining: number): void {
  const stop = state.triggers.get(otherLeg(state, order))
  if (stop === undefined) return broken('an order has no stop as its other leg', order)
  if (remaining > 0) shrinkLevel(state, log, stop.id, remaining)
  else cancelTrigger(state, log, stop, 'oco')
}
