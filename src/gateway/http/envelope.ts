// The format of replies and errors: bare where the contract requires it, otherwise enveloped.

import type { Wrapping } from '../../protocol/routes.ts'
import type { ApiError } from '../api-error.ts'

/** A list with a cursor, returned by operations that wrap `page`. */
export type Page = Readonly<{ rows: unknown; next_cursor: string | null; has_more: boolean }>
/** A list with the sequence number of its data, returned by operations that wrap `as_of`. */
export type AsOf = Readonly<{ rows: unknown; last_order_id: number }>

export function replyBody(wraps: Wrapping, reply: unknown): unknown {
  if (wraps === 'bare') return reply
  if (wraps === 'envelope') return { success: true, data: reply, error: null, code: null }
  const { rows: data, ...rest } = reply as Page | AsOf
  return { success: true, data, error: null, code: null, ...rest }
}

export function errorBody(wraps: Wrapping, { message, code, errorId }: ApiError): unknown {
  if (wraps === 'bare') return { error: message, code }
  const body = { success: false, data: null, error: message, code }
  return errorId === null ? body : { ...body, error_id: errorId }
}
