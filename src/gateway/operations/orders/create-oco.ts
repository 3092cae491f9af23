import { signed } from '../../operation.ts'
import { ask, eventIn, principalOf, requireOpen } from '../principal.ts'
import { placeOcoOf } from './oco-command.ts'
import { orderRejections } from './rejects.ts'

export const createOco = signed({
  name: 'create_oco_order',
  group: 'Orders',
  rejects: [
    ...orderRejections,
    'INVALID_ORDER_TYPE',
    'INVALID_TIME',
    'INVALID_STOP_ORDER_SIDE',
    'WOULD_TAKE',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { command, market } = placeOcoOf(principal, call.request)
    const events = await ask(principal, command, { params: market.params })
    const { first, second } = eventIn(events, 'OcoLinked')
    return { order_ids: [first, second] }
  },
})
