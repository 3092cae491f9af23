// The query of a request as the values its schema speaks of. Text becomes an integer or a boolean
// only where it is written as one; an empty value and `null` are the same as absent; unknown
// parameters are ignored.

import type { TSchema } from 'typebox'
import { apiError } from '../api-error.ts'

const integerText = /^-?(0|[1-9][0-9]{0,15})$/

type Properties = Readonly<Record<string, TSchema & { type?: string; anyOf?: readonly TSchema[] }>>

export function queryValues(
  schema: TSchema,
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, unknown> {
  const { properties } = schema as unknown as { properties: Properties }
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const text = query[name]
    if (text === undefined || text === '' || text === 'null') continue
    if (typeof text !== 'string')
      throw apiError('MALFORMED_REQUEST', `${name} stands more than once in the query`)
    values[name] = coerced(name, typeOf(property), text)
  }
  return values
}

/** Of an optional, nullable field the first type counts. */
function typeOf(property: Properties[string]): string {
  const first = property.anyOf?.[0] as { type?: string } | undefined
  return property.type ?? first?.type ?? 'string'
}

function coerced(name: string, type: string, text: string): unknown {
  if (type === 'integer') {
    const value = Number(text)
    if (integerText.test(text) && Number.isSafeInteger(value)) return value
    throw apiError('MALFORMED_REQUEST', `${name} must be a whole number, not ${shown(text)}`)
  }
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw apiError('MALFORMED_REQUEST', `${name} must be true or false, not ${shown(text)}`)
  }
  return text
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
