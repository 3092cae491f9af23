import type { MarketParams } from '../../../core/index.ts'
import type { AlgoRow, OrderEventRow } from '../../../projections/history/history.ts'
import { ApiError, apiError } from '../../api-error.ts'
import type { Exchange } from '../../exchange.ts'
import { priceText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { amountsWire, averageText, stopWire } from '../order-text.ts'
import { readableAddress } from '../reading.ts'

export const getOrderEvents = unsigned({
  name: 'get_order_events',
  group: 'orders',
  summary:
    'Everything that happened to one order, newest first; of a chase or an iceberg its placing, ' +
    'fills and end',
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
    if (id === null) throw noOrder()
    const rows = await exchange.history.orderEvents(exchange.seq(), id)
    const life = rows.length > 0 ? rows : await exchange.history.algoSteps(exchange.seq(), id)
    const [newest] = life
    if (newest === undefined || (account !== null && newest.account !== account)) throw noOrder()
    if ('kind' in newest && newest.kind === 'twap') throw noOrder(twapsAre)
    return life.flatMap((row) => {
      const event = 'kind' in row ? eventOfAlgo(row) : row
      return event === null ? [] : [eventWire(exchange.view.markets.paramsOf(row.market), event)]
    })
  },
})

const twapsAre = 'it is a TWAP, of which /orders/twap/history_by_id tells'

/** Words of TWAPs, which history keeps of all algos; a step is told by the order that it made. */
const eventsOfAlgos: Readonly<Record<AlgoRow['event'], OrderEventRow['event'] | null>> = {
  twap_created: 'make',
  twap_triggered: null,
  fulfill_market: 'fulfill_limit',
  cancel: 'cancel',
  force_cancel: 'force_cancel',
  expired: 'expired',
}

function eventOfAlgo(row: AlgoRow): OrderEventRow | null {
  const event = eventsOfAlgos[row.event]
  if (event === null) return null
  const cancelledLots = row.status === 'cancelled' ? row.initialLots - row.filledLots : 0
  return { ...row, event, cancelledLots, stopPrice: null, orderType: 'limit', parent: null }
}

function idOf(exchange: Exchange, account: string, clientOrderId: string) {
  return exchange.history.orderOfClientId(exchange.seq(), account, clientOrderId)
}

/** The door's 404: the order would be a row of history, not a thing the rules refuse. */
function noOrder(why = 'no such order in the history'): ApiError {
  const explanation = `${why} (order not found)`
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
