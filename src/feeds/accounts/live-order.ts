// An open order as tracked by the streams.

import type { OpenOrder, Trailing } from '../../core/index.ts'
import type { OrderEventName, OrderStatus } from '../../protocol/words.ts'
import { triggerBys } from '../../words/order-words.ts'

export type LiveOrder = {
  readonly id: number
  readonly clientOrderId: string | null
  readonly market: number
  readonly side: 'bid' | 'ask'
  readonly orderType: string
  /** Last sent size. It changes only for stops without a fixed size. */
  lots: number
  readonly isWhole: boolean
  /** Whether the order that it came with has filled. */
  armed: boolean
  /** `null` if it is not a stop; a trailing stop has no direction. */
  readonly stopPrice: number | null
  /** As of the previous event that has a best mark. */
  trailing: Trailing | null
  /** Index into triggerBys; −1 if it is not a stop. */
  readonly triggerBy: number
  readonly reduceOnly: boolean
  readonly createdAt: number
  /** `null` if it does not expire. */
  readonly expireTime: number | null
  /** Whether it is cancelled when its account is filled too fast. */
  readonly mmp: boolean
  /** The other leg of an OCO, even if that has ended. */
  oco: number | null
  /** The stop that an attached level came with, or the algo of the order (except for TWAPs). */
  source: number | null
  /** Whether a stop triggers in the other direction than its side implies. */
  readonly turned: boolean
  /** Whether this is the order of a triggered stop that stays active until its position is closed
   *  (TRIG-3). */
  readonly goesOn: boolean
  /** Maximum slippage of the market order of a stop; `null` for the default. */
  readonly slippagePpm: number | null
  parent: number | null
  /** Whether other accounts may see it. */
  released: boolean
  /** Event name of its first step. */
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

/** Creates the tracked order from its current state. */
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
