import { signed } from '../../operation.ts'
import { ask, eventIn, principalOf, requireOpen } from '../principal.ts'
import { algoRejections } from './algo-rejects.ts'
import { placeChaseOf } from './resting-commands.ts'

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
    const { command, market, clientOrderId } = placeChaseOf(principal, call.request)
    const events = await ask(principal, command, { params: market.params, clientOrderId })
    return { order_id: eventIn(events, 'AlgoPlaced').order }
  },
})
