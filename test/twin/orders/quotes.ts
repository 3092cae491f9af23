// Quotes (docs/rules/orders.md, ORDER-17): an order by its client id, wherever it stood.

import type { PlaceQuote } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { findMarket, ordersOf } from '../core/lookup.ts'
import type { Account, Naive, Order } from '../state.ts'
import { given, num, sameClient } from '../units/numbers.ts'
import { editTo } from './cancels.ts'
import { endAll } from './endings.ts'
import { otherLeg } from './legs.ts'
import { placeOrder } from './orders.ts'

export function quote(naive: Naive, action: PlaceQuote, account: Account): Rejection | null {
  const market = findMarket(naive, action.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(action.market))
  const { clientOrderId: client, side, price, size } = action
  if (client == null) return refuse('INVALID_PARAMETER', 0)
  const mmp = action.mmp === true
  const own = (one: { account: number; client: string | null }) =>
    one.account === account.id && sameClient(client, one.client)
  const order = ordersOf(naive, account, null).find(own)
  const stop = naive.stops.find(own)
  const algo = naive.algos.find((one) => own(one) && one.kind !== 'twap')
  if (!order && !stop && !algo) return size === 0 ? null : place(naive, action, account)
  const isQuote =
    order !== undefined &&
    market.book.includes(order) &&
    order.side === side &&
    !order.reduceOnly &&
    otherLeg(naive, order.id) === 0 &&
    !naive.stops.some(({ parent }) => parent === order.id)
  if (!isQuote) return refuse('DUPLICATE_CLIENT_ORDER_ID')
  if (size === 0) {
    endAll(naive, [order as Order], 'owner')
    return null
  }
  const same = num(order.price) === price && num(order.remaining) === size && order.mmp === mmp
  const agent = action.proof?.agent ?? null
  return same ? null : editTo(naive, { account, market, old: order, price, size, agent }, { mmp })
}

function place(naive: Naive, action: PlaceQuote, account: Account): Rejection | null {
  const plain = { tif: 'ALO', reduceOnly: false, takeProfit: null, stopLoss: null } as const
  return placeOrder(naive, { ...action, ...plain, type: 'PlaceOrder' }, account)
}
