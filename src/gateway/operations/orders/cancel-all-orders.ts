import { signed } from '../../operation.ts'
import { ask, eventIn, principalOf } from '../principal.ts'
import { cancelAllOf } from './order-commands.ts'
import { marketRejections } from './rejects.ts'

export const cancelAllOrders = signed({
  name: 'cancel_all_orders',
  group: 'Orders',
  cost: 'cancel',
  rejects: marketRejections,
  async handle(call) {
    const principal = principalOf(call, 'rules')
    const { command, market } = cancelAllOf(principal, call.request)
    const events = await ask(principal, command, { params: market?.params ?? null })
    return { cancelled_count: eventIn(events, 'AllOrdersCancelled').count }
  },
})
