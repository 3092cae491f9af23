import { signed } from '../../operation.ts'
import { ask, principalOf } from '../principal.ts'
import { cancelStopOf } from './order-commands.ts'
import { marketRejections } from './rejects.ts'

export const cancelStop = signed({
  name: 'cancel_stop_order',
  group: 'Orders',
  cost: 'cancel',
  rejects: [...marketRejections, 'ORDER_NOT_FOUND'],
  async handle(call) {
    const principal = principalOf(call, 'rules')
    const { command, market, clientOrderId } = cancelStopOf(principal, call.request)
    await ask(principal, command, { params: market.params, clientOrderId })
    return null
  },
})
