// A client of the admin plane for tests; every reply is compared with the schema of its operation.

import assert from 'node:assert/strict'
import { adminOperations } from '../../../src/gateway/admin/admin-operations.ts'
import { Compile } from '../../../src/protocol/schemas/typebox.ts'
import type { Answer, Query, Row } from './api-client.ts'
import { adminToken, type Live } from './live-exchange.ts'
import { closed } from './published.ts'

const why = 'a test'

export class AdminClient {
  private readonly url: string
  private readonly token: string

  constructor(live: Live, token = adminToken) {
    this.url = live.adminUrl
    this.token = token
  }

  get<T = Row>(path: string, query: Query = {}): Promise<Answer<T>> {
    const text = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
    return this.ask<T>('GET', path, `?${new URLSearchParams(text)}`)
  }

  /** With a reason, unless the body brings its own. */
  post<T = Row>(path: string, body: Row = {}): Promise<Answer<T>> {
    return this.ask<T>('POST', path, '', JSON.stringify({ reason: why, ...body }))
  }

  private async ask<T>(
    method: 'GET' | 'POST',
    path: string,
    search: string,
    body?: string,
  ): Promise<Answer<T>> {
    const reply = await fetch(`${this.url}${path}${search}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
    const text = await reply.text()
    const parsed = JSON.parse(text) as Row
    if (reply.status === 200) requireDocumented(`${method} ${path}`, parsed)
    return { status: reply.status, body: parsed as T, text, headers: reply.headers }
  }
}

function requireDocumented(http: string, body: Row): void {
  const operation = adminOperations.find((each) => each.http === http)
  assert.ok(operation, `${http} is no operation`)
  assert.deepEqual(Object.keys(body), ['success', 'data', 'error', 'code'])
  const check = Compile(closed(operation.reply) as never)
  assert.ok(check.Check(body.data), `${http} is not as its schema says: ${JSON.stringify(body)}`)
}
