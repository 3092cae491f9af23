import { apiError } from '../../api-error.ts'
import { signed } from '../../operation.ts'
import { ask, eventIn, marketOf, principalOf } from '../principal.ts'
import { marketRejections } from './rejects.ts'

export const cancelAllOrders = signed({
  name: 'cancel_all_orders',
  group: 'Orders',
  summary: 'Cancel all orders of the account, on one market or on all',
  cost: 'cancel',
  refusals: 'rules',
  rejects: marketRejections,
  async handle(call) {
    const principal = principalOf(call, 'rules')
    const { all_symbols, exclude_reduce_only, symbol } = call.request
    if (!all_symbols && symbol == null)
      throw apiError('MALFORMED_REQUEST', 'symbol is required unless all_symbols is true')
    const market = all_symbols ? null : marketOf(principal, symbol!)
    const { account, proof } = principal
    const events = await ask(
      principal,
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
