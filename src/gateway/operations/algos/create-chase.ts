import { signed } from '../../operation.ts'
import { ask, eventIn, marketOf, principalOf, requireOpen } from '../principal.ts'
import { algoRejections } from './algo-rejects.ts'
import { restingFields } from './resting-fields.ts'

export const createChase = signed({
  name: 'create_chase_order',
  group: 'Orders',
  summary: 'Stay at the best price as a maker, never beyond a bound',
  cost: 'plain',
  refusals: 'rules',
  rejects: algoRejections,
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { account, proof, refusals } = principal
    const { id: market, params } = marketOf(principal, call.request.symbol)
    const fields = restingFields({ params, refusals }, call.request)
    const command = { type: 'PlaceChase', account, proof, market, ...fields } as const
    const { clientOrderId } = fields
    const events = await ask(principal, command, { params, clientOrderId })
    return { order_id: eventIn(events, 'AlgoPlaced').order }
  },
})
