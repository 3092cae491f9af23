// Take-profit and stop-loss levels that came with an order (TRIG-5): dormant until it fills, then
// the position's levels.

import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from './trigger.ts'
import { triggerKindOf } from './trigger-kinds.ts'
import { becomeLevel, cancelTrigger, extremeOf, startTrail, watch } from './trigger-life.ts'

/** After a fill of the parent: `filled` lots of it so far. */
export function armAttached(
  state: State,
  log: EventLog,
  order: number,
  sign: number,
  filled: number,
): void {
  const attached = state.attached.get(order)
  if (attached === undefined) return
  for (const id of [attached.takeProfit, attached.stopLoss]) {
    const trigger = state.triggers.get(id)
    if (trigger === undefined) continue
    const lots = state.positions.lots[trigger.position]! * sign
    if (lots > 0) arm(state, log, trigger, Math.min(filled, lots))
  }
}

function arm(state: State, log: EventLog, trigger: Trigger, most: number): void {
  const size = Math.min(trigger.wanted, most)
  if (trigger.armed) {
    const { level } = triggerKindOf(trigger.kind)
    const present = level === null ? 0 : state.positions[level][trigger.position]
    if (trigger.wanted === 0 || present !== trigger.id || size <= trigger.size) return
  } else {
    becomeLevel(state, log, trigger)
    trigger.armed = true
    startTrail(state, trigger)
    watch(state, trigger)
  }
  trigger.size = size
  trigger.cut = 0
  trigger.updatedAt = state.atMs
  const { id, account, market } = trigger
  const extreme = extremeOf(trigger)
  log.write({ type: 'StopArmed', order: id, account, market, size, extreme })
}

/** The parent is over: levels that were never armed end, take-profit first. */
export function endUnarmed(state: State, log: EventLog, order: number): void {
  const attached = state.attached.get(order)
  if (attached === undefined) return
  state.attached.delete(order)
  for (const id of [attached.takeProfit, attached.stopLoss]) {
    const trigger = state.triggers.get(id)
    if (trigger !== undefined && !trigger.armed) cancelTrigger(state, log, trigger, 'parent_ended')
  }
}
