// HTTP: bytes to requests and replies to bytes. Mounts every operation under its paths and answers
// everything else, also what is malformed, with an error body of the API.

import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { batchLevelsMax, parseStrict } from '../../protocol/strict-json.ts'
import { type ApiError, apiError } from '../api-error.ts'
import type { Door } from '../door.ts'
import { clientAddress, type TrustedProxies } from '../limits/client-address.ts'
import type { Operation, Wrapping } from '../operation.ts'
import { allowAnyOrigin, answerPreflight, requireLocalHost } from './cross-origin.ts'
import { csvOf, csvType, wantsCsv } from './csv.ts'
import { errorBody, type Page, replyBody } from './envelope.ts'
import { answerBytes, asApiError, type RequestMeter } from './failures.ts'
import { queryValues } from './query.ts'

export const bodyBytesMax = 65_536

export type Mount = Readonly<{ prefix: string; operations: readonly Operation[] }>

export type HttpOptions = Readonly<{
  door: Door
  mounts: readonly Mount[]
  log: Logger
  trusted: TrustedProxies
  /** Headers a key may come in, lower case. */
  keyHeaders: readonly string[]
  /** Names under which sandbox routes may be asked, besides the loopback ones. */
  allowedHosts: readonly string[]
  meter: RequestMeter
}>

export function createHttp(options: HttpOptions): FastifyInstance {
  const server = bareServer(options.log)
  const methods = new Map<string, Set<string>>()
  for (const { prefix, operations } of options.mounts) {
    for (const operation of operations) {
      const [method, path] = operation.http.split(' ') as ['GET' | 'POST', string]
      const url = prefix + path
      methods.set(url, (methods.get(url) ?? new Set()).add(method))
      const config = { operation }
      server.route({ method, url, config, handler: handlerOf(operation, options) })
    }
  }
  const methodsAt = ({ url }: FastifyRequest) => methods.get(url.split('?')[0]!)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const isLocal = operationOf(request)?.only === 'sandbox' || request.url.includes('/sandbox/')
    if (!isLocal) allowAnyOrigin(reply)
    const known = request.method === 'OPTIONS' ? methodsAt(request) : undefined
    if (known === undefined) return done()
    if (!isLocal) answerPreflight(reply, options.keyHeaders)
    reply
      .header('allow', [...known].join(', '))
      .code(204)
      .send()
  })
  server.setNotFoundHandler((request, reply) => {
    const known = methodsAt(request)
    if (known === undefined)
      return fail(reply, apiError('NOT_FOUND', 'no such route; /docs lists them'))
    reply.header('allow', [...known].join(', '))
    const wanted = `this route takes ${[...known].join(' or ')}, not ${request.method}`
    return fail(reply, apiError('METHOD_NOT_ALLOWED', wanted))
  })
  server.setErrorHandler((error, request, reply) =>
    fail(reply, asApiError(error, request.log), operationOf(request)?.wraps),
  )
  return server
}

/** Also before its handler runs, when the body was not read yet. */
function operationOf({ routeOptions }: FastifyRequest): Operation | undefined {
  return (routeOptions.config as { operation?: Operation } | undefined)?.operation
}

/** A server that takes JSON bodies as text and is bounded in size and time. */
export function bareServer(log: Logger): FastifyInstance {
  let count = 0
  const run = Math.floor(performance.timeOrigin).toString(36)
  const server = fastify({
    // No line per request: orders come by the thousand. What fails is logged with its id.
    loggerInstance: log.child({}, { level: quieter(log.level) }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    genReqId: () => `${run}-${(++count).toString(36)}`,
    return503OnClosing: false,
    clientErrorHandler: answerBytes,
    frameworkErrors: (error, request, reply) =>
      fail(reply as FastifyReply, asApiError(error, request.log)),
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    done(null, body)
  })
  return server
}

/** The library tells where it listens; we do so ourselves. */
function quieter(level: string): string {
  return level === 'info' ? 'warn' : level
}

function handlerOf(operation: Operation, options: HttpOptions) {
  const { door, meter, trusted, keyHeaders, allowedHosts } = options
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now()
    let answer: unknown
    try {
      if (operation.only === 'sandbox') requireLocalHost(request, allowedHosts)
      const { remoteAddress: socketAddress } = request.socket
      const forwardedFor = request.headers['x-forwarded-for']
      const ip = clientAddress({ socketAddress, forwardedFor }, trusted)
      const visitor = door.visitor(ip, keyIn(request, keyHeaders))
      const { headers, refusal } = door.charge(visitor, operation)
      if (headers !== null) reply.headers(headers)
      if (refusal !== null) throw refusal
      const caller = { requestId: request.id, ip, keyAccount: visitor.keyAccount }
      const reading = await door.run(operation, requestOf(operation, request), caller)
      const table = wantsCsv(operation, request.query, request.headers.accept)
      answer = table
        ? tableBody(operation, reply, reading as Page)
        : replyBody(operation.wraps, reading)
    } catch (error) {
      answer = failure(operation, reply, asApiError(error, request.log))
    }
    meter.took(operation.name, reply.statusCode, performance.now() - started)
    return answer
  }
}

/** The cursor of the next page has no place in a table. */
function tableBody({ name, reply: schema }: Operation, reply: FastifyReply, page: Page): string {
  reply.type(csvType)
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  if (page.next_cursor !== null) reply.header('x-next-cursor', page.next_cursor)
  return csvOf(schema, page.rows as never)
}

function requestOf(operation: Operation, request: FastifyRequest): unknown {
  if (operation.http.startsWith('GET'))
    return queryValues(operation.request, request.query as Record<string, string>)
  const { body } = request
  if (typeof body !== 'string' || body === '')
    throw apiError('MALFORMED_REQUEST', 'the body must be a JSON object')
  const parsed = parseStrict(body, batchLevelsMax)
  if (!parsed.ok) throw apiError('MALFORMED_REQUEST', parsed.problem)
  return parsed.value
}

function keyIn({ headers }: FastifyRequest, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) return String(value)
  }
  return undefined
}

function failure(operation: Operation, reply: FastifyReply, error: ApiError): unknown {
  withStatus(reply, error)
  return errorBody(operation.wraps, error)
}

function withStatus(reply: FastifyReply, { status, retryAfterSeconds }: ApiError): FastifyReply {
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
  return reply.code(status)
}

/** Errors without an operation are enveloped. */
export function fail(
  reply: FastifyReply,
  error: ApiError,
  wraps: Wrapping = 'envelope',
): FastifyReply {
  return withStatus(reply, error).send(errorBody(wraps, error))
}
