import { signed } from '../../operation.ts'
import { lotsOf } from '../order-fields.ts'
import { ask, eventIn, marketOf, principalOf, requireOpen } from '../principal.ts'
import { algoRejections } from './algo-rejects.ts'
import { restingFields } from './resting-fields.ts'

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
    const { id: market, params } = marketOf(principal, call.request.symbol)
    const grid = { params, refusals }
    const fields = restingFields(grid, call.request)
    const display = lotsOf(grid, 'display_amount', call.request.display_amount)
    const command = { type: 'PlaceIceberg', account, proof, market, ...fields, display } as const
    const { clientOrderId } = fields
    const events = await ask(principal, command, { params, clientOrderId })
    return { order_id: eventIn(events, 'AlgoPlaced').order }
  },
})
