// The OpenAPI document, generated from the schemas that validate requests.

import { type ErrorName, errorTable } from '../../protocol/errors.ts'
import { pathField } from '../../protocol/routes.ts'
import { statusReply } from '../../protocol/schemas/status.ts'
import type { Mount } from '../operation.ts'
import { isRead, type Operation } from '../operation.ts'
import { answerOf, engineCodeOf } from '../refusal.ts'
import { bodySchemaOf } from '../request-body.ts'
import { callerSecurity, readerSecurity, securitySchemes } from './credentials.ts'

type Json = Readonly<Record<string, unknown>>
type ObjectSchema = Readonly<{
  properties?: Readonly<Record<string, Json>>
  required?: readonly string[]
}>

const errorBody = { type: 'object', required: ['error', 'code'] }
const message = { type: 'string', description: 'What is wrong and what would be accepted' }
const code = { type: 'integer', description: 'Engine code, or the HTTP status' }

const bareError = { ...errorBody, properties: { error: message, code } }
export const envelopedError = {
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

export type Described = Readonly<{
  version: string
  /** Accepted headers for an API key, the usual one first. */
  keyHeaders: readonly string[]
}>

export function openApi(mounts: readonly Mount[], { version, keyHeaders }: Described): Json {
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
    components: { securitySchemes: securitySchemes(keyHeaders) },
    paths: { ...paths, '/status': { get: status } },
  }
}

/** Not a mounted operation: the HTTP server serves it itself, also to browsers and without
 *  credits. */
const status: Json = {
  operationId: 'get_status',
  tags: ['Status'],
  summary: 'Status of markets, their prices and the exchange, and announcements of operators',
  'x-signing-type': null,
  'x-cost': 'free',
  parameters: [],
  responses: {
    200: {
      description: 'Success; at most a second old',
      content: {
        'application/json': { schema: replySchemaOf({ wraps: 'envelope', reply: statusReply }) },
        'text/html': { schema: { type: 'string' } },
      },
    },
  },
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
    security: isRead(operation) ? readerSecurity : callerSecurity,
    ...(reads ? { parameters: parametersOf(operation) } : { requestBody: bodyOf(operation) }),
    responses: responsesOf(operation),
  }
}

export function parametersOf({
  http,
  request,
}: Pick<Operation, 'http' | 'request'>): readonly Json[] {
  const { properties = {}, required = [] } = request as ObjectSchema
  const inPath = pathField(http)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: name === inPath ? 'path' : 'query',
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }))
}

function bodyOf(operation: Operation): Json {
  return { required: true, content: { 'application/json': { schema: bodySchemaOf(operation) } } }
}

export function replySchemaOf({ wraps, reply }: Pick<Operation, 'wraps' | 'reply'>): Json {
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
  const schema = operation.wraps === 'bare' ? bareError : envelopedError
  const rules = operation.rejects.map((name) => {
    const { status } = answerOf(name, operation.refusals)
    const code = engineCodeOf(name)
    return { status, text: code === 0 ? name : `${name} (${code})` }
  })
  const success = {
    description: 'Success',
    content: {
      'application/json': { schema: replySchemaOf(operation) },
      ...(operation.csv && { 'text/csv': { schema: { type: 'string' } } }),
    },
  }
  return {
    200: success,
    ...failuresOf([...doorTextsOf(doorErrorsOf(operation)), ...rules], schema),
  }
}

type Failure = Readonly<{ status: number; text: string }>

export const doorTextsOf = (names: readonly ErrorName[]): readonly Failure[] =>
  names.map((name) => ({ status: errorTable[name].status, text: name }))

/** One response for each status code, with all its meanings. */
export function failuresOf(failures: readonly Failure[], schema: Json): Json {
  const byStatus = new Map<number, string[]>()
  for (const { status, text } of failures)
    byStatus.set(status, [...(byStatus.get(status) ?? []), text])
  return Object.fromEntries(
    [...byStatus].map(([status, texts]) => [
      String(status),
      { description: texts.join(', '), content: { 'application/json': { schema } } },
    ]),
  )
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

/** Errors that the gateway returns before any rule is checked. */
function doorErrorsOf(operation: Operation): readonly ErrorName[] {
  const { http, signs, refusals, only, notFound = false } = operation
  return [
    ...everyDoorError,
    ...(signs === null && !isRead(operation) ? [] : signedDoorErrors),
    ...(isRead(operation) || only === 'sandbox' ? (['CREDENTIALS_REQUIRED'] as const) : []),
    ...(signs === null || refusals === 'contract' ? [] : (['AGENT_FORBIDDEN'] as const)),
    'HOST_REFUSED',
    ...(notFound ? (['NOT_FOUND'] as const) : []),
    ...(http.startsWith('POST') ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
  ]
}
