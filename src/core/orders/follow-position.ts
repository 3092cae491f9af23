// Adjusts reduce-only orders and the levels of a position when the position changes (ORDER-7).

import { levelSlots } from '../commands/level-ids.ts'
import type { EventLog } from '../events/event-log.ts'
import { endLevels } from '../levels/end-levels.ts'
import { levelIdsOf } from '../levels/position-levels.ts'
import { REDUCE_ONLY } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'
import { shrinkLevel } from '../triggers/trigger-life.ts'
import { cancelSlot, NOT_REDUCING, reduceOrder } from './order-life.ts'

/** Adjusts everything that depends on the position of this row, which was `before` lots. */
export function followPosition(state: State, log: EventLog, row: number, before: number): void {
  if (before === 0 || !isFollowed(state, row)) return
  if (hasTurned(state, row, before)) endFollowers(state, log, row)
  else if (isSmaller(state, row, before)) cutFollowers(state, log, row)
}

/** The same after a fill of an incoming order. Cuts are delayed until the order has finished
 *  matching, so that many fills cause one cut. */
export function followFill(
  state: State,
  log: EventLog,
  row: number,
  before: number,
  smaller: Set<number>,
): void {
  if (before === 0 || !isFollowed(state, row)) return
  if (hasTurned(state, row, before)) {
    payForFollowers(state, row)
    endFollowers(state, log, row)
    smaller.delete(row)
  } else if (isSmaller(state, row, before) && !smaller.has(row)) {
    payForFollowers(state, row)
    smaller.add(row)
  }
}

/** Counts the units in advance, so that a match stops before it has more to cut than a command may
 *  do (CORE-5). */
function payForFollowers(state: State, row: number): void {
  const { reduceOnlyCount, tpslCount } = state.positions
  state.unitsUsed += reduceOnlyCount[row]! + tpslCount[row]!
}

/** Cuts a reduce-only order that exceeds the remaining position. */
export function cutToPosition(state: State, log: EventLog, slot: number): void {
  const { orders, positions } = state
  const held = Math.abs(positions.lots[orders.position(slot)]!)
  if ((orders.flags(slot) & REDUCE_ONLY) !== 0 && orders.remaining(slot) > held)
    reduceOrder(state, log, slot, held)
}

function isFollowed({ positions, untimedTexts }: State, row: number): boolean {
  return (
    positions.reduceOnlyCount[row] !== 0 ||
    positions.tpslCount[row] !== 0 ||
    untimedTexts.size !== 0
  )
}

function hasTurned({ positions }: State, row: number, before: number): boolean {
  return before * positions.lots[row]! <= 0
}

function isSmaller({ positions }: State, row: number, before: number): boolean {
  return Math.abs(positions.lots[row]!) < Math.abs(before)
}

function endFollowers(state: State, log: EventLog, row: number): void {
  if (state.positions.reduceOnlyCount[row] !== 0) cancelReduceOnly(state, log, row)
  if (state.positions.tpslCount[row] !== 0)
    for (const slot of levelSlots) endLevels(state, log, row, slot, 'reduce_only')
  if (state.untimedTexts.size !== 0) state.untimedTexts.delete(row)
}

/** Cuts orders and levels that exceed the position. */
export function cutFollowers(state: State, log: EventLog, row: number): void {
  const { positions } = state
  const held = Math.abs(positions.lots[row]!)
  if (positions.reduceOnlyCount[row] !== 0) cutReduceOnly(state, log, row, held)
  if (positions.tpslCount[row] === 0) return
  const levels = levelIdsOf(state, row)
  for (const slot of levelSlots) for (const id of levels[slot]) shrinkLevel(state, log, id, held)
}

function cancelReduceOnly(state: State, log: EventLog, row: number): void {
  const { orders } = state
  let slot = state.positions.ordersHead[row]!
  while (slot !== 0) {
    const next = orders.rowNext(slot)
    if ((orders.flags(slot) & REDUCE_ONLY) !== 0 && orders.remaining(slot) > 0)
      cancelSlot(state, log, slot, NOT_REDUCING, 0)
    slot = next
  }
}

function cutReduceOnly(state: State, log: EventLog, row: number, held: number): void {
  const { orders } = state
  let slot = state.positions.ordersHead[row]!
  while (slot !== 0) {
    if ((orders.flags(slot) & REDUCE_ONLY) !== 0 && orders.remaining(slot) > held)
      reduceOrder(state, log, slot, held)
    slot = orders.rowNext(slot)
  }
}
