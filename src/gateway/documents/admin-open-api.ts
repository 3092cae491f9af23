// The OpenAPI document of the admin API, generated from its operations.

import { adminBody } from '../../protocol/admin/admin-api.ts'
import type { AdminRow } from '../../protocol/admin/admin-row.ts'
import type { ErrorName } from '../../protocol/errors.ts'
import { doorTextsOf, envelopedError, failuresOf, parametersOf, replySchemaOf } from './open-api.ts'

export type NamedRow = AdminRow & Readonly<{ name: string }>

type Json = Readonly<Record<string, unknown>>

export function adminOpenApi(operations: readonly NamedRow[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const [method, path] = operation.http.split(' ') as [string, string]
    paths[path] = { ...paths[path], [method.toLowerCase()]: described(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'openperp admin plane',
      version,
      description: 'The API of operators. A token has scopes; every action has a reason',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

/** The first part of the path, for example `markets` for `POST /markets/halt`. */
const groupOf = ({ http }: NamedRow) => http.split('/')[1]!

function described(operation: NamedRow): Json {
  const { name, http, scope, summary, request } = operation
  const inputs = http.startsWith('GET')
    ? { parameters: parametersOf({ http, request }) }
    : { requestBody: { required: true, content: jsonOf(adminBody(operation)) } }
  return {
    operationId: name,
    tags: [groupOf(operation)],
    summary,
    'x-scope': scope,
    ...inputs,
    responses: responsesOf(operation),
  }
}

const jsonOf = (schema: unknown) => ({ 'application/json': { schema } })

const doorErrors = [
  'MALFORMED_REQUEST',
  'CREDENTIALS_REQUIRED',
  'SCOPE_REQUIRED',
  'HOST_REFUSED',
  'NOT_FOUND',
  'INTERNAL_ERROR',
  'NOT_READY',
] as const satisfies readonly ErrorName[]

const bodyErrors = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

const refusedByRules = {
  status: 422,
  text: 'Refused by the rules; the message says what would be accepted',
}
const rules = [
  { status: 409, text: 'Another action was executed under the same reference' },
  refusedByRules,
]

/** Reads are refused only if the object does not exist. */
const refusalsOf = ({ http, request }: NamedRow) => {
  if (http.startsWith('POST')) return rules
  const { properties } = request as unknown as { properties: Json }
  return 'account' in properties ? [refusedByRules] : []
}

function responsesOf(operation: NamedRow): Json {
  const { http, reply } = operation
  const acts = http.startsWith('POST')
  const door = doorTextsOf([...doorErrors, ...(acts ? bodyErrors : [])])
  const content = jsonOf(replySchemaOf({ wraps: 'envelope', reply }))
  return {
    200: { description: 'Success', content },
    ...failuresOf([...door, ...refusalsOf(operation)], envelopedError),
  }
}
