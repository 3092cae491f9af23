import type { MarketParams } from '../../../core/index.ts'
import type { OrderEventRow } from '../../../projections/history/history.ts'
import { ApiError, apiError } from '../../api-error.ts'
import type { Exchange } from '../../exchange.ts'
import { priceText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { amountsWire, averageText, stopWire } from '../order-text.ts'
import { readableAddress } from '../reading.ts'

export const getOrderEvents = unsigned({
  name: 'get_order_events',
  group: 'orders',
  summary: 'Everything that happened to one order, newest first',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  notFound: true,
  async handle(call) {
    const { request, exchange, caller } = call
    const { order_id: order = null, client_order_id: clientOrderId = null } = request
    if (order === null && (clientOrderId === null || request.account == null))
      throw apiError('MALFORMED_REQUEST', 'order_id, or account and client_order_id, is required')
    // By id alone, where reads are the owner's, it must be an order of the caller's own account.
    const owner = exchange.settings.reads === 'owner'
    const asked = request.account ?? (owner ? (caller.keyAccount ?? '') : null)
    if (owner && caller.keyAccount === null)
      throw apiError('CREDENTIALS_REQUIRED', 'reads of an order need an API key of its account')
    const account = asked === null ? null : readableAddress(call, asked)
    const id = order ?? (await idOf(exchange, account!, clientOrderId!))
    const rows = id === null ? [] : await exchange.history.orderEvents(exchange.seq(), id)
    if (rows.length === 0 || (account !== null && rows[0]!.account !== account)) throw noOrder()
    return rows.map((row) => eventWire(exchange.view.markets.paramsOf(row.market), row))
  },
})

function idOf(exchange: Exchange, account: string, clientOrderId: string) {
  return exchange.history.orderOfClientId(exchange.seq(), account, clientOrderId)
}

/** The door's 404: the order would be a row of history, not a thing the rules refuse. */
function noOrder(): ApiError {
  const explanation = 'no such order in the history (order not found)'
  return new ApiError('ORDER_NOT_FOUND', explanation, { status: 404, code: 404 })
}

function eventWire(params: MarketParams, row: OrderEventRow) {
  return {
    history_id: row.id,
    order_id: row.order,
    client_order_id: row.clientOrderId,
    symbol: params.symbol,
    side: row.side,
    price: priceText(params, row.price),
    ...amountsWire(params, row),
    average_filled_price: averageText(params, row),
    event_type: row.event,
    order_status: row.status,
    ...stopWire(params, row),
    created_at: row.atMs,
  }
}
