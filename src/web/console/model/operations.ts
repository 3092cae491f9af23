// The operations of the admin plane, read from its OpenAPI document, which is the only definition
// of paths, scopes, descriptions and fields.

import type { AdminScope } from '../../../protocol/admin/admin-row.ts'

export type Schema = Readonly<{
  type?: string
  description?: string
  enum?: readonly (string | number)[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
}>

export type Operation = Readonly<{
  name: string
  path: string
  /** Required scope; `null` if every token has access. */
  scope: AdminScope | null
  summary: string
  /** Schema of the request body. */
  body: Schema
}>

type Described = Readonly<{
  operationId: string
  summary: string
  'x-scope': AdminScope | null
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ schema: Schema }>>> }>
}>
type OpenApi = Readonly<{ paths: Readonly<Record<string, Readonly<Record<string, Described>>>> }>

export type Operations = ReadonlyMap<string, Operation>

export function operationsIn(document: unknown): Operations {
  const found = Object.entries((document as OpenApi).paths).flatMap(([path, methods]) =>
    Object.values(methods).map((each): Operation => {
      const body = each.requestBody?.content['application/json']?.schema ?? {}
      return {
        ...{ name: each.operationId, path, summary: each.summary, body },
        scope: each['x-scope'],
      }
    }),
  )
  return new Map(found.map((operation) => [operation.name, operation]))
}
