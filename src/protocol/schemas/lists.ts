// Queries and envelopes of lists.

import { address, optional, symbol, timeMs } from './field-types.ts'
import { type TSchema, Type } from './typebox.ts'

export const noQuery = Type.Object({})

export const accountQuery = Type.Object({ account: address('Account address') })

type LimitBounds = Readonly<{ maximum: number; default: number; rows: string }>

/** A `limit` parameter. It is an int64, and values above the maximum count as the maximum. */
export function limitOf({ rows, ...bounds }: LimitBounds) {
  const { maximum } = bounds
  const description = `Maximum number of ${rows}; above ${maximum} counts as ${maximum}`
  return optional(Type.Integer({ minimum: 1, ...bounds, format: 'int64', description }))
}

export const LIST_LIMIT = 100
export const listLimit = limitOf({ maximum: 4_000, default: LIST_LIMIT, rows: 'rows' })

export const cursor = optional(
  Type.String({ maxLength: 64, description: '`next_cursor` of the previous page' }),
)

/** Only 0 is accepted. Clients of other lists send a row offset; here it would skip new rows. */
export const offset = optional(
  Type.Integer({
    minimum: 0,
    description: '0 alone; pages go on by cursor, and any other offset is refused',
  }),
)

export const listFormat = optional(
  Type.Enum(['json', 'csv'], {
    description: 'csv: the page as a table; the cursor is then in the header x-next-cursor',
  }),
)

/** Query of an account's list with a cursor, also available as CSV. */
export const accountPageQuery = Type.Object({
  account: address('Account address'),
  symbol: optional(symbol),
  start_time: optional(timeMs('Only rows of this time or later, milliseconds')),
  end_time: optional(timeMs('Only rows of this time or earlier, milliseconds')),
  limit: listLimit,
  cursor,
  offset,
  format: listFormat,
})

/** The reply of a list with a cursor. */
export const pageOf = <T extends TSchema>(row: T) =>
  Type.Object({
    rows: Type.Array(row, { description: 'Newest first' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Cursor of the next page; null on the last one',
    }),
    has_more: Type.Boolean({ description: 'Whether there is a next page' }),
  })

/** The reply of a list with the sequence number of its data. */
export const asOf = <T extends TSchema>(row: T) =>
  Type.Object({
    rows: Type.Array(row),
    last_order_id: Type.Integer({
      description: 'Engine sequence number at which the list was true; `li` of the websocket',
    }),
  })
