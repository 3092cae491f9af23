// The life of a trigger: set, armed, shrunk, ended. Maintains the counters, the client ids, the
// position's levels and the price heaps.

import { broken } from '../../units/invariant.ts'
import { type OrderTypeName, sides, triggerBys } from '../../words/order-words.ts'
import type { Level } from '../commands/commands.ts'
import { forgetClientId, rememberClientId } from '../drafts/client-ids.ts'
import { stopTypeOf } from '../drafts/order-types.ts'
import type { EventLog } from '../events/event-log.ts'
import { leaveLevels } from '../levels/position-levels.ts'
import { unlink } from '../oco/links.ts'
import type { State } from '../state/state.ts'
import { Trail } from '../state/trail.ts'
import { BY_LAST, BY_MARK, BY_MID, GONE, type Trigger } from '../state/trigger.ts'
import { STOP, triggerKindNames } from '../state/trigger-kinds.ts'
import { scheduleExpiry } from '../timing/schedule.ts'
import { doubledStop } from './trigger-price.ts'

/** Adds a trigger to the state. Armed triggers start to watch their price. */
export function adoptTrigger(state: State, trigger: Trigger): void {
  const { positions, accounts } = state
  const record = accounts.records[trigger.account]!
  if (state.triggers.has(trigger.id)) broken('a trigger is set twice', trigger.id)
  state.triggers.set(trigger.id, trigger)
  record.stops ??= new Set()
  record.stops.add(trigger.id)
  positions.stopCount[trigger.position] = positions.stopCount[trigger.position]! + 1
  countTrigger(state, trigger, 1)
  if (trigger.clientOrderId !== null)
    rememberClientId(state, trigger.account, trigger.id, trigger.clientOrderId)
  if (trigger.armed) watch(state, trigger)
}

function countTrigger({ accounts }: State, { account, kind }: Trigger, by: number): void {
  const open = accounts.openCount[account]! + by
  if (open < 0) broken('an account without triggers loses one, account', account)
  accounts.openCount[account] = open
  if (kind !== STOP) return
  const stops = accounts.stopCount[account]! + by
  if (stops < 0) broken('an account without stops loses one, account', account)
  accounts.stopCount[account] = stops
}

/** Fields of a trigger that its level does not contain. */
export type Setting = Pick<
  Trigger,
  'agent' | 'position' | 'side' | 'kind' | 'reduceOnly' | 'up' | 'expireTime' | 'parent' | 'armed'
>

/** Adds a new trigger and logs it. */
export function addTrigger(state: State, log: EventLog, level: Level, setting: Setting): Trigger {
  const trigger = triggerOf(state, level, setting)
  state.nextOrderId += 1
  if (trigger.armed) startTrail(state, trigger)
  adoptTrigger(state, trigger)
  logPlaced(state, log, trigger)
  return trigger
}

/** Returns the trigger as it would be under the next id. */
export function triggerOf(state: State, level: Level, setting: Setting): Trigger {
  const { positions } = state
  const { position, reduceOnly, expireTime, armed } = setting
  // Field by field, because an object created as a copy is several times slower to read, and one
  // price may reach fifty thousand.
  return {
    id: state.nextOrderId,
    account: positions.account[position]!,
    agent: setting.agent,
    lastSlippagePpm: null,
    position,
    market: positions.market[position]!,
    side: setting.side,
    kind: setting.kind,
    stopPrice: level.stopPrice,
    trail: level.trail == null ? null : new Trail(setting.side, level.trail, 0),
    limitPrice: level.limitPrice ?? 0,
    slippagePpm: level.slippagePpm ?? null,
    wanted: level.size ?? 0,
    size: level.size ?? 0,
    cut: 0,
    triggerBy: triggerByOf(level.triggerBy),
    reduceOnly,
    up: setting.up,
    expireTime,
    parent: setting.parent,
    armed,
    clientOrderId: level.clientOrderId,
    createdAt: state.atMs,
    updatedAt: state.atMs,
    wave: 0,
    distance: 0,
  }
}

export function triggerByOf(triggerBy: string): number {
  return triggerBy === 'last' ? BY_LAST : triggerBy === 'mid' ? BY_MID : BY_MARK
}

