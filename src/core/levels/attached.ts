// Take-profit and stop-loss levels that came with an order (TRIG-5): dormant until it fills, then
// the position's levels.

import type { Level } from '../commands/commands.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Draft } from '../orders/draft.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from '../triggers/trigger.ts'
import { STOP_LOSS, TAKE_PROFIT, triggerKindOf } from '../triggers/trigger-kinds.ts'
import {
  addTrigger,
  cancelTrigger,
  extremeOf,
  type Setting,
  startTrail,
  watch,
} from '../triggers/trigger-life.ts'
import { endLevels } from './end-levels.ts'
import { type LevelIds, levelSlots } from './level-ids.ts'
import { joinLevels } from './position-levels.ts'

/** The levels of a new order, take-profits first. */
export function attachLevels(state: State, log: EventLog, order: number, draft: Draft): void {
  const attach = (kind: number) => {
    const setting = settingOf(order, draft, kind)
    return (level: Level) => addTrigger(state, log, level, setting).id
  }
  const takeProfit = draft.takeProfits.map(attach(TAKE_PROFIT))
  const stopLoss = draft.stopLosses.map(attach(STOP_LOSS))
  state.attached.set(order, { takeProfit, stopLoss })
}

function settingOf(order: number, { agent, row, side }: Draft, kind: number): Setting {
  const closing = 1 - side
  return {
    agent,
    position: row,
    side: closing,
    kind,
    reduceOnly: true,
    up: triggerKindOf(kind).firesAbove(closing),
    expireTime: null,
    parent: order,
    armed: false,
  }
}

/** They belong to another order from now on. */
export function handOver(state: State, attached: LevelIds, order: number): void {
  state.attached.set(order, attached)
  for (const slot of levelSlots)
    for (const id of attached[slot]) state.triggers.get(id)!.parent = order
}

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
  for (const slot of levelSlots) {
    const triggers = attached[slot].map((id) => state.triggers.get(id)!)
    const first = triggers[0]
    if (first === undefined) continue
    const lots = state.positions.lots[first.position]! * sign
    if (lots <= 0) continue
    // Those of a kind are armed together, so that what the position has is from elsewhere.
    if (!first.armed) endLevels(state, log, first.position, slot, 'replaced')
    for (const trigger of triggers) arm(state, log, trigger, Math.min(filled, lots))
  }
}

function arm(state: State, log: EventLog, trigger: Trigger, most: number): void {
  const size = Math.min(trigger.wanted, most)
  if (trigger.armed) {
    if (trigger.wanted === 0 || size <= trigger.size) return
  } else {
    joinLevels(state, trigger)
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

/** The parent is over: levels that were never armed end, take-profits first. */
export function endUnarmed(state: State, log: EventLog, order: number): void {
  const attached = state.attached.get(order)
  if (attached === undefined) return
  state.attached.delete(order)
  for (const slot of levelSlots)
    for (const id of attached[slot]) {
      const trigger = state.triggers.get(id)!
      if (!trigger.armed) cancelTrigger(state, log, trigger, 'parent_ended')
    }
}
