// Replies of requests that place, change and cancel orders.

import { Type } from './typebox.ts'

const id = Type.Integer({ description: 'Order id given by the exchange' })
const clientId = Type.Union([Type.String(), Type.Null()], {
  description: 'Your own id of the order, null when it has none',
})

const orderStatuses = ['open', 'partially_filled', 'filled', 'cancelled', 'rejected'] as const

export const placedReply = Type.Object({
  order_id: id,
  client_order_id: clientId,
  order_status: Type.Enum(orderStatuses, {
    description:
      'Current status; an order in the speed bump is open, a post-only one that would ' +
      'have taken is rejected',
  }),
})

export const orderIdReply = Type.Object({ order_id: id })

export const ocoReply = Type.Object({
  order_ids: Type.Array(id, { description: 'Ids of the two legs, in order' }),
})

export const cancelledReply = Type.Object({
  cancelled_count: Type.Integer({ description: 'How many orders, stops and levels ended' }),
})

export const successReply = Type.Object({
  success: Type.Literal(true, { description: 'It was carried out' }),
})

export const scheduleReply = Type.Object({
  time: Type.Union([Type.Integer(), Type.Null()], { description: 'When orders will be cancelled' }),
})

export const batchReply = Type.Object({
  results: Type.Array(
    Type.Object({
      success: Type.Boolean({ description: 'Whether this action ran' }),
      order_id: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Id of the order that was placed or cancelled; null if none was',
      }),
      client_order_id: clientId,
      symbol: Type.Union([Type.String(), Type.Null()], {
        description: 'Market of the action; null: all of them',
      }),
      error: Type.Union([Type.String(), Type.Null()], { description: 'Why it was refused' }),
      order_status: Type.Optional(
        Type.Enum(orderStatuses, {
          description:
            'With one signature for all: current status of order_id. An action that ran ' +
            'and placed nothing has rejected here: it is post-only and would have taken',
        }),
      ),
      waits: Type.Optional(
        Type.Literal(true, {
          description:
            'With one signature for all: the action waits at the speed bump with the ' +
            'orders of the batch and has changed nothing yet. Histories and streams show ' +
            'its outcome, also a refusal',
        }),
      ),
      cancelled_count: Type.Optional(
        Type.Integer({
          description: 'Of CancelAll alone: how many orders, stops and levels ended',
        }),
      ),
    }),
    { description: 'One per action, in order' },
  ),
})
