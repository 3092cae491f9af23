import { signed } from '../../operation.ts'
import { ask, eventIn, principalOf, requireOpen } from '../principal.ts'
import { placeProfitStopOf } from '../profit-stop.ts'
import { placeStopOf } from './order-commands.ts'
import { marketRejections } from './rejects.ts'

const operation = (prepare: typeof placeStopOf) =>
  signed({
    name: 'create_stop_order',
    group: 'Orders',
    rejects: [
      ...marketRejections,
      'TRADING_DISABLED',
      'INVALID_TICK_SIZE',
      'INVALID_TICK_LEVEL',
      'INVALID_AMOUNT',
      'INVALID_ORDER_TYPE',
      'INVALID_TIME',
      'DUPLICATE_CLIENT_ORDER_ID',
      'OPEN_ORDER_LIMIT_REACHED',
      'POSITION_TPSL_LIMIT_EXCEEDED',
      'NO_POSITION_FOR_REDUCE_ONLY_ORDER',
      'INVALID_STOP_TICK',
      'INVALID_STOP_ORDER_AMOUNT',
      'INVALID_STOP_ORDER_REDUCE_ONLY',
      'AGENT_LIMIT',
    ],
    async handle(call) {
      requireOpen(call.exchange)
      const principal = principalOf(call, 'rules')
      const { command, market, clientOrderId } = prepare(principal, call.request)
      const subject = { params: market.params, clientOrderId, isStop: true }
      const events = await ask(principal, command, subject)
      return { order_id: eventIn(events, 'StopPlaced').order }
    },
  })

export const createStop = operation(placeStopOf)
/** A variant for existing clients. */
export const createProfitStop = operation(placeProfitStopOf)
