import { signed } from '../../operation.ts'
import { ask, principalOf, requireOpen } from '../principal.ts'
import { editOrderOf } from './order-commands.ts'
import { placedReplyOf } from './order-outcome.ts'
import { orderRejections } from './rejects.ts'

export const editOrder = signed({
  name: 'edit_order',
  group: 'Orders',
  rejects: ['ORDER_NOT_FOUND', ...orderRejections, 'MMP_FROZEN'],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { command, market, clientOrderId } = editOrderOf(principal, call.request)
    const events = await ask(principal, command, { params: market.params, clientOrderId })
    return { order_id: placedReplyOf(events).order_id }
  },
})
