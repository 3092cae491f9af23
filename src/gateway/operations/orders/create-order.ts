import { placedReply } from '../../../protocol/schemas/order-replies.ts'
import { createOrderBody } from '../../../protocol/schemas/order-requests.ts'
import { signed } from '../../operation.ts'
import { ask, askerOf, requireOpen } from '../asker.ts'
import { placeOrderOf } from './order-commands.ts'
import { placedReplyOf } from './placed-reply.ts'
import { orderRejections } from './rejects.ts'

export const createOrder = signed({
  name: 'create_order',
  http: 'POST /orders/create',
  ws: 'create_order',
  group: 'Orders',
  summary: 'Place a limit order',
  signs: 'create_order',
  cost: 'plain',
  wraps: 'envelope',
  refusals: 'rules',
  request: createOrderBody,
  reply: placedReply,
  rejects: orderRejections,
  async handle(call) {
    requireOpen(call.exchange)
    const asker = askerOf(call, 'rules')
    const { command, market, clientOrderId } = placeOrderOf(asker, call.request)
    const { params } = market
    return placedReplyOf(await ask(asker, command, { params, clientOrderId }))
  },
})
