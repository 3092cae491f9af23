// Open orders of an account: resting and waiting orders, stops, and take-profit or stop-loss
// levels.

import type { Lots, Ppm, Ticks, TimeMs } from '../../units/units.ts'
import {
  type OrderTypeName,
  type Side,
  sides,
  type TriggerBy,
  triggerBys,
} from '../../words/order-words.ts'
import type { MarketId, OrderId } from '../commands/ids.ts'
import { FROM_ALGO, FROM_TRIGGER } from '../drafts/draft.ts'
import { otherLeg } from '../oco/links.ts'
import { liveOrders } from '../orders/cancel-order.ts'
import { isBehind, runLimit } from '../orders/run-order.ts'
import { GOES_ON, MARKET_ORDER, PROTECTED, REDUCE_ONLY } from '../pools/order-pool.ts'
import { FOR_NEXT } from '../queues/waiting-orders.ts'
import type { State } from '../state/state.ts'
import { stopBehind } from '../state/trail.ts'
import type { Trigger } from '../state/trigger.ts'
import { triggerKindOf } from '../state/trigger-kinds.ts'
import { expireTimeOf } from '../timing/expiry.ts'
import { orderTypeOf } from '../triggers/trigger-life.ts'
import { isUnreleased, isUnreleasedId } from './others/without-waiting.ts'

/** A stop that follows the mark (TRIG-11). `extreme` is null while the stop is not active. */
export type Trailing = Readonly<{
  distance: Ticks | null
  ppm: Ppm | null
  activation: Ticks | null
  extreme: Ticks | null
}>

export type OpenOrder = Readonly<{
  order: OrderId
  clientOrderId: string | null
  market: MarketId
  side: Side
  /** The limit, or the worst price of a market order; 0 for a stop that places a market order. */
  price: Ticks
  initialLots: Lots
  filledLots: Lots
  cancelledLots: Lots
  /** Null if it is not a stop; 0 for a trailing stop that is not active. */
  stopPrice: Ticks | null
  trailing: Trailing | null
  triggerBy: TriggerBy | null
  /** False for a level whose order has not filled. */
  armed: boolean
  /** A stop without a set size: it is as large as the position. */
  isWhole: boolean
  orderType: OrderTypeName
  /** The order that a level is attached to, or the stop that placed an order. */
  parent: OrderId | null
  reduceOnly: boolean
  /** Expiry, or null for none (ORDER-14). */
  expireTime: TimeMs | null
  /** Cancelled when its account is filled too fast (ORDER-18). */
  mmp: boolean
  /** The other leg: when one executes, the other is cancelled (TRIG-14). */
  oco: OrderId | null
  /** The stop that a level is attached to (TRIG-13), or the algo that placed the order. */
  source: OrderId | null
  /** A stop that fires in the opposite direction to its side's default (TRIG-10). */
  turned: boolean
  /** The order of a fired stop that executes until its position is closed (TRIG-3). */
  goesOn: boolean
  /** Maximum distance of a stop's market order from the mark. Null: not a stop, or not set. */
  slippagePpm: Ppm | null
  /** The order waits for a release, or is attached to an order that does: only its owner may see
   *  it. */
  unreleased: boolean
  createdAt: TimeMs
  updatedAt: TimeMs
}>

/** Open orders, newest first. */
export function openOrders(state: State, account: number): readonly OpenOrder[] {
  return liveOrders(state, account, 0, 'none')
    .reverse()
    .map((id) => {
      const trigger = state.triggers.get(id)
      return trigger === undefined ? orderOf(state, id) : stopOf(state, trigger)
    })
}

function orderOf(state: State, id: number): OpenOrder {
  const { orders } = state
  const slot = orders.slotOf(id)
  const flags = orders.flags(slot)
  const origin = orders.origin(slot)
  const parent = orders.parent(slot) as OrderId
  return {
    order: id as OrderId,
    clientOrderId: state.clientIds.get(id) ?? null,
    market: orders.market(slot) as MarketId,
    side: sides[orders.side(slot)]!,
    price: orders.price(slot) as Ticks,
    initialLots: orders.size(slot) as Lots,
    filledLots: filledOf(state, slot) as Lots,
    cancelledLots: orders.cancelled(slot) as Lots,
    stopPrice: null,
    trailing: null,
    triggerBy: null,
    armed: true,
    isWhole: false,
    orderType: (flags & MARKET_ORDER) === 0 ? 'limit' : 'market',
    // An edited order has a parent too, but that is not a stop.
    parent: origin === FROM_TRIGGER ? parent : null,
    reduceOnly: (flags & REDUCE_ONLY) !== 0,
    expireTime: expireTimeOf(state, slot) as TimeMs | null,
    mmp: (flags & PROTECTED) !== 0,
    oco: (otherLeg(state, id) || null) as OrderId | null,
    source: origin === FROM_ALGO ? parent : null,
    turned: false,
    goesOn: (flags & GOES_ON) !== 0,
    slippagePpm: null,
    unreleased: isUnreleased(state, slot),
    createdAt: orders.createdAt(slot) as TimeMs,
    updatedAt: orders.updatedAt(slot) as TimeMs,
  }
}

