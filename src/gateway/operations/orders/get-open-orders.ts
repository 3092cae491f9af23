import type { MarketParams, OpenOrder } from '../../../core/index.ts'
import { queueWire } from '../../../feeds/queue-text.ts'
import { priceText } from '../../../projections/market-text.ts'
import { isSeen, withSeenLinks } from '../../../projections/sight.ts'
import { unsigned } from '../../operation.ts'
import { amountsWire, optionsWire, slippageWire, stopWire } from '../order-text.ts'
import { openRows, sightOf } from '../reading.ts'

export const getOpenOrders = unsigned({
  name: 'get_open_orders',
  group: 'orders',
  handle(call) {
    const { orders } = call.exchange.view
    const sight = sightOf(call, call.request.account)
    const queues = sight === 'resting' ? null : orders.queues()
    const rows = openRows(
      call,
      'openOf',
      (params, row) => ({
        ...openOrderWire(
          params,
          withSeenLinks(sight, row, (id) => orders.isUnreleased(id)),
        ),
        ...queueWire(params, queues?.of(row.order)),
      }),
      (row) => isSeen(sight, row),
    )
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
    ...slippageWire(row.slippagePpm),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}
