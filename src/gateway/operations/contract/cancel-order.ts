import { signed } from '../../operation.ts'
import { cancelOrderOf } from '../orders/order-commands.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, principalOf } from '../principal.ts'

export const cancelOrder = signed({
  name: 'cancel_order',
  group: 'Orders',
  cost: 'cancel',
  refusals: 'contract',
  rejects: [...marketRejections, 'ORDER_NOT_FOUND'],
  async handle(call) {
    const principal = principalOf(call, call.refusals)
    const { command, market, clientOrderId } = cancelOrderOf(principal, call.request)
    await ask(principal, command, { params: market.params, clientOrderId })
    return { success: true as const }
  },
})
