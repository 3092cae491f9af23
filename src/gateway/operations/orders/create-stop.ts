import { signed } from '../../operation.ts'
import { expiryOf, levelOf } from '../order-fields.ts'
import { ask, eventIn, marketOf, principalOf, requireOpen } from '../principal.ts'
import { marketRejections } from './rejects.ts'

export const createStop = signed({
  name: 'create_stop_order',
  group: 'Orders',
  summary: 'Place a stop: an order that wakes on a price',
  cost: 'plain',
  refusals: 'rules',
  rejects: [
    ...marketRejections,
    'TRADING_DISABLED',
    'INVALID_TICK_SIZE',
    'INVALID_TICK_LEVEL',
    'INVALID_AMOUNT',
    'INVALID_TIME',
    'DUPLICATE_CLIENT_ORDER_ID',
    'OPEN_ORDER_LIMIT_REACHED',
    'NO_POSITION_FOR_REDUCE_ONLY_ORDER',
    'INVALID_STOP_TICK',
    'INVALID_STOP_ORDER_AMOUNT',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { account, proof, refusals } = principal
    const { symbol, side, reduce_only, stop_order } = call.request
    const { id, params } = marketOf(principal, symbol)
    const level = levelOf({ params, refusals }, 'stop_order', stop_order)
    const command = {
      account,
      proof,
      market: id,
      side,
      reduceOnly: reduce_only,
      level,
      ...expiryOf(call.request),
    }
    const subject = { params, clientOrderId: level.clientOrderId, isStop: true }
    const events = await ask(principal, { type: 'PlaceStop', ...command }, subject)
    return { order_id: eventIn(events, 'StopPlaced').order }
  },
})
