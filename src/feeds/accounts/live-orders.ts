// The open orders of one account, updated event by event, so that each event is sent with the order
// as of that moment. The initial orders are read from the state. Uses the same words as history
// (projections/history/tables/orders.ts), but is deliberately independent of it.

import { closableLots, type EventOf, type ExchangeView, type Trailing } from '../../core/index.ts'
import {
  endedUnreleased,
  endingOf,
  endStatusOf,
  firstEventOf,
  isTurned,
} from '../../projections/history/tables/orders/order-words.ts'
import { wholeSize } from '../../projections/whole-position.ts'
import type { OrderEventName } from '../../protocol/words.ts'
import { cancelReasons, triggerBys } from '../../words/order-words.ts'
import { isEnded, type LiveOrder, liveOrder } from './live-order.ts'

/** A step: the order, its number of lots, and the price of a fill (0 if none). `late`: the order
 *  was placed earlier and becomes visible to other readers now. */
export type Step = (order: LiveOrder, lots: number, fillPrice: number, late?: boolean) => void

/** The end of an order, as in its event. */
export type Ending = Readonly<{ remaining: number; reason: number; levelLots: number }>

export class LiveOrders {
  private readonly orders = new Map<number, LiveOrder>()
  private readonly step: Step
  /** Maximum slippage of an open stop, which its event does not contain. */
  private readonly slippageOf: (order: number) => number | null
  /** Orders that were replaced by an edit in this command. */
  private readonly replaced = new Map<number, LiveOrder>()
  /** Stops that this command triggered. Their orders may still be rejected. */
  private readonly fired = new Map<number, LiveOrder>()
  /** OCO legs whose other leg ended in this command. */
  private readonly parted = new Set<number>()
  /** Signed lots by market; and the lots before this command, for markets that it changed. */
  private readonly held = new Map<number, number>()
  private readonly began = new Map<number, number>()
  /** Properties from the previous event, which belong to the order or stop of the next event. */
  private expiry = { order: 0, time: 0 }
  private protectedOrder = 0
  private trail: TrailOf = { order: 0, trailing: null }

  constructor({ markets, positions, orders }: ExchangeView, account: number, step: Step) {
    this.step = step
    this.slippageOf = (order) => orders.stopSlippageOf(order)
    for (const { id } of account === 0 ? [] : markets.all())
      this.held.set(id, positions.lotsOf(account, id))
    for (const order of [...orders.openOf(account)].reverse())
      this.orders.set(order.order, liveOrder(order))
  }

  get(id: number): LiveOrder | undefined {
    return this.orders.get(id)
  }

  /** Returns the current orders, oldest first. */
  all({ orders }: ExchangeView): LiveOrder[] {
    return [...this.orders.values()].map((order) => {
      const { id, side, market } = order
      const trailing = order.trailing === null ? null : orders.trailingOf(id)
      if (!order.isWhole || !order.armed) return trailing === null ? order : { ...order, trailing }
      return { ...order, trailing, lots: closableLots(side, this.held.get(market) ?? 0) }
    })
  }

  commandEnded(atMs: number): void {
    if (this.parted.size > 0) this.partLegs(atMs)
    this.replaced.clear()
    this.fired.clear()
    this.began.clear()
  }

  /** Unlinks OCO legs that did not end together with their other leg. */
  private partLegs(atMs: number): void {
    for (const id of this.parted) {
      const order = this.orders.get(id)
      if (order === undefined || order.oco === null || this.orders.has(order.oco)) continue
      order.oco = null
      this.record(order, 'adjust', 0, atMs)
    }
    this.parted.clear()
  }

  /** Updates the signed lots of the position. */
  moved(market: number, lots: number): void {
    if (!this.began.has(market)) this.began.set(market, this.held.get(market) ?? 0)
    this.held.set(market, lots)
  }

  /** Sets the size of a stop for the whole position: that of the position, or of the order it came
   *  with. */
  private size(order: LiveOrder): void {
    const { side, market, lots: sent } = order
    if (!order.isWhole) return
    const now = this.held.get(market) ?? 0
    const began = this.began.get(market) ?? now
    if (order.armed) order.lots = wholeSize(side, { now, began })
    else order.lots = this.orders.get(order.parent!)?.lots ?? sent
  }

