// Take-profit and stop-loss levels attached to an order (TRIG-5). They are dormant until the order
// fills, and then become levels of the position.

import { broken } from '../../units/invariant.ts'
import type { Level } from '../commands/commands.ts'
import { type LevelIds, levelSlots } from '../commands/level-ids.ts'
import type { EventLog } from '../events/event-log.ts'
import { ATTACHED } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from '../state/trigger.ts'
import { STOP_LOSS, TAKE_PROFIT, triggerKindOf } from '../state/trigger-kinds.ts'
import { addTrigger, extremeOf, type Setting, startTrail, watch } from '../triggers/trigger-life.ts'
import { endLevels } from './end-levels.ts'
import { joinLevels } from './position-levels.ts'

/** The levels attached to an order or a stop. */
type Brought = Readonly<{
  agent: string | null
  row: number
  side: number
  takeProfits: readonly Level[]
  stopLosses: readonly Level[]
}>

/** Creates the levels of a new order, or of a stop that will place one; take-profits first. */
export function attachLevels(state: State, log: EventLog, order: number, brought: Brought): void {
  const attach = (kind: number) => {
    const setting = settingOf(order, brought, kind)
    return (level: Level) => addTrigger(state, log, level, setting).id
  }
  const takeProfit = brought.takeProfits.map(attach(TAKE_PROFIT))
  const stopLoss = brought.stopLosses.map(attach(STOP_LOSS))
  state.attached.set(order, { takeProfit, stopLoss })
}

function settingOf(order: number, { agent, row, side }: Brought, kind: number): Setting {
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

/** Moves the levels of `from`, which has ended, to the order in `slot`. */
export function handOver(state: State, from: number, slot: number): void {
  const attached = state.attached.get(from)
  if (attached !== undefined) adopt(state, attached, slot)
  state.attached.delete(from)
}

/** Makes the levels those of the order in `slot`. */
export function adopt(state: State, attached: LevelIds, slot: number): void {
  const { orders } = state
  const order = orders.id(slot)
  state.attached.set(order, attached)
  orders.setFlags(slot, orders.flags(slot) | ATTACHED)
  for (const kind of levelSlots)
    for (const id of attached[kind]) state.triggers.get(id)!.parent = order
}

/** Arms levels after a fill of the parent. `filled`: the lots of the parent filled so far. */
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
    const triggers = attached[slot].map(
      (id) => state.triggers.get(id) ?? broken('a level that is to be armed does not exist', id),
    )
    const first = triggers[0]
    if (first === undefined) continue
    const lots = state.positions.lots[first.position]! * sign
    if (lots <= 0) continue
    // Levels of one kind are armed together, so the position's other levels of the kind are not
    // from this order.
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
