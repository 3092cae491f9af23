import { orderIdReply } from '../../../protocol/schemas/order-replies.ts'
import { editOrderBody } from '../../../protocol/schemas/order-requests.ts'
import { signed } from '../../operation.ts'
import { ask, askerOf, requireOpen } from '../asker.ts'
import { editOrderOf } from './order-commands.ts'
import { placedReplyOf } from './placed-reply.ts'
import { orderRejections } from './rejects.ts'

export const editOrder = signed({
  name: 'edit_order',
  http: 'POST /orders/edit',
  ws: 'edit_order',
  group: 'Orders',
  summary: 'Replace an open order by one at a new price and size; it becomes post-only',
  signs: 'edit_order',
  cost: 'plain',
  wraps: 'envelope',
  refusals: 'rules',
  request: editOrderBody,
  reply: orderIdReply,
  rejects: ['ORDER_NOT_FOUND', ...orderRejections],
  async handle(call) {
    requireOpen(call.exchange)
    const asker = askerOf(call, 'rules')
    const { command, market, clientOrderId } = editOrderOf(asker, call.request)
    const events = await ask(asker, command, { params: market.params, clientOrderId })
    return { order_id: placedReplyOf(events).order_id }
  },
})
