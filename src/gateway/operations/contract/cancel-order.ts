import { signed } from '../../operation.ts'
import { ask, askerOf } from '../asker.ts'
import { cancelOrderOf } from '../orders/order-commands.ts'
import { marketRejections } from '../orders/rejects.ts'

export const cancelOrder = signed({
  name: 'cancel_order',
  group: 'Orders',
  summary: 'Cancel an order, stop or TP/SL level; never delayed',
  cost: 'cancel',
  refusals: 'contract',
  rejects: [...marketRejections, 'ORDER_NOT_FOUND'],
  async handle(call) {
    const asker = askerOf(call, call.refusals)
    const { command, market, clientOrderId } = cancelOrderOf(asker, call.request)
    await ask(asker, command, { params: market.params, clientOrderId })
    return { success: true as const }
  },
})
