// The schema of a request body: its parameters, the signature fields and tolerated fields, without
// additional properties. Used by validation and by the documents.

import { signingFields, untimedFields } from '../protocol/schemas/signing-fields.ts'
import { type TSchema, Type } from '../protocol/schemas/typebox.ts'
import { toleratedOf } from '../protocol/tolerated-fields.ts'
import type { Operation } from './operation.ts'

/** The properties of an operation that determine its body. */
export type BodyOperation = Pick<Operation, 'name' | 'http' | 'request' | 'signs'> &
  Readonly<{ untimed?: boolean }>
type Properties = Readonly<Record<string, TSchema>>

export function bodySchemaOf(operation: BodyOperation): TSchema {
  const { properties } = operation.request as unknown as { properties: Properties }
  const tolerated = toleratedOf(operation.name).map(({ field, schema, sentBy, meaning }) => {
    const description = `Accepted from ${sentBy}. Means ${meaning}`
    return [field, Type.Optional({ ...schema, description })] as const
  })
  const all = { ...Object.fromEntries(tolerated), ...signingOf(operation), ...properties }
  return closed(Type.Object(all))
}

function signingOf({ signs, untimed }: BodyOperation): Properties {
  if (signs === null) return {}
  return untimed === true ? untimedFields : signingFields
}

/** Forbids additional fields of objects, unless their schema allows them. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  )
  const isObject = inner.type === 'object' && !('additionalProperties' in inner)
  return (isObject ? { ...inner, additionalProperties: false } : inner) as T
}
