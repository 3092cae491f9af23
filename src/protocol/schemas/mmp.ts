// Market maker protection: settings and status.

import { decimal, optional, symbol } from './field-types.ts'
import { Type } from './typebox.ts'

const windowMs = Type.Integer({ description: 'Time window of the counts, in milliseconds' })
const frozenMs = Type.Integer({
  description: 'Time after a trip during which orders with mmp are rejected; 0 for until a reset',
})
const amount = decimal(
  'Limit on the size filled as maker, bought and sold together; reaching it trips ' +
    'the protection',
)
const netAmount = decimal(
  'Limit on the difference between size bought and sold as maker; reaching it trips ' +
    'the protection',
)

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
    description:
      'Time until which orders with mmp are refused; 0 for until a reset; null if not ' + 'frozen',
  }),
})
