// The field types of requests and replies.

import { venueIdPattern } from '../../units/venue-id.ts'
import { type TSchema, Type } from './typebox.ts'

/** An optional field. Null means absent, unless an operation says otherwise. */
export const optional = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const decimalPattern = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$'
const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/** Descriptions of the patterns, for error messages. */
export const forms: Readonly<Record<string, string>> = {
  [decimalPattern]: 'a decimal in plain digits, such as "12.5"',
  [uuidPattern]: 'a full UUID, such as "123e4567-e89b-42d3-a456-426614174000"',
  [venueIdPattern]: 'the id of a venue, 32 lower-case hexadecimal digits',
}

/** A decimal: digits, at most one point, no exponent. The market's grid is checked later. */
export const decimal = (description: string) =>
  Type.String({ pattern: decimalPattern, maxLength: 40, description })

const about = (description?: string) => (description === undefined ? {} : { description })

export const text = (description?: string) => Type.String(about(description))
export const count = (description?: string) => Type.Integer(about(description))

export const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], about(description))

export const address = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description })

export const venueId = (description: string) =>
  Type.String({ pattern: venueIdPattern, maxLength: 32, description })

export const symbol = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'Market symbol, case-sensitive, as GET /info lists it',
})

export const side = (description: string) => Type.Enum(['bid', 'ask'], { description })

export const orderId = Type.Integer({ minimum: 1, description: 'Order id given by the exchange' })

export const clientOrderId = Type.String({
  pattern: uuidPattern,
  description: 'Your own id of the order, a full UUID',
})

/** A time in milliseconds. Queries accept any non-negative int64; values above the largest
 *  JavaScript date are clamped to it. */
export const timeMs = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, format: 'int64', description })

export const nothing = Type.Null({ description: 'Empty' })
