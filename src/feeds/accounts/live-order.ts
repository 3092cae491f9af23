// An open order as the streams follow it.

import type { OpenOrder, Trailing } from '../../core/index.ts'
import type { OrderEventName, OrderStatus } from '../../protocol/words.ts'
import { triggerBys } from '../../words/order-words.ts'

export type LiveOrder = {
  readonly id: number
  readonly clientOrderId: string | null
  readonly market: number
  readonly side: 'bid' | 'ask'
  readonly orderType: string
  /** Last sent size of a stop without a fixed size. */
  lots: number
  readonly isWhole: boolean
  /** Whether its order has filled. */
  armed: boolean
  /** `null` if it is not a stop; a trailing stop has no direction. */
  readonly stopPrice: number | null
  /** Its best mark is that of the previous event, if that has one. */
  trailing: Trailing | null
  /** Index into triggerBys; −1 if it is not a stop. */
  readonly triggerBy: number
  readonly reduceOnly: boolean
  readonly createdAt: number
  /** `null` if it does not expire. */
  readonly expireTime: number | null
  /** Cancelled when its account is filled too fast. */
  readonly mmp: boolean
  /** The other leg of an OCO, even if that has ended. */
  oco: number | null
  /** The stop that brings a level, or the algo of the order; not for a TWAP. */
  source: number | null
  /** Trigger direction of a stop, if it differs from that of its side. */
  readonly turned: boolean
  /** The order of a fired stop that runs until its position is closed (TRIG-3). */
  readonly goesOn: boolean
  /** Maximum slippage of the market order of a stop; `null` for the default. */
  readonly slippagePpm: number | null
  parent: number | null
  /** Whether others may see it. */
  released: boolean
  /** Name of its first step. */
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

/** The order in the present state. */
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
