// An open order as the streams follow it.

import { type OpenOrder, type Trailing, triggerBys } from '../../core/index.ts'
import type { OrderEventName, OrderStatus } from '../../protocol/words.ts'

export type LiveOrder = {
  readonly id: number
  readonly clientOrderId: string | null
  readonly market: number
  readonly side: 'bid' | 'ask'
  readonly orderType: string
  /** Of a stop without a size of its own: what it was as large as when it was sent last. */
  lots: number
  readonly isWhole: boolean
  /** Not: its order has not filled. */
  armed: boolean
  /** Null: not a stop; of one that trails it says nothing. */
  readonly stopPrice: number | null
  /** Its best mark is that of the previous event, if that has one. */
  trailing: Trailing | null
  /** Index into triggerBys; −1: not a stop. */
  readonly triggerBy: number
  readonly reduceOnly: boolean
  readonly createdAt: number
  /** Null: nothing ends it at a time of its own. */
  readonly expireTime: number | null
  /** It goes when its account is filled too fast. */
  readonly mmp: boolean
  /** The other leg of an OCO, also when that has ended. */
  oco: number | null
  /** The stop that brings a level, or the algo whose order it is; not of a TWAP. */
  source: number | null
  /** A stop that does not fire as its side does. */
  readonly turned: boolean
  /** The order of a fired stop that goes on until its position is closed (TRIG-3). */
  readonly goesOn: boolean
  /** How far from the mark the market order of a stop may go; null: it does not say. */
  readonly slippagePpm: number | null
  parent: number | null
  /** Others may see it. */
  released: boolean
  /** What its first step is called. */
  readonly placedAs: OrderEventName
  price: number
  filled: number
  cancelled: number
  status: OrderStatus
  event: OrderEventName
  updatedAt: number
}

export function isEnded({ status }: Pick<LiveOrder, 'status'>): boolean {
  return status !== 'open' && status !== 'partially_filled'
}

/** As the state has it now. */
export function liveOrder(open: OpenOrder): LiveOrder {
  const fulfilled = open.orderType === 'market' ? 'fulfill_market' : 'fulfill_limit'
  const made = open.stopPrice === null ? 'make' : 'stop_created'
  return {
    id: open.order,
    clientOrderId: open.clientOrderId,
    market: open.market,
    side: open.side,
    orderType: open.orderType,
    lots: open.initialLots,
    isWhole: open.isWhole,
    armed: open.armed,
    stopPrice: open.stopPrice,
    trailing: open.trailing === null ? null : { ...open.trailing, extreme: null },
    triggerBy: open.triggerBy === null ? -1 : triggerBys.indexOf(open.triggerBy),
    reduceOnly: open.reduceOnly,
    createdAt: open.createdAt,
    expireTime: open.expireTime,
    mmp: open.mmp,
    oco: open.oco,
    source: open.source,
    turned: open.turned,
    goesOn: open.goesOn,
    slippagePpm: open.slippagePpm,
    parent: open.source ?? open.parent,
    released: !open.unreleased,
    placedAs: made,
    price: open.price,
    filled: open.filledLots,
    cancelled: open.cancelledLots,
    status: open.filledLots > 0 ? 'partially_filled' : 'open',
    event: open.filledLots > 0 ? fulfilled : made,
    updatedAt: open.updatedAt,
  }
}
