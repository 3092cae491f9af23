// Events of new orders and stops, with their time right before them (ORDER-14).

import { emit } from '../core/lookup.ts'
import type { Naive, Order } from '../state.ts'
import { firesUp } from '../triggers/directions.ts'
import { extremeOf } from '../triggers/trailing.ts'
import { num } from '../units/numbers.ts'
import type { Timed } from './expiry.ts'

type Timely = Readonly<{ id: number; account: number; market: number }> & Timed

/** ORDER-14: emitted right before the order. */
function emitExpiry(naive: Naive, { id: order, account, market, expireTime }: Timely): void {
  if (expireTime !== null)
    emit(naive, { type: 'ExpirySet', order, account, market, time: expireTime })
}

export function emitPlaced(naive: Naive, order: Order, waiting: boolean): void {
  const { id, account, market, mmp } = order
  if (mmp) emit(naive, { type: 'OrderProtected', order: id, account, market })
  emitExpiry(naive, order)
  emit(naive, {
    type: 'OrderPlaced',
    order: order.id,
    account: order.account,
    market: order.market,
    side: order.side,
    price: num(order.price),
    size: num(order.size),
    tif: order.tif,
    reduceOnly: order.reduceOnly,
    origin: order.origin,
    parent: order.parent,
    waiting,
    orderType: order.isMarket ? 'market' : 'limit',
    clientOrderId: order.client,
  })
}

export function emitStopPlaced(naive: Naive, stop: Naive['stops'][number]): void {
  emitExpiry(naive, stop)
  if (stop.trail !== null) {
    const { distance, ppm, activation } = stop.trail
    emit(naive, {
      type: 'TrailSet',
      order: stop.id,
      account: stop.account,
      market: stop.market,
      distance: num(distance ?? 0n),
      ppm: num(ppm ?? 0n),
      activation: num(activation ?? 0n),
    })
  }
  emit(naive, {
    type: 'StopPlaced',
    order: stop.id,
    account: stop.account,
    market: stop.market,
    side: stop.side,
    orderType: stop.limitPrice === 0n ? `${stop.kind}_market` : `${stop.kind}_limit`,
    stopPrice: num(stop.stopPrice),
    up: firesUp(stop),
    extreme: num(extremeOf(stop)),
    limitPrice: num(stop.limitPrice),
    size: num(stop.size),
    triggerBy: stop.triggerBy,
    reduceOnly: stop.reduceOnly,
    parent: stop.parent,
    armed: stop.armed,
    clientOrderId: stop.client,
  })
}
