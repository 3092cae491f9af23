// Replies of requests that place, change and cancel orders.

import { Type } from './typebox.ts'

const id = Type.Integer({ description: 'Order id given by the exchange' })
const clientId = Type.Union([Type.String(), Type.Null()], {
  description: 'Your own id of the order; null if it has none',
})

const orderStatuses = ['open', 'partially_filled', 'filled', 'cancelled', 'rejected'] as const

export const placedReply = Type.Object({
  order_id: id,
  client_order_id: clientId,
  order_status: Type.Enum(orderStatuses, {
    description:
      'Current status. An order at the speed bump is open; a post-only order that would ' +
      'have taken is rejected',
  }),
})

export const orderIdReply = Type.Object({ order_id: id })

export const ocoReply = Type.Object({
  order_ids: Type.Array(id, { description: 'Ids of the two legs, in order' }),
})

export const cancelledReply = Type.Object({
  cancelled_count: Type.Integer({ description: 'Number of cancelled orders, stops and levels' }),
})

export const successReply = Type.Object({
  success: Type.Literal(true, { description: 'The request was executed' }),
})

export const scheduleReply = Type.Object({
  time: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Time at which orders will be cancelled',
  }),
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
        description: 'Market of the action; null for all markets',
      }),
      error: Type.Union([Type.String(), Type.Null()], {
        description: 'Reason of the refusal; null if the action was accepted',
      }),
      order_status: Type.Optional(
        Type.Enum(orderStatuses, {
          description:
            'In a batch with one signature: current status of order_id. It is rejected for an ' +
            'action that ran without placing an order, because the order is post-only and ' +
            'would have taken',
        }),
      ),
      waits: Type.Optional(
        Type.Literal(true, {
          description:
            'In a batch with one signature: the action waits at the speed bump with the orders ' +
            'of the batch and has changed nothing yet. Histories and streams show its outcome, ' +
            'including a refusal',
        }),
      ),
      cancelled_count: Type.Optional(
        Type.Integer({
          description: 'For CancelAll only: number of cancelled orders, stops and levels',
        }),
      ),
    }),
    { description: 'One result per action, in order' },
  ),
})
