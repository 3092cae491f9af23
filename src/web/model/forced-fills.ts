// Distinguishes the closes that an account did not choose from its own trades.

import type { Explained } from './desk.ts'
import type { AccountTrade, Fill } from './wire.ts'

type Trade = Pick<AccountTrade, 'history_id' | 'order_id'> &
  Readonly<{ cause: string; side: string; event_type: string }>

export const asTrade = (fill: Fill): Trade => ({
  history_id: fill.h,
  order_id: fill.i,
  cause: fill.tc,
  side: fill.ts,
  event_type: fill.te,
})

/** Of a market liquidation only the taker's side counts, because the maker traded normally. */
const isLiquidated = ({ cause, side, event_type }: Trade) =>
  side.startsWith('close') &&
  (cause === 'backstop_liquidation' ||
    (cause === 'market_liquidation' && event_type === 'fulfill_taker'))

/** Whether a trade is a forced close. */
export const isForced = (trade: Trade) =>
  isLiquidated(trade) || (trade.cause === 'deleverage' && trade.side.startsWith('close'))

export const fillQuestion = (trade: Trade): Explained => ({
  about: 'fill',
  id: trade.history_id,
  orderId: trade.order_id,
  liquidated: isLiquidated(trade),
})
