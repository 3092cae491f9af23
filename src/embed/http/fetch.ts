// A `fetch` that reaches only one embedded exchange. Plain requests of a known operation are
// executed directly, as in a service (gateway/http/plain-posts.ts). Other requests go to the HTTP
// server without a socket, so that the answer equals the service's.

import { parse as parseQuery } from 'node:querystring'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Answer, type AnswerOptions, bodyBytesMax, bodyIn } from '../../gateway/http/answer.ts'
import { carryRequest, cutStatus } from '../../gateway/http/carry-request.ts'
import { wantsCsv } from '../../gateway/http/csv.ts'
import { queryValues } from '../../gateway/http/query.ts'
import type { Operation } from '../../gateway/operation.ts'
import { type EmbeddedRequest, embeddedRequestOf } from './embedded-request.ts'
import type { Fetch } from './reached.ts'
import { embeddedHost, type Routes } from './routes.ts'
import { textResponse } from './text-response.ts'

const jsonType = 'application/json; charset=utf-8'
const socketAddress = '127.0.0.1'

export type FetchParts = Readonly<{
  routes: Routes
  options: AnswerOptions
  nextId: () => string
  /** The HTTP server, created at first use. */
  server: () => Promise<FastifyInstance>
}>

export function fetchOf(parts: FetchParts): Fetch {
  return async (input, init = {}) => {
    const request = await embeddedRequestOf(input, init)
    const { signal } = request
    if (signal === null) return respond(parts, request)
    signal.throwIfAborted()
    return raced(respond(parts, request), signal)
  }
}

/** Rejects when the signal is aborted. As over a network, the request may still be executed. */
async function raced(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function respond(parts: FetchParts, request: EmbeddedRequest): Promise<Response> {
  const operation = plainOperation(parts.routes, request)
  return operation === undefined
    ? throughServer(parts, request)
    : answerDirectly(parts, request, operation)
}

function plainOperation(routes: Routes, request: EmbeddedRequest): Operation | undefined {
  const { method, path, headers, body } = request
  if (method === 'GET') return body === null ? routes.gets.get(path) : undefined
  if (method !== 'POST' || headers['content-type'] !== 'application/json') return undefined
  if (typeof body !== 'string' || body === '' || Buffer.byteLength(body) > bodyBytesMax)
    return undefined
  return routes.posts.get(path)
}

async function answerDirectly(
  { options, nextId }: FetchParts,
  request: EmbeddedRequest,
  operation: Operation,
): Promise<Response> {
  const { headers, body, query } = request
  const id = nextId()
  const answer = await carryRequest(
    operation,
    request.method === 'POST'
      ? { id, headers, socketAddress, read: () => bodyIn(body) }
      : queried(id, request, operation, parseQuery(query)),
    options,
  )
  if (answer.status === cutStatus) {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    throw new TypeError('fetch failed', { cause })
  }
  const cors = operation.only === 'sandbox' ? [] : options.origins.headersFor(headers)
  return responseOf(answer, id, cors, request.url)
}

function queried(
  id: string,
  { headers }: EmbeddedRequest,
  operation: Operation,
  query: ReturnType<typeof parseQuery>,
) {
  return {
    id,
    headers,
    socketAddress,
    read: () => queryValues(operation.request, query),
    wantsTable: () => wantsCsv(operation, query, headers.accept),
  }
}

function responseOf(answer: Answer, id: string, cors: readonly string[], url: string): Response {
  const { status, body } = answer
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers: Record<string, string> = { 'x-request-id': id, 'content-type': jsonType }
  for (let at = 0; at < cors.length; at += 2) headers[cors[at]!] = cors[at + 1]!
  for (const name in answer.headers) headers[name] = String(answer.headers[name])
  headers['content-length'] = String(Buffer.byteLength(text))
  return textResponse(text, status, headers, url)
}

/** Sets the address of a response, because a constructed response has none. */
function located(response: Response, url: string): Response {
  return Object.defineProperty(response, 'url', { value: url })
}

async function throughServer(parts: FetchParts, request: EmbeddedRequest): Promise<Response> {
  const { method, path, query, headers, body, url } = request
  const server = await parts.server()
  const reply = await server.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: query === '' ? path : `${path}?${query}`,
    headers: { host: embeddedHost, ...headers } as Record<string, string>,
    ...(body === null ? {} : { payload: body }),
  })
  const { statusCode: status } = reply
  const pairs = Object.entries(reply.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const empty = method === 'HEAD' || status === 204 || status === 304
  const shape = { status, statusText: reply.statusMessage, headers: pairs }
  return located(new Response(empty ? null : reply.rawPayload, shape), url)
}