function filledOf({ orders }: State, slot: number): number {
  return orders.size(slot) - orders.remaining(slot) - orders.cancelled(slot)
}

function stopOf(state: State, trigger: Trigger): OpenOrder {
  const isWhole = trigger.wanted === 0
  return {
    order: trigger.id as OrderId,
    clientOrderId: trigger.clientOrderId,
    market: trigger.market as MarketId,
    side: sides[trigger.side]!,
    price: trigger.limitPrice as Ticks,
    initialLots: (isWhole ? wholeOf(state, trigger) : trigger.wanted) as Lots,
    filledLots: 0 as Lots,
    cancelledLots: trigger.cut as Lots,
    stopPrice: (trigger.trail === null ? trigger.stopPrice : trigger.trail.stop) as Ticks,
    trailing: trailingOf(trigger),
    triggerBy: triggerBys[trigger.triggerBy]!,
    armed: trigger.armed,
    isWhole,
    orderType: orderTypeOf(trigger),
    parent: trigger.parent === 0 ? null : (trigger.parent as OrderId),
    reduceOnly: trigger.reduceOnly,
    expireTime: trigger.expireTime as TimeMs | null,
    mmp: false,
    oco: (otherLeg(state, trigger.id) || null) as OrderId | null,
    source: state.triggers.has(trigger.parent) ? (trigger.parent as OrderId) : null,
    turned: trigger.up !== triggerKindOf(trigger.kind).firesAbove(trigger.side),
    goesOn: false,
    slippagePpm: trigger.slippagePpm as Ppm | null,
    unreleased: isUnreleasedId(state, trigger.id),
    createdAt: trigger.createdAt as TimeMs,
    updatedAt: trigger.updatedAt as TimeMs,
  }
}

function trailingOf({ trail }: Trigger): Trailing | null {
  if (trail === null) return null
  return {
    distance: (trail.distance || null) as Ticks | null,
    ppm: (trail.ppm || null) as Ppm | null,
    activation: (trail.activation || null) as Ticks | null,
    extreme: (trail.extreme || null) as Ticks | null,
  }
}

/** The order of a fired stop that executes until its position is closed (TRIG-3). */
export type StopRun = Readonly<{
  /** The worst price of a run now. */
  limit: Ticks
  hasRun: boolean
  /** It waits until the order of an earlier stop of the position has ended. */
  isBehind: boolean
}>

export function stopRun(state: State, order: number): StopRun | null {
  const { orders, markets } = state
  const slot = orders.slotOf(order)
  if (slot === 0 || (orders.flags(slot) & GOES_ON) === 0) return null
  const { waiting } = markets[orders.market(slot)]!
  const behind = isBehind(state, slot)
  const hasRun = waiting.whatFor(order) === FOR_NEXT && !behind
  return { limit: runLimit(state, slot) as Ticks, hasRun, isBehind: behind }
}

/** How an open stop follows the mark, or null if it does not. */
export function trailingStop(state: State, order: number): Trailing | null {
  const trigger = state.triggers.get(order)
  return trigger === undefined ? null : trailingOf(trigger)
}

/** Where a trailing stop fires. Null if it is not active, or no price is that low. */
export function trailingStopPrice(side: Side, trailing: Trailing): Ticks | null {
  if (trailing.extreme === null) return null
  return (stopBehind(trailing, sides.indexOf(side), trailing.extreme) || null) as Ticks | null
}

/** Lots of an open stop without a set size, or null if it is not such a stop. */
export function wholeStop(state: State, order: number): number | null {
  const trigger = state.triggers.get(order)
  return trigger?.wanted === 0 ? wholeOf(state, trigger) : null
}

/** The size of a level for the whole position: the position's size, or before its order has filled,
 *  the size of the order or of the stop that will place it. */
function wholeOf(state: State, trigger: Trigger): number {
  const held = closableLots(sides[trigger.side]!, state.positions.lots[trigger.position]!)
  if (trigger.armed) return held
  const slot = state.orders.slotOf(trigger.parent)
  if (slot !== 0) return state.orders.size(slot)
  return state.triggers.get(trigger.parent)?.wanted ?? held
}

/** Lots of a position that an order of this side may close: an ask closes a long, a bid a short.
 *  `lots` is signed. */
export function closableLots(side: Side, lots: number): number {
  return Math.max(0, side === 'ask' ? lots : -lots)
}

/** Partially filled open orders of all accounts. */
export function partlyFilled(state: State): OrderId[] {
  const { orders } = state
  const found: OrderId[] = []
  for (let slot = 1; slot <= orders.used; slot++) {
    const id = orders.id(slot)
    if (id !== 0 && orders.slotOf(id) === slot && filledOf(state, slot) > 0)
      found.push(id as OrderId)
  }
  return found
}
