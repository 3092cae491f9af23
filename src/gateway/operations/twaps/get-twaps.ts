import { ApiError } from '../../api-error.ts'
import { unsigned } from '../../operation.ts'
import { accountPage } from '../paging.ts'
import { isAnonymous, isOwner, openRows, requireAlgoReader } from '../reading.ts'
import { twapStepWire, twapWire } from './twap-text.ts'

export const getTwaps = unsigned({
  name: 'get_twap_orders',
  group: 'orders',
  handle(call) {
    requireAlgoReader(call, call.request.account)
    return openRows(call, 'twapsOf', twapWire)
  },
})

export const getTwapHistory = unsigned({
  name: 'get_twap_history',
  group: 'orders',
  cost: 'heavy',
  handle(call) {
    const { exchange } = call
    requireAlgoReader(call, call.request.account)
    return accountPage(call, 'twaps', exchange.history.twaps, {
      idOf: ({ order }) => order,
      rowOf: (row) => twapStepWire(exchange.view.markets.paramsOf(row.market), row),
    })
  },
})

const noTwap =
  'no such TWAP in the history (order not found); for orders, chases and icebergs use ' +
  '/orders/history_by_id'

export const getTwapSteps = unsigned({
  name: 'get_twap_events',
  group: 'orders',
  notFound: true,
  async handle(call) {
    const { request, exchange, caller } = call
    // If only owners may read, an anonymous caller must not learn whether the TWAP exists.
    if (isAnonymous(caller)) requireAlgoReader(call, null)
    const rows = await exchange.history.twapSteps(exchange.seq(), request.order_id)
    const [newest] = rows
    const isPublic = exchange.settings.reads === 'public'
    if (newest === undefined || !(isPublic || isOwner(caller, newest.account)))
      throw new ApiError('ORDER_NOT_FOUND', noTwap, { status: 404, code: 404 })
    return rows.map((row) => twapStepWire(exchange.view.markets.paramsOf(row.market), row))
  },
})
