// A client of the admin plane for tests; every reply is compared with the OpenAPI document.

import { adminOperations } from '../../../src/gateway/admin/admin-operations.ts'
import { adminOpenApi } from '../../../src/gateway/documents/admin-open-api.ts'
import type { Answer, Query, Row } from './api-client.ts'
import { adminToken, type Live } from './live-exchange.ts'
import { patiently } from './patiently.ts'
import { type OpenApi, Published } from './published.ts'

const why = 'a test'
const published = new Published(adminOpenApi(adminOperations, 'test') as unknown as OpenApi)

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
    const init = {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    }
    const reply = await patiently(() => fetch(`${this.url}${path}${search}`, init))
    const text = await reply.text()
    const parsed = JSON.parse(text) as Row
    published.check(method, path, reply.status, parsed)
    return { status: reply.status, body: parsed as T, text, headers: reply.headers }
  }
}
