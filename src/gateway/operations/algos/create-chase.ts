import { signed } from '../../operation.ts'
import { principalOf, requireOpen } from '../principal.ts'
import { algoRejections } from './algo-rejects.ts'
import { placeAlgo, placeChaseOf } from './resting-commands.ts'

export const createChase = signed({
  name: 'create_chase_order',
  group: 'Orders',
  rejects: algoRejections,
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    return placeAlgo(principal, placeChaseOf(principal, call.request))
  },
})