  expirySet({ order, time }: EventOf<'ExpirySet'>): void {
    this.expiry = { order, time }
  }

  protect({ order }: EventOf<'OrderProtected'>): void {
    this.protectedOrder = order
  }

  trailSet({ order, distance, ppm, activation }: EventOf<'TrailSet'>): void {
    const of = { distance: distance || null, ppm: ppm || null, activation: activation || null }
    this.trail = { order, trailing: { ...of, extreme: null } as Trailing }
  }

  private expireTimeOf(order: number): number | null {
    return this.expiry.order === order ? this.expiry.time : null
  }

  placed(event: EventOf<'OrderPlaced'>, atMs: number): void {
    const { order: id, parent, origin, size } = event
    const isMarket = event.orderType === 'market'
    const firstEvent = firstEventOf(origin, isMarket)
    const goesOn = origin === 'trigger' && event.reduceOnly && isMarket
    const made: LiveOrder = {
      id,
      clientOrderId: event.clientOrderId,
      market: event.market,
      side: event.side,
      orderType: event.orderType,
      lots: size,
      isWhole: false,
      armed: true,
      stopPrice: null,
      trailing: null,
      triggerBy: -1,
      reduceOnly: event.reduceOnly,
      createdAt: atMs,
      expireTime: this.expireTimeOf(id),
      mmp: this.protectedOrder === id,
      oco: null,
      source: origin === 'algo' ? parent : null,
      turned: false,
      goesOn,
      slippagePpm: null,
      // An order that an edit replaced is not a parent.
      parent: origin === 'user' || parent === 0 ? null : parent,
      // The order waits between its runs. Other readers see it when it has ended.
      released: !event.waiting && !goesOn,
      placedAs: firstEvent,
      price: event.price,
      filled: 0,
      cancelled: 0,
      status: 'open',
      event: firstEvent,
      updatedAt: atMs,
    }
    this.orders.set(id, made)
    const old = origin === 'user' ? this.replaced.get(parent) : undefined
    made.oco = old?.oco ?? null
    this.step(made, size, 0)
    if (old !== undefined || origin === 'trigger') this.moveLevels(parent, id, atMs)
    if (made.oco !== null) this.link(made.oco, id, atMs)
  }

  /** Links the two orders of an OCO (TRIG-14). */
  linked({ first, second }: EventOf<'OcoLinked'>, atMs: number): void {
    this.link(first, second, atMs)
    this.link(second, first, atMs)
  }

  private link(id: number, other: number, atMs: number): void {
    const order = this.orders.get(id)
    if (order === undefined) return
    order.oco = other
    this.record(order, 'adjust', 0, atMs)
  }

  /** Moves attached levels to the new order: an edit keeps the levels of the order (ORDER-9), and
   *  the order of a triggered stop gets those of the stop (TRIG-13). */
  private moveLevels(from: number, to: number, atMs: number): void {
    for (const level of this.orders.values()) {
      if (level.stopPrice === null || level.parent !== from) continue
      level.parent = to
      level.source = null
      // A new order that is not delayed by the speed bump is visible, and so are its levels.
      if (this.orders.get(to)?.released === true) this.reveal(level)
      this.record(level, 'adjust', 0, atMs)
    }
  }

  stopPlaced(event: EventOf<'StopPlaced'>, atMs: number): void {
    const { order: id, limitPrice, size, parent } = event
    const made: LiveOrder = {
      id,
      clientOrderId: event.clientOrderId,
      market: event.market,
      side: event.side,
      orderType: event.orderType,
      lots: size,
      isWhole: size === 0,
      armed: event.armed,
      stopPrice: event.stopPrice,
      trailing: this.trail.order === id ? this.trail.trailing : null,
      triggerBy: triggerBys.indexOf(event.triggerBy),
      reduceOnly: event.reduceOnly,
      createdAt: atMs,
      expireTime: this.expireTimeOf(id),
      mmp: false,
      oco: null,
      source: (this.orders.get(parent)?.stopPrice ?? null) === null ? null : parent,
      turned: isTurned(event),
      goesOn: false,
      slippagePpm: this.slippageOf(id),
      parent: parent === 0 ? null : parent,
      released: this.orders.get(parent)?.released ?? true,
      placedAs: 'stop_created',
      price: limitPrice,
      filled: 0,
      cancelled: 0,
      status: 'open',
      event: 'stop_created',
      updatedAt: atMs,
    }
    this.orders.set(id, made)
    reached(made, event.extreme)
    this.size(made)
    this.step(made, size, 0)
    reached(made, 0)
  }

