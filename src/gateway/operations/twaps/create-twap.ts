import { signed } from '../../operation.ts'
import { lotsOf, percentOf } from '../order-fields.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, eventIn, marketOf, principalOf, requireOpen } from '../principal.ts'

export const createTwap = signed({
  name: 'create_twap_order',
  group: 'Orders',
  rejects: [
    ...marketRejections,
    'TRADING_DISABLED',
    'INVALID_AMOUNT',
    'NO_POSITION_FOR_REDUCE_ONLY_ORDER',
    'INVALID_REDUCE_ONLY_ORDER_SIDE',
    'INVALID_REDUCE_ONLY_ORDER_AMOUNT',
    'AGENT_LIMIT',
    'TWAP_CLIENT_ORDER_ID_IN_USE',
    'TWAP_SUB_ORDER_AMOUNT',
    'TWAP_DURATION',
    'TWAP_LIMIT_REACHED',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { account, proof, refusals } = principal
    const { symbol, amount, side, slippage_percent, client_order_id, ...rest } = call.request
    const { id, params } = marketOf(principal, symbol)
    const clientOrderId = client_order_id ?? null
    const command = {
      type: 'PlaceTwap',
      account,
      proof,
      market: id,
      side,
      size: lotsOf({ params, refusals }, 'amount', amount),
      reduceOnly: rest.reduce_only,
      slippagePpm: percentOf(refusals, 'slippage_percent', slippage_percent),
      durationSeconds: rest.duration_in_seconds,
      clientOrderId,
    } as const
    const events = await ask(principal, command, { params, clientOrderId })
    return { order_id: eventIn(events, 'AlgoPlaced').order }
  },
})
