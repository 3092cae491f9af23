import type { MarketParams, OpenOrder } from '../../../core/index.ts'
import { priceText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import {
  amountsWire,
  expiryWire,
  mmpWire,
  stopWire,
  tiesWire,
  trailingWire,
  watchingWire,
} from '../order-text.ts'
import { readableAccount } from '../reading.ts'

export const getOpenOrders = unsigned({
  name: 'get_open_orders',
  group: 'orders',
  summary: 'Open orders, waiting ones, stops and take-profit or stop-loss levels, newest first',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  handle(call) {
    const account = readableAccount(call, call.request.account)
    const { exchange } = call
    const orders = account === 0 ? [] : exchange.view.orders.openOf(account)
    const rows = orders.map((row) => openOrderWire(exchange.view.markets.paramsOf(row.market), row))
    return { rows, last_order_id: exchange.seq() }
  },
})

export function openOrderWire(params: MarketParams, row: OpenOrder) {
  return {
    order_id: row.order,
    client_order_id: row.clientOrderId,
    symbol: params.symbol,
    side: row.side,
    price: priceText(params, row.price),
    ...amountsWire(params, row),
    ...stopWire(params, row),
    ...trailingWire(params, row.trailing),
    ...expiryWire(row),
    ...mmpWire(row),
    ...tiesWire(row),
    ...watchingWire(row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}
