// The channels of an account's orders, in the four formats of clients.

import { type MarketParams, trailingStopPrice } from '../../core/index.ts'
import { averagePriceText, priceText, sizeText } from '../../projections/market-text.ts'
import { declared } from '../../protocol/streams/channels.ts'
import { triggerBys } from '../../words/order-words.ts'
import type { OpenOrderFact, OrderFact } from '../accounts/facts.ts'
import { isEnded } from '../accounts/live-order.ts'
import {
  optionsWire,
  orderTypeWire,
  triggerWords,
  watchingWire,
} from '../accounts/order-options.ts'
import { pastOrders as past } from '../accounts/past-orders.ts'
import { type Owner, paramsOf } from '../accounts/watch.ts'
import { factChannel, orderListChannel, type Row, wholeListChannel } from './account-channel.ts'

export const orderChannels = {
  orders: orderListChannel({ ...declared.orders, past }, orderRow),
  accountOrders: wholeListChannel(declared.accountOrders, accountOrderRow),
  accountOrderUpdates: factChannel({ ...declared.accountOrderUpdates, past }, 'order', updateRow),
  userOrderHistory: factChannel({ ...declared.userOrderHistory, past }, 'order', historyRow),
}

function orderHead(owner: Owner, { order }: OrderFact, params: MarketParams) {
  return { i: order.id, I: order.clientOrderId, u: owner.address, s: params.symbol, d: order.side }
}

function orderRow(owner: Owner, fact: OrderFact): Row {
  const { order, atMs, seq } = fact
  const params = paramsOf(owner, order.market)
  const left = isEnded(order) ? 0 : order.lots - order.filled - order.cancelled
  return {
    ...orderHead(owner, fact, params),
    l: order.price,
    p: priceText(params, order.price),
    a: sizeText(params, order.lots),
    r: sizeText(params, left),
    ...optionsWire(params, { ...order, goesOn: goesOn(order) }),
    t: atMs,
    li: seq,
  }
}

const goesOn = (order: OrderFact['order']) => order.goesOn && !isEnded(order)

/** `null` if it is not a stop. */
const triggerByOf = ({ order }: OrderFact) =>
  order.triggerBy < 0 ? null : triggerBys[order.triggerBy]!

function averageText(params: MarketParams, { order, value }: OrderFact): string | null {
  return order.filled === 0 || value === 0 ? null : averagePriceText(params, value, order.filled)
}

/** The stop price; for a trailing stop, `null` until its best mark is known. */
function stopText(params: MarketParams, { side, stopPrice, trailing }: OrderFact['order']) {
  const price = trailing === null ? stopPrice : trailingStopPrice(side, trailing)
  return price === null ? null : priceText(params, price)
}

/** Without the sequence number, which the list has. */
function accountOrderRow(owner: Owner, fact: OpenOrderFact): Row {
  const { order, atMs } = fact
  const params = paramsOf(owner, order.market)
  const price = priceText(params, order.price)
  return {
    ...orderHead(owner, fact, params),
    side: order.side,
    p: averageText(params, fact) ?? price,
    ip: price,
    a: sizeText(params, order.lots),
    f: sizeText(params, order.filled),
    c: sizeText(params, order.cancelled),
    ot: orderTypeWire(order),
    ro: order.reduceOnly,
    sp: stopText(params, order),
    si: order.parent,
    oe: order.event,
    os: order.status,
    ...optionsWire(params, { ...order, goesOn: goesOn(order) }),
    ...watchingWire({ ...order, triggerBy: triggerByOf(fact) }),
    t: atMs,
  }
}

function updateRow(owner: Owner, fact: OrderFact): Row {
  const { order, atMs, seq, fillPrice } = fact
  const params = paramsOf(owner, order.market)
  const price = priceText(params, order.price)
  const triggerBy = triggerByOf(fact)
  return {
    ...orderHead(owner, fact, params),
    side: order.side,
    p: averageText(params, fact),
    ip: price,
    price,
    lp: fillPrice === 0 ? null : priceText(params, fillPrice),
    a: sizeText(params, order.lots),
    f: sizeText(params, order.filled),
    oe: order.event,
    os: order.status,
    ot: orderTypeWire(order),
    sp: stopText(params, order),
    si: order.parent,
    tp: triggerBy === null ? null : triggerWords[triggerBy],
    r: order.reduceOnly,
    ...optionsWire(params, { ...order, goesOn: goesOn(order) }),
    ct: order.createdAt,
    ut: atMs,
    li: seq,
  }
}

/** The event as one of four words. */
function shortEvent({ event, status }: OrderFact['order']): string {
  if (event.startsWith('fulfill_')) return 'take'
  if (status === 'rejected') return 'reject'
  return status === 'cancelled' ? 'cancel' : 'make'
}

function historyRow(owner: Owner, fact: OrderFact): Row {
  const { order, lots, fillPrice, atMs, seq } = fact
  const params = paramsOf(owner, order.market)
  const { d, ...head } = orderHead(owner, fact, params)
  return {
    ...head,
    a: sizeText(params, lots === 0 ? order.lots : lots),
    p: priceText(params, fillPrice === 0 ? order.price : fillPrice),
    d,
    e: shortEvent(order),
    oe: order.event,
    t: atMs,
    li: seq,
  }
}