/** The trail follows the mark from now on. */
export function startTrail({ markets }: State, { market, trail }: Trigger): void {
  trail?.start(markets[market]!.mark)
}

/** The fields of a trail in its events. */
export function extremeOf({ trail }: Trigger): number {
  return trail === null ? 0 : trail.extreme
}

/** Logs a new trigger and schedules its expiry. */
export function logPlaced(state: State, log: EventLog, trigger: Trigger): void {
  if (trigger.expireTime !== null) {
    const { id: order, account, market, expireTime: time } = trigger
    scheduleExpiry(state, order, time)
    log.write({ type: 'ExpirySet', order, account, market, time })
  }
  if (trigger.trail !== null) {
    const { id: order, account, market } = trigger
    const { distance, ppm, activation } = trigger.trail
    log.write({ type: 'TrailSet', order, account, market, distance, ppm, activation })
  }
  log.write({
    type: 'StopPlaced',
    order: trigger.id,
    account: trigger.account,
    market: trigger.market,
    side: sides[trigger.side]!,
    orderType: orderTypeOf(trigger),
    stopPrice: trigger.stopPrice,
    up: trigger.up,
    extreme: extremeOf(trigger),
    limitPrice: trigger.limitPrice,
    size: trigger.wanted,
    triggerBy: triggerBys[trigger.triggerBy]!,
    reduceOnly: trigger.reduceOnly,
    parent: trigger.parent,
    armed: trigger.armed,
    clientOrderId: trigger.clientOrderId,
  })
}

/** The order type of the trigger in its events. */
export function orderTypeOf({ kind, limitPrice }: Trigger): OrderTypeName {
  return stopTypeOf(triggerKindNames[kind]!, limitPrice === 0)
}

/** Starts to watch the price of the trigger. */
export function watch(state: State, trigger: Trigger): void {
  const market = state.markets[trigger.market]!
  if (trigger.wave === GONE) broken('a trigger that has ended watches its price', trigger.id)
  if (trigger.trail !== null) return market.trailing.add(trigger)
  const heap = market.triggers.heapOf(trigger)
  const doubled = doubledStop(trigger.triggerBy, trigger.stopPrice)
  heap.push(trigger.up ? doubled : -doubled, trigger)
  if (heap.size > 64 && heap.size > 2 * (state.triggers.size + 1))
    heap.keepOnly(({ wave }) => wave !== GONE)
}

/** Removes the trigger everywhere without an event. */
export function dropTrigger(state: State, trigger: Trigger): void {
  const { positions, accounts } = state
  if (!state.triggers.delete(trigger.id)) broken('a trigger ends twice', trigger.id)
  if (trigger.expireTime !== null) state.expiries.deleteById(trigger.id)
  accounts.records[trigger.account]!.stops!.delete(trigger.id)
  state.triggerQueue.delete(trigger)
  if (trigger.trail !== null) state.markets[trigger.market]!.trailing.remove(trigger)
  trigger.wave = GONE
  const stops = positions.stopCount[trigger.position]! - 1
  if (stops < 0) broken('a row without triggers loses one, row', trigger.position)
  positions.stopCount[trigger.position] = stops
  countTrigger(state, trigger, -1)
  if (trigger.clientOrderId !== null) forgetClientId(state, trigger.account, trigger.id)
  leaveLevels(state, trigger)
  if (state.oco.size !== 0) unlink(state, trigger.id)
}

/** Shrinks a level that exceeds its position (ORDER-7). */
export function shrinkLevel(state: State, log: EventLog, id: number, held: number): void {
  const trigger = state.triggers.get(id)
  if (trigger === undefined || trigger.size <= held) return
  if (!(held > 0)) broken('a level is cut to less than a lot', held)
  trigger.size = held
  trigger.cut = trigger.wanted - held
  if (!(trigger.cut > 0)) broken('a level is cut that was no larger, by', trigger.cut)
  trigger.updatedAt = state.atMs
  const { account, market } = trigger
  log.write({ type: 'StopReduced', order: id, account, market, size: held })
}
