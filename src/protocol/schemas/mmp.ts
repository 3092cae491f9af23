// Market maker protection: settings and status.

import { decimal, optional, symbol } from './field-types.ts'
import { Type } from './typebox.ts'

const windowMs = Type.Integer({ description: 'Time window of the counts, in milliseconds' })
const frozenMs = Type.Integer({
  description: 'Time after a trip in which orders with mmp are rejected; 0: until a reset',
})
const amount = decimal('Filled as maker, bought and sold together, that trips it')
const netAmount = decimal('Bought less sold, or sold less bought, that trips it')

export const setMmpBody = Type.Object({
  symbol,
  window_ms: optional(windowMs),
  frozen_ms: optional(frozenMs),
  max_amount: optional(amount),
  max_net_amount: optional(netAmount),
  remove: optional(Type.Boolean({ description: 'True: no protection any more' })),
})

export const resetMmpBody = Type.Object({ symbol })

export const mmpRow = Type.Object({
  symbol,
  window_ms: windowMs,
  frozen_ms: frozenMs,
  max_amount: Type.Union([amount, Type.Null()]),
  max_net_amount: Type.Union([netAmount, Type.Null()]),
  frozen_until: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Orders with mmp are refused until this time; 0: until a reset; null: not frozen',
  }),
})
