// Ends a stop or level that did not fire, or whose order was rejected. The levels attached to it
// end too (TRIG-13).

import { broken } from '../../units/invariant.ts'
import { type cancelReasons, sides } from '../../words/order-words.ts'
import { levelSlots } from '../commands/level-ids.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from '../state/trigger.ts'
import { dropTrigger } from './trigger-life.ts'

type Reason = (typeof cancelReasons)[number]

export function cancelTrigger(
  state: State,
  log: EventLog,
  trigger: Trigger,
  reason: Reason,
  rejection = 0,
): void {
  dropTrigger(state, trigger)
  logEnded(state, log, trigger, reason, rejection)
}

/** Logs the end of a trigger that was dropped. */
export function logEnded(
  state: State,
  log: EventLog,
  trigger: Trigger,
  reason: Reason,
  rejection: number,
): void {
  const { id, account, market, side, limitPrice, size } = trigger
  log.write({
    type: 'OrderCancelled',
    order: id,
    account,
    market,
    side: sides[side]!,
    price: limitPrice,
    remaining: size,
    reason,
    rejection,
    levelLots: -1,
  })
  if (state.attached.size !== 0) endUnarmed(state, log, id)
}

/** Ends the levels of a parent order or stop that were never armed, take-profits first. */
export function endUnarmed(state: State, log: EventLog, parent: number): void {
  const attached = state.attached.get(parent)
  if (attached === undefined) return
  state.attached.delete(parent)
  for (const slot of levelSlots)
    for (const id of attached[slot]) {
      const trigger =
        state.triggers.get(id) ?? broken('a level that came with an order does not exist', id)
      if (!trigger.armed) cancelTrigger(state, log, trigger, 'parent_ended')
    }
}
