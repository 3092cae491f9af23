import { signed } from '../../operation.ts'
import { ask, principalOf, requireOpen } from '../principal.ts'
import { placeMarketOrderOf } from './order-commands.ts'
import { placedReplyOf } from './order-outcome.ts'
import { orderRejections } from './rejects.ts'

export const createMarketOrder = signed({
  name: 'create_market_order',
  group: 'Orders',
  rejects: [
    'NO_REASONABLE_PRICE',
    ...orderRejections,
    'INVALID_ORDER_TYPE',
    'ORACLE_NOT_AVAILABLE',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { command, market, clientOrderId } = placeMarketOrderOf(principal, call.request)
    const { params } = market
    return placedReplyOf(await ask(principal, command, { params, clientOrderId }))
  },
})
