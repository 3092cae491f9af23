import { successReply } from '../../../protocol/schemas/order-replies.ts'
import { orderRefBody } from '../../../protocol/schemas/order-requests.ts'
import { signed } from '../../operation.ts'
import { ask, askerOf } from '../asker.ts'
import { cancelOrderOf } from '../orders/order-commands.ts'
import { marketRejections } from '../orders/rejects.ts'

export const cancelOrder = signed({
  name: 'cancel_order',
  http: 'POST /orders/cancel',
  ws: 'cancel_order',
  group: 'Orders',
  summary: 'Cancel an order, stop or TP/SL level; never delayed',
  signs: 'cancel_order',
  cost: 'cancel',
  wraps: 'bare',
  refusals: 'contract',
  request: orderRefBody,
  reply: successReply,
  rejects: [...marketRejections, 'ORDER_NOT_FOUND'],
  async handle(call) {
    const asker = askerOf(call, 'contract')
    const { command, market, clientOrderId } = cancelOrderOf(asker, call.request)
    await ask(asker, command, { params: market.params, clientOrderId })
    return { success: true as const }
  },
})
