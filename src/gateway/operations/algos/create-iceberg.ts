import { signed } from '../../operation.ts'
import { expiryOf, lotsOf, ticksOf } from '../order-fields.ts'
import { ask, eventIn, marketOf, principalOf, requireOpen } from '../principal.ts'
import { algoRejections } from './algo-rejects.ts'

export const createIceberg = signed({
  name: 'create_iceberg_order',
  group: 'Orders',
  summary: 'Show a part of a size; the next part comes when it is filled',
  cost: 'plain',
  refusals: 'rules',
  rejects: algoRejections,
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { account, proof, refusals } = principal
    const { symbol, side, amount, display_amount, price, ...rest } = call.request
    const { id, params } = marketOf(principal, symbol)
    const grid = { params, refusals }
    const clientOrderId = rest.client_order_id ?? null
    const command = {
      type: 'PlaceIceberg',
      account,
      proof,
      market: id,
      side,
      size: lotsOf(grid, 'amount', amount),
      display: lotsOf(grid, 'display_amount', display_amount),
      price: ticksOf(grid, 'price', price),
      reduceOnly: rest.reduce_only,
      expireTime: null,
      clientOrderId,
      ...expiryOf(rest),
    } as const
    const events = await ask(principal, command, { params, clientOrderId })
    return { order_id: eventIn(events, 'AlgoPlaced').order }
  },
})
