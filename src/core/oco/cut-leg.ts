// A stop is not larger than what remains of the order that is its other leg (TRIG-14).

import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { cancelTrigger } from '../triggers/end-trigger.ts'
import { shrinkLevel } from '../triggers/trigger-life.ts'
import { otherLeg } from './links.ts'

/** After a fill or an edit of the order. */
export function cutLeg(state: State, log: EventLog, order: number, remaining: number): void {
  const stop = otherLeg(state, order)
  if (remaining > 0) shrinkLevel(state, log, stop, remaining)
  else cancelTrigger(state, log, state.triggers.get(stop)!, 'oco')
}