  /** Makes the order and its attached levels visible to other readers. */
  private reveal(order: LiveOrder): void {
    if (order.released) return
    order.released = true
    const { placedAs: event, createdAt: updatedAt, lots } = order
    this.step({ ...order, event, updatedAt, filled: 0, status: 'open' }, lots, 0, true)
    for (const level of this.orders.values())
      if (level.parent === order.id && level.stopPrice !== null) this.reveal(level)
  }

  /** Resting is not a separate step, unless the price was adjusted (ORDER-4). */
  rested(id: number, price: number, atMs: number): void {
    const order = this.orders.get(id)
    if (order === undefined) return
    this.reveal(order)
    if (order.price === price) return
    order.price = price
    this.record(order, 'adjust', 0, atMs)
  }

  reduced(id: number, lots: number, atMs: number): void {
    const order = this.orders.get(id)
    if (order === undefined) return
    order.cancelled += lots
    this.record(order, 'adjust', lots, atMs)
  }

  armed({ order: id, extreme }: EventOf<'StopArmed'>, atMs: number): void {
    const order = this.orders.get(id)
    if (order === undefined) return
    order.cancelled = 0
    order.armed = true
    reached(order, extreme)
    this.record(order, 'stop_parent_order_filled', 0, atMs)
  }

  stopReduced(id: number, size: number, atMs: number): void {
    const order = this.orders.get(id)
    if (order === undefined) return
    order.cancelled = order.lots - size
    this.record(order, 'adjust', 0, atMs)
  }

  triggered({ order: id, extreme }: EventOf<'StopTriggered'>, atMs: number): void {
    const order = this.orders.get(id)
    if (order === undefined) return
    // The stop is completed. Later trades belong to its order.
    order.status = 'filled'
    this.fired.set(id, order)
    reached(order, extreme)
    this.record(order, 'stop_triggered', 0, atMs)
  }

  cancelled(id: number, { remaining, reason, levelLots }: Ending, atMs: number): void {
    const order = this.orders.get(id) ?? this.fired.get(id)
    if (order === undefined) return
    if (order.stopPrice === null) {
      const { filled, expireTime } = order
      if (endedUnreleased({ reason, levelLots, filled, expireTime, atMs })) order.released = false
      else this.reveal(order)
    }
    if (cancelReasons[reason] === 'replaced') this.replaced.set(id, order)
    this.size(order)
    const cancelled = order.stopPrice === null ? remaining : 0
    order.cancelled = order.stopPrice === null ? order.cancelled + remaining : order.lots
    order.status = endStatusOf(reason)
    this.record(order, endingOf(reason), cancelled, atMs)
  }

  filled(
    id: number,
    fill: Readonly<{ lots: number; price: number; remaining: number }>,
    atMs: number,
  ) {
    const order = this.orders.get(id)
    if (order === undefined) return
    if (!order.goesOn || fill.remaining === 0) this.reveal(order)
    order.filled += fill.lots
    order.status = fill.remaining === 0 ? 'filled' : 'partially_filled'
    const event = order.orderType === 'market' ? 'fulfill_market' : 'fulfill_limit'
    this.record(order, event, fill.lots, atMs, fill.price)
  }

  private record(order: LiveOrder, event: OrderEventName, lots: number, atMs: number, price = 0) {
    order.event = event
    order.updatedAt = atMs
    this.size(order)
    if (isEnded(order)) {
      this.orders.delete(order.id)
      if (order.oco !== null) this.parted.add(order.oco)
    }
    this.step(order, lots, price)
    reached(order, 0)
  }
}

type TrailOf = Readonly<{ order: number; trailing: Trailing | null }>

/** Sets the best mark of a trailing stop from an event; 0 if the event has none. */
function reached(order: LiveOrder, extreme: number): void {
  if (order.trailing !== null)
    order.trailing = { ...order.trailing, extreme: (extreme || null) as Trailing['extreme'] }
}
