// What the exchange publishes about itself, used as the second opinion on every reply: a field that
// the document does not name, a status it does not list or a type it does not give fails the test.

import assert from 'node:assert/strict'
import { Compile } from '../../../src/protocol/schemas/typebox.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'

type Schema = Readonly<Record<string, unknown>>
type Content = Readonly<{ content: Readonly<{ 'application/json': Readonly<{ schema: Schema }> }> }>
type Described = Readonly<{
  operationId: string
  'x-signing-type': SigningType | null
  responses: Readonly<Record<string, Content>>
}>
export type OpenApi = Readonly<{
  openapi: string
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}>

type Check = Readonly<{ Check(value: unknown): boolean; Errors(value: unknown): unknown[] }>

export class Published {
  readonly document: OpenApi
  private readonly checks = new Map<string, Check>()

  constructor(document: OpenApi) {
    this.document = document
  }

  /** As `POST /api/v1/orders/cancel`. */
  routes(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
  }

  signingType(path: string): SigningType | null {
    return this.document.paths[path]?.post?.['x-signing-type'] ?? null
  }

  /** Throws unless the reply is one that the document speaks of; other paths have none. */
  check(method: string, path: string, status: number, body: unknown): void {
    const described = this.document.paths[path]?.[method.toLowerCase()]
    if (described === undefined) return
    const response = described.responses[String(status)]
    const what = `${method} ${path} ${status}`
    assert.ok(response, `${what} is not documented; it said ${JSON.stringify(body)}`)
    const check = this.checkOf(what, response.content['application/json'].schema)
    if (check.Check(body)) return
    const errors = JSON.stringify(check.Errors(body))
    assert.fail(`${what} is not as documented: ${JSON.stringify(body)}: ${errors}`)
  }

  private checkOf(name: string, schema: Schema): Check {
    let check = this.checks.get(name)
    if (check === undefined) {
      check = Compile(closed(schema) as never) as unknown as Check
      this.checks.set(name, check)
    }
    return check
  }
}

/** The same schema, in which no object may have fields that it does not name. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  )
  return 'properties' in schema ? { ...inner, additionalProperties: false } : inner
}
