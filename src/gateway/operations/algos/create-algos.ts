// Places algos with resting orders.

import type { RejectionName } from '../../../core/index.ts'
import { signed } from '../../operation.ts'
import { marketRejections } from '../orders/rejects.ts'
import { principalOf, requireOpen } from '../principal.ts'
import { placeAlgo, placeChaseOf, placeIcebergOf } from './resting-commands.ts'

const algoRejections = [
  ...marketRejections,
  'TRADING_DISABLED',
  'INVALID_TICK_SIZE',
  'INVALID_TICK_LEVEL',
  'INVALID_AMOUNT',
  'INVALID_TIME',
  'ORDER_AMOUNT_TOO_LOW',
  'ORDER_AMOUNT_TOO_HIGH',
  'PRICE_TOO_FAR_FROM_MARK',
  'DUPLICATE_CLIENT_ORDER_ID',
  'NO_POSITION_FOR_REDUCE_ONLY_ORDER',
  'INVALID_REDUCE_ONLY_ORDER_SIDE',
  'INVALID_REDUCE_ONLY_ORDER_AMOUNT',
  'AGENT_LIMIT',
  'LIMIT_REACHED',
] as const satisfies readonly RejectionName[]

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
