// What every algo whose orders rest is asked for with, in the numbers of the core.

import type { CreateChaseBody } from '../../../protocol/schemas/algos.ts'
import { expiryOf, type Grid, lotsOf, ticksOf } from '../order-fields.ts'

export function restingFields(grid: Grid, request: CreateChaseBody) {
  const { side, amount, price } = request
  return {
    side,
    size: lotsOf(grid, 'amount', amount),
    price: ticksOf(grid, 'price', price),
    reduceOnly: request.reduce_only,
    expireTime: null,
    clientOrderId: request.client_order_id ?? null,
    ...expiryOf(request),
  } as const
}
