// A client of the API for tests: real HTTP, and every reply compared with what the exchange
// publishes about it.

import assert from 'node:assert/strict'
import type { Signer } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { rejections } from '../../../src/core/commands/rejections.ts'
import { errorTable } from '../../../src/protocol/errors.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'
import { patiently } from './patiently.ts'
import type { Published } from './published.ts'

export type Row = Readonly<Record<string, unknown>>
export type Answer<T = Row> = Readonly<{
  status: number
  body: T
  text: string
  headers: Headers
}>

export type Query = Readonly<Record<string, string | number>>
export type HeaderFields = Readonly<Record<string, string>>

export type SignedOptions = Readonly<{
  agent?: Signer
  timestamp?: number
  expiryWindow?: number
  type?: SigningType
  headers?: HeaderFields
}>

let lastTimestamp = 0

/** Now, and never the same twice: a text is accepted once. */
export function freshTimestamp(): number {
  lastTimestamp = Math.max(lastTimestamp + 1, Date.now())
  return lastTimestamp
}

const pathOf = (path: string) => (path.startsWith('/ccxt/') ? path : `/api/v1${path}`)

export class ApiClient {
  readonly url: string
  readonly published: Published

  constructor(url: string, published: Published) {
    this.url = url
    this.published = published
  }

  get<T = Row>(path: string, query: Query = {}, headers: HeaderFields = {}): Promise<Answer<T>> {
    const text = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
    const search = text.length === 0 ? '' : `?${new URLSearchParams(text)}`
    return this.ask<T>(pathOf(path), search, { headers })
  }

  post<T = Row>(path: string, body: unknown, headers: HeaderFields = {}): Promise<Answer<T>> {
    return this.ask<T>(pathOf(path), '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  /** The body as it would be sent; its type is the one that the document names for the path. */
  body(key: Signer, path: string, fields: Row = {}, options: SignedOptions = {}) {
    const type = options.type ?? this.published.signingType(pathOf(path))
    assert.ok(type, `${path} is not signed`)
    const { agent, expiryWindow } = options
    return signedBody(key, fields, {
      type,
      timestamp: options.timestamp ?? freshTimestamp(),
      ...(expiryWindow === undefined ? {} : { expiryWindow }),
      ...(agent === undefined ? {} : { agent }),
    })
  }

  async signed<T = Row>(
    key: Signer,
    path: string,
    fields: Row = {},
    options: SignedOptions = {},
  ): Promise<Answer<T>> {
    return this.post<T>(path, await this.body(key, path, fields, options), options.headers)
  }

  private async ask<T>(path: string, search: string, init: RequestInit): Promise<Answer<T>> {
    const reply = await patiently(() => fetch(`${this.url}${path}${search}`, init))
    const text = await reply.text()
    const body = JSON.parse(text) as T
    this.published.check(init.method ?? 'GET', path, reply.status, body)
    return { status: reply.status, body, text, headers: reply.headers }
  }
}

/** What an enveloped reply carries. */
export function dataOf<T = Row>({ status, body, text }: Answer<unknown>): T {
  assert.equal(status, 200, text)
  const { success, data, error, code } = body as Row
  assert.deepEqual([success, error, code], [true, null, null], text)
  return data as T
}

/** What a bare reply is. */
export function bare<T = Row>({ status, body, text }: Answer<unknown>): T {
  assert.equal(status, 200, text)
  return body as T
}

type Refusal = Readonly<{ status: number; code?: number; says: RegExp }>

/** An error whose message starts with an upper-case name; `code` (default: the status). */
export function refused(answer: Answer<unknown>, { status, code = status, says }: Refusal): Row {
  const { text, body } = answer
  assert.equal(answer.status, status, text)
  const { error, code: given } = body as Row
  assert.equal(given, code, text)
  assert.match(String(error), /^[A-Z][A-Z_]+: \S/, text)
  assert.match(String(error), says, text)
  requireOwnWords(String(error))
  return body as Row
}

const names = [...Object.keys(rejections), ...Object.keys(errorTable), 'UNKNOWN']
/** Clients choose their error class by these words, so that they stand where they belong alone. */
const wordsOf: Readonly<Record<string, string>> = {
  INVALID_SIGNATURE: 'Verification failed',
  EXPIRED: 'Invalid message',
  REPLAYED: 'Invalid message',
  INVALID_ADDRESS: 'Invalid public key',
}

function requireOwnWords(message: string): void {
  const name = message.slice(0, message.indexOf(':'))
  const own = wordsOf[name]
  if (own !== undefined) assert.ok(message.startsWith(`${name}: ${own}`), message)
  for (const words of Object.values(wordsOf))
    if (words !== own) assert.ok(!message.includes(words), message)
  for (const other of names)
    if (!name.includes(other)) assert.ok(!message.includes(other), `${other} in ${message}`)
}
