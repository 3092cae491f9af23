import { cancelledReply } from '../../../protocol/schemas/order-replies.ts'
import { cancelAllBody } from '../../../protocol/schemas/order-requests.ts'
import { apiError } from '../../api-error.ts'
import { signed } from '../../operation.ts'
import { ask, askerOf, eventIn, marketOf } from '../asker.ts'
import { marketRejections } from './rejects.ts'

export const cancelAllOrders = signed({
  name: 'cancel_all_orders',
  http: 'POST /orders/cancel_all',
  ws: 'cancel_all_orders',
  group: 'Orders',
  summary: 'Cancel all orders of the account, on one market or on all',
  signs: 'cancel_all_orders',
  cost: 'cancel',
  wraps: 'envelope',
  refusals: 'rules',
  request: cancelAllBody,
  reply: cancelledReply,
  rejects: marketRejections,
  async handle(call) {
    const asker = askerOf(call, 'rules')
    const { all_symbols, exclude_reduce_only, symbol } = call.request
    if (!all_symbols && symbol == null)
      throw apiError('MALFORMED_REQUEST', 'symbol is required unless all_symbols is true')
    const market = all_symbols ? null : marketOf(asker, symbol!)
    const { account, proof } = asker
    const events = await ask(
      asker,
      {
        type: 'CancelAllOrders',
        account,
        proof,
        market: market?.id ?? null,
        excludeReduceOnly: exclude_reduce_only,
      },
      { params: market?.params ?? null },
    )
    return { cancelled_count: eventIn(events, 'AllOrdersCancelled').count }
  },
})
