import { signed } from '../../operation.ts'
import { principalOf, requireOpen } from '../principal.ts'
import { algoRejections } from './algo-rejects.ts'
import { placeAlgo, placeIcebergOf } from './resting-commands.ts'

export const createIceberg = signed({
  name: 'create_iceberg_order',
  group: 'Orders',
  rejects: algoRejections,
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    return placeAlgo(principal, placeIcebergOf(principal, call.request))
  },
})
