// The OpenAPI document, made from the operations that are served: what validates is what is written
// down.

import { rejections } from '../../core/index.ts'
import { type ErrorName, errorTable } from '../../protocol/errors.ts'
import type { Mount } from '../http/server.ts'
import type { Operation } from '../operation.ts'
import { answerOf } from '../refusal.ts'
import { bodySchemaOf } from '../request-body.ts'

type Json = Readonly<Record<string, unknown>>
type ObjectSchema = Readonly<{
  properties?: Readonly<Record<string, Json>>
  required?: readonly string[]
}>

const errorBody = { type: 'object', required: ['error', 'code'] }
const message = { type: 'string', description: 'What is wrong and what would be accepted' }
const code = { type: 'integer', description: 'Engine code, or the HTTP status' }

const bareError = { ...errorBody, properties: { error: message, code } }
const envelopedError = {
  type: 'object',
  required: ['success', 'data', 'error', 'code'],
  properties: {
    success: { const: false },
    data: { type: 'null' },
    error: message,
    code,
    error_id: { type: 'string', description: 'A word for some errors' },
  },
}

export function openApi(mounts: readonly Mount[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const { prefix, operations } of mounts) {
    for (const operation of operations) {
      const [method, path] = operation.http.split(' ') as [string, string]
      const at = prefix + path
      paths[at] = { ...paths[at], [method.toLowerCase()]: described(operation, prefix) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'openperp', version, description: 'A perpetual-futures exchange' },
    servers: [{ url: '/' }],
    paths,
  }
}

function described(operation: Operation, prefix: string): Json {
  const reads = operation.http.startsWith('GET')
  const mounted = prefix.replace('/api/v1', '').replace('/', '')
  return {
    operationId: mounted === '' ? operation.name : `${mounted}_${operation.name}`,
    tags: [operation.group],
    summary: operation.summary,
    'x-signing-type': operation.signs,
    'x-cost': operation.cost,
    ...(reads ? { parameters: parametersOf(operation) } : { requestBody: bodyOf(operation) }),
    responses: responsesOf(operation),
  }
}

function parametersOf({ request }: Operation): readonly Json[] {
  const { properties = {}, required = [] } = request as ObjectSchema
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }))
}

function bodyOf(operation: Operation): Json {
  return { required: true, content: { 'application/json': { schema: bodySchemaOf(operation) } } }
}

export function replySchemaOf({ wraps, reply }: Operation): Json {
  if (wraps === 'bare') return reply as Json
  const rows = wraps === 'envelope' ? reply : rowsOf(reply as ObjectSchema)
  const more = wraps === 'envelope' ? {} : restOf(reply as ObjectSchema)
  return {
    type: 'object',
    required: ['success', 'data', 'error', 'code', ...Object.keys(more)],
    properties: {
      success: { const: true },
      data: rows,
      error: { type: 'null' },
      code: { type: 'null' },
      ...more,
    },
  }
}

const rowsOf = ({ properties = {} }: ObjectSchema) => properties.rows

function restOf({ properties = {} }: ObjectSchema): Record<string, Json> {
  const { rows: _, ...rest } = properties
  return rest
}

function responsesOf(operation: Operation): Json {
  const errors = new Map<number, string[]>()
  const add = (status: number, text: string) => {
    errors.set(status, [...(errors.get(status) ?? []), text])
  }
  for (const name of doorErrorsOf(operation)) add(errorTable[name].status, name)
  for (const name of operation.rejects)
    add(answerOf(name, operation.refusals).status, `${name} (${rejections[name].code})`)
  const schema = operation.wraps === 'bare' ? bareError : envelopedError
  const failures = [...errors].map(([status, names]) => [
    String(status),
    { description: names.join(', '), content: { 'application/json': { schema } } },
  ])
  const success = {
    description: 'Success',
    content: {
      'application/json': { schema: replySchemaOf(operation) },
      ...(operation.csv && { 'text/csv': { schema: { type: 'string' } } }),
    },
  }
  return { 200: success, ...Object.fromEntries(failures) }
}

const everyDoorError = [
  'MALFORMED_REQUEST',
  'INVALID_API_KEY',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'NOT_READY',
] as const satisfies readonly ErrorName[]
const signedDoorErrors = [
  'INVALID_ADDRESS',
  'INVALID_SIGNATURE',
  'EXPIRED',
  'AGENT_NOT_BOUND',
] as const satisfies readonly ErrorName[]

/** What the door may answer before a rule is asked. */
function doorErrorsOf(operation: Operation): readonly ErrorName[] {
  const { http, signs, refusals, only, notFound = false } = operation
  return [
    ...everyDoorError,
    ...(signs === null ? [] : signedDoorErrors),
    ...(signs === null || refusals === 'contract' ? [] : (['AGENT_FORBIDDEN'] as const)),
    ...(only === 'sandbox' ? (['HOST_REFUSED'] as const) : []),
    ...(notFound ? (['NOT_FOUND'] as const) : []),
    ...(http.startsWith('POST') ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
  ]
}
