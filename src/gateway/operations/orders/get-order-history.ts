import { type MarketParams, type Trailing, trailingStopPrice } from '../../../core/index.ts'
import type { OrderRow } from '../../../projections/history/history.ts'
import { priceText, sizeText } from '../../../projections/market-text.ts'
import { withSeenLinks } from '../../../projections/sight.ts'
import { unsigned } from '../../operation.ts'
import {
  amountsWire,
  averageText,
  isFired,
  optionsWire,
  pastTrailing,
  stopWire,
} from '../order-text.ts'
import { pageOfRequest, pageReply } from '../paging.ts'
import { readableAddress, sightOf } from '../reading.ts'
import { ordersSeen } from './orders-seen.ts'

export const getOrderHistory = unsigned({
  name: 'get_order_history',
  group: 'orders',
  cost: 'heavy',
  async handle(call) {
    const { request, exchange } = call
    const account = readableAddress(call, request.account)
    const sight = sightOf(call, account)
    const page = { ...pageOfRequest(exchange, 'orders', request), sight }
    const rows = await ordersSeen(exchange, account, page)
    return pageReply('orders', page, rows, {
      idOf: ({ order }) => order,
      rowOf(row) {
        const { view } = exchange
        // The size of a stop for the whole position is that of its last event.
        const initialLots = view.orders.wholeStopLots(row.order) ?? row.initialLots
        const trailing = view.orders.trailingOf(row.order) ?? pastTrailing(row)
        const stopPrice = trailing === null ? row.stopPrice : trailingStopPrice(row.side, trailing)
        const params = view.markets.paramsOf(row.market)
        const order = withSeenLinks(sight, { ...row, initialLots, stopPrice }, (id) =>
          view.orders.isUnreleased(id),
        )
        return orderWire(params, order, trailing)
      },
    })
  },
})

/** Whether the market order of a triggered stop is still open, waiting between its runs. */
const goesOn = (row: OrderRow) =>
  isFired(row) && (row.status === 'open' || row.status === 'partially_filled')

function orderWire(params: MarketParams, row: OrderRow, trailing: Trailing | null) {
  return {
    order_id: row.order,
    client_order_id: row.clientOrderId,
    symbol: params.symbol,
    side: row.side,
    initial_price: priceText(params, row.initialPrice),
    price: priceText(params, row.price),
    amount: sizeText(params, row.initialLots),
    ...amountsWire(params, row),
    average_filled_price: averageText(params, row),
    order_status: row.status,
    ...stopWire(params, row),
    ...optionsWire(params, { ...row, trailing, goesOn: goesOn(row) }),
    reason: row.reason,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}
