import { signed } from '../../operation.ts'
import { ask, principalOf, requireOpen } from '../principal.ts'
import { placeOrderOf } from './order-commands.ts'
import { placedReplyOf } from './order-outcome.ts'
import { orderRejections } from './rejects.ts'

export const createOrder = signed({
  name: 'create_order',
  group: 'Orders',
  rejects: [
    ...orderRejections,
    'INVALID_ORDER_TYPE',
    'INVALID_TIME',
    'ORACLE_NOT_AVAILABLE',
    'MMP_FROZEN',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { command, market, clientOrderId } = placeOrderOf(principal, call.request)
    const { params } = market
    return placedReplyOf(await ask(principal, command, { params, clientOrderId }))
  },
})
