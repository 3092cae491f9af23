// Algos: TWAPs in slices of 30 seconds, others with one resting order at a time.

import { algoEnds, algoKinds } from '../words.ts'
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
import { cursor, listFormat, listLimit, offset } from './lists.ts'
import { expireTime } from './order-requests.ts'
import { type Static, Type } from './typebox.ts'

export const createTwapBody = Type.Object({
  symbol,
  amount: decimal('Total size, a multiple of lot_size'),
  side: side('bid buys, ask sells'),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  slippage_percent: decimal(
    'Maximum distance of the worst price of a slice from the mark, in percent, such as ' + '0.5',
  ),
  duration_in_seconds: Type.Integer({
    minimum: 1,
    description: 'Duration in seconds, at least 60: one slice immediately, then one every 30 s',
  }),
  client_order_id: optional(clientOrderId),
})

const fields = {
  order_id: orderId,
  client_order_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own id of the order, if it has one',
  }),
  symbol,
  side: side('bid buys, ask sells'),
  initial_amount: decimal('Total size'),
  filled_amount: decimal('Size filled so far'),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  slippage_percent: decimal(
    'Maximum distance of the worst price of a slice from the mark, in percent',
  ),
  planned_sub_order_amount: decimal('Size of a slice; rounding remainders are added to later ones'),
  planned_sub_order_count: Type.Integer({ description: 'Total number of slices' }),
  past_sub_order_count: Type.Integer({ description: 'Number of slices that are over' }),
  total_filled_value: decimal('USD value of the fills'),
  expiration: timeMs('Time at which the last slice is due'),
  created_at: timeMs('Time of placement'),
  updated_at: timeMs('Time of the last change'),
}

export const openTwap = Type.Object(fields)

export const twapStep = Type.Object({
  ...fields,
  order_status: Type.Enum(['open', 'partially_filled', 'filled', 'cancelled', 'rejected'], {
    description: 'Current status; also cancelled if it expired before it was filled',
  }),
  event_type: Type.Enum(
    ['twap_created', 'twap_triggered', 'fulfill_market', 'cancel', 'force_cancel', 'expired'],
    { description: 'The last event; twap_triggered: a slice was sent' },
  ),
})

export const twapHistoryQuery = Type.Object({
  account: address('Account address'),
  limit: listLimit,
  cursor,
  offset,
  format: listFormat,
})

export const twapStepsQuery = Type.Object({ order_id: orderId })

const restingBody = {
  symbol,
  side: side('bid buys, ask sells'),
  amount: decimal('Total size, a multiple of lot_size'),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  client_order_id: optional(clientOrderId),
}

export const createIcebergBody = Type.Object({
  ...restingBody,
  display_amount: decimal('Size shown in the book at a time; up to 100 parts'),
  price: decimal('Limit price; its orders never take'),
  expire_time: optional(expireTime),
})
export type CreateIcebergBody = Static<typeof createIcebergBody>

export const createChaseBody = Type.Object({
  ...restingBody,
  price: decimal(
    'Price limit: the maximum for a bid, the minimum for an ask. The orders never take',
  ),
  expire_time: optional(
    timeMs(
      'Expiry; from expire_ahead_ms to chase_ms_max of /info/risk ahead (default: the latest)',
    ),
  ),
})
export type CreateChaseBody = Static<typeof createChaseBody>

const algoFields = {
  order_id: orderId,
  client_order_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own id of the order, if it has one',
  }),
  symbol,
  kind: Type.Enum(
    algoKinds.filter((kind) => kind !== 'twap'),
    { description: 'Kind of algo' },
  ),
  side: side('bid buys, ask sells'),
  price: decimal('Limit price of an iceberg; price limit of a chase'),
  initial_amount: decimal('Total size'),
  display_amount: Type.Union([decimal('Visible size of an iceberg'), Type.Null()], {
    description: 'Visible size of an iceberg; null for a chase',
  }),
  filled_amount: decimal('Size filled so far'),
  total_filled_value: decimal('USD value of the fills'),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  child_order_id: Type.Union([orderId, Type.Null()], {
    description: 'Its order in the book; null if it has none now',
  }),
  expire_time: Type.Union([timeMs('Expiry time'), Type.Null()]),
  created_at: timeMs('Time of placement'),
  updated_at: timeMs('Time of the last change'),
}

export const openAlgo = Type.Object(algoFields)

export const pastAlgo = Type.Object({
  ...algoFields,
  order_status: Type.Enum(['open', 'partially_filled', 'filled', 'cancelled', 'rejected'], {
    description: 'Current status; cancelled if it ended before it was filled',
  }),
  reason: Type.Union([
    Type.Enum([...algoEnds], { description: 'Reason why it ended before it was filled' }),
    Type.Null(),
  ]),
})
