// Parses a query into the types of its schema. Text becomes an integer or a boolean only if it has
// that format. An empty value and `null` count as absent, and unknown parameters are ignored.
// Clients send the largest int64 for "no end", so that larger values of int64 fields count as their
// maximum.

import type { TSchema } from '../../protocol/schemas/typebox.ts'
import { apiError } from '../api-error.ts'

const integerText = /^-?(0|[1-9][0-9]*)$/
/** Longer numbers exceed every maximum. */
const digitsMax = 20
const int64Max = 2n ** 63n - 1n

type Kind = Readonly<{ type?: string; format?: string; minimum?: number; maximum?: number }>
type Properties = Readonly<Record<string, TSchema & Kind & { anyOf?: readonly TSchema[] }>>

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
    values[name] = coerced(name, kindOf(property), text)
  }
  return values
}

/** The type of a parameter; for an optional or nullable one, its first type. */
function kindOf(property: Properties[string]): Kind {
  return (property.anyOf?.[0] as Kind | undefined) ?? property
}

function coerced(name: string, kind: Kind, text: string): unknown {
  const { type } = kind
  if (type === 'integer') {
    const isWhole = integerText.test(text)
    const isShort = text.length <= digitsMax
    const value = isWhole && isShort ? counted(kind, BigInt(text)) : null
    if (value !== null) return value
    const bound = isWhole ? boundOf(kind, text) : ''
    throw apiError(
      'MALFORMED_REQUEST',
      `${name} must be a whole number${bound}, not ${shown(text)}`,
    )
  }
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw apiError('MALFORMED_REQUEST', `${name} must be true or false, not ${shown(text)}`)
  }
  return text
}

/** Returns `null` if the value is not a safe integer. */
function counted({ format, maximum }: Kind, value: bigint): number | null {
  const most = maximum ?? Number.MAX_SAFE_INTEGER
  if (format === 'int64' && value > BigInt(most)) return value <= int64Max ? most : null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : null
}

/** The limit that an out-of-range integer exceeds. */
function boundOf({ minimum, maximum }: Kind, text: string): string {
  const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number
  return text.startsWith('-') ? ` >= ${minimum ?? least}` : ` <= ${maximum ?? most}`
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
