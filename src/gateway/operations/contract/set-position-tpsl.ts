import { signed } from '../../operation.ts'
import { tpslOf } from '../orders/order-commands.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, principalOf, requireOpen } from '../principal.ts'

export const setPositionTpsl = signed({
  name: 'set_position_tpsl',
  group: 'Positions',
  refusals: 'contract',
  rejects: [
    ...marketRejections,
    'TRADING_DISABLED',
    'INVALID_TICK_SIZE',
    'INVALID_TICK_LEVEL',
    'INVALID_AMOUNT',
    'INVALID_ORDER_TYPE',
    'POSITION_NOT_FOUND',
    'DUPLICATE_CLIENT_ORDER_ID',
    'OPEN_ORDER_LIMIT_REACHED',
    'POSITION_TPSL_LIMIT_EXCEEDED',
    'INVALID_STOP_TICK',
    'INVALID_STOP_ORDER_SIDE',
    'INVALID_STOP_ORDER_AMOUNT',
    'AGENT_LIMIT',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, call.refusals)
    const { command, market } = tpslOf(principal, call.request)
    await ask(principal, command, { params: market.params })
    return { success: true as const }
  },
})
