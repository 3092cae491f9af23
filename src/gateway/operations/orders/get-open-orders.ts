import type { MarketParams, OpenOrder } from '../../../core/index.ts'
import { priceText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { amountsWire, optionsWire, stopWire } from '../order-text.ts'
import { openRows } from '../reading.ts'

export const getOpenOrders = unsigned({
  name: 'get_open_orders',
  group: 'orders',
  summary: 'Open orders, waiting ones, stops and take-profit or stop-loss levels, newest first',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  handle(call) {
    const rows = openRows(call, 'openOf', openOrderWire)
    return { rows, last_order_id: call.exchange.seq() }
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
    ...optionsWire(params, row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}
