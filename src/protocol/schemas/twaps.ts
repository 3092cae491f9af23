// TWAPs: a size worked off in slices of 30 seconds.

import {
  address,
  clientOrderId,
  decimal,
  optional,
  orderId,
  side,
  symbol,
  timeMs,
} from './field-types.ts'
import { cursor, listLimit, offset } from './lists.ts'
import { type Static, Type } from './typebox.ts'

export const createTwapBody = Type.Object({
  symbol,
  amount: decimal('Whole size, a multiple of lot_size'),
  side: side('bid buys, ask sells'),
  reduce_only: Type.Boolean({ description: 'May only shrink the position' }),
  slippage_percent: decimal('How far from mark the worst price of a slice may be, in percent: 0.5'),
  duration_in_seconds: Type.Integer({
    minimum: 1,
    description: 'Over which it is worked off, at least 60: one slice at once, then one every 30 s',
  }),
  client_order_id: optional(clientOrderId),
})
export type CreateTwapBody = Static<typeof createTwapBody>

const fields = {
  order_id: orderId,
  client_order_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own id of it, if it has one',
  }),
  symbol,
  side: side('bid buys, ask sells'),
  initial_amount: decimal('Whole size'),
  filled_amount: decimal('Size filled so far'),
  reduce_only: Type.Boolean({ description: 'May only shrink the position' }),
  slippage_percent: decimal('How far from mark a slice may go, in percent'),
  planned_sub_order_amount: decimal('Size of a slice; what rounding leaves comes with later ones'),
  planned_sub_order_count: Type.Integer({ description: 'How many slices in all' }),
  past_sub_order_count: Type.Integer({ description: 'How many slices are over' }),
  total_filled_value: decimal('USD of what was filled'),
  expiration: timeMs('When the last slice is due'),
  created_at: timeMs('When it was placed'),
  updated_at: timeMs('When it last changed'),
}

export const openTwap = Type.Object(fields)

export const twapStep = Type.Object({
  ...fields,
  order_status: Type.Enum(['open', 'partially_filled', 'filled', 'cancelled', 'rejected'], {
    description: 'How far it has come; cancelled also when its time ended before it was filled',
  }),
  event_type: Type.Enum(
    ['twap_created', 'twap_triggered', 'fulfill_market', 'cancel', 'force_cancel', 'expired'],
    { description: 'What happened last; twap_triggered: a slice was sent' },
  ),
})

export const twapHistoryQuery = Type.Object({
  account: address('Account address'),
  limit: optional(listLimit),
  cursor,
  offset,
})

export const twapStepsQuery = Type.Object({ order_id: orderId })
