// The HTTP server. Mounts every operation under its paths, and replies to all other requests,
// including malformed ones, with an error body of the API.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { pathField, type Wrapping } from '../../protocol/routes.ts'
import { ApiError, apiError } from '../api-error.ts'
import { answerBytes, asApiError, isLate } from '../failures.ts'
import { HttpLines, requestMs, unlessReadNow } from '../intake/http-lines.ts'
import type { Intake } from '../intake/intake.ts'
import type { Mount, Operation } from '../operation.ts'
import { fastify, LogController } from '../packages.ts'
import { type AnswerOptions, bodyBytesMax, bodyIn } from './answer.ts'
import { carryRequest, cutStatus } from './carry-request.ts'
import { wantsCsv } from './csv.ts'
import { errorBody } from './envelope.ts'
import { KnownPaths, pathOf } from './known-paths.ts'
import { send, servePlainPosts } from './plain-posts.ts'
import { queryValues } from './query.ts'
import { waitInLine } from './wait-in-line.ts'

export type HttpOptions = AnswerOptions &
  Readonly<{
    mounts: readonly Mount[]
    /** Absent if requests are not queued. */
    intake?: Intake
  }>

export function createHttp(options: HttpOptions): FastifyInstance {
  const nextId = requestIds()
  const { intake, trusted, origins } = options
  const lines = intake === undefined ? null : new HttpLines(intake, trusted)
  const server = bareServer(options.log, nextId, (error, socket) => {
    const answer = () => answerBytes(error, socket)
    if (lines !== null) lines.fault(socket, isLate(error), answer)
    else if (isLate(error)) unlessReadNow(socket, answer, () => undefined)
    else answer()
  })
  const paths = new KnownPaths(server)
  const posts = new Map<string, Operation>()
  const operations = new Map<string, Operation>()
  for (const { prefix, operations: mounted } of options.mounts) {
    for (const operation of mounted) {
      const [method, path] = operation.http.split(' ') as ['GET' | 'POST', string]
      const url = prefix + path
      const field = pathField(path)
      const served = field === null ? url : url.replace(`{${field}}`, `:${field}`)
      const config = { operation }
      server.route({ method, url: served, config, handler: handlerOf(operation, options, lines) })
      operations.set(`${method} ${url}`, operation)
      if (method === 'POST' && operation.only !== 'sandbox') posts.set(url, operation)
    }
  }
  const isSandbox = [...operations.values()].some(({ only }) => only === 'sandbox')
  const listed = '; /docs lists them'
  // Runs before the body is read. A route without a body accepts any content type.
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const isLocal =
      operationOf(request)?.only === 'sandbox' || pathOf(request).includes('/sandbox/')
    const { headers } = request
    if (!isLocal) addHeaders(reply, origins.headersFor(headers))
    if (request.method === 'POST') origins.requirePage(headers)
    if (!request.is404) return done()
    const known = request.method === 'OPTIONS' ? paths.methodsAt(request) : null
    if (known === null) {
      const why =
        isLocal && !isSandbox ? ': it exists only in a sandbox, and this is a venue' : listed
      return fail(reply, paths.errorOf(request, reply, `no such route${why} (path not found)`))
    }
    if (!isLocal) addHeaders(reply, origins.preflightFor(headers, options.keyHeaders))
    reply.header('allow', known.join(', ')).code(204).send()
  })
  server.setErrorHandler((error, request, reply) =>
    fail(reply, asApiError(error, request.log), operationOf(request)?.wraps),
  )
  lines?.attach(server.server)
  if (lines !== null) waitInLine(server, { operations, nextId, options, lines })
  servePlainPosts(server.server, { operations: posts, nextId, bodyBytesMax, options, lines })
  return server
}

/** Alternating names and values. */
function addHeaders(reply: FastifyReply, pairs: readonly string[]): void {
  for (let at = 0; at < pairs.length; at += 2) reply.header(pairs[at]!, pairs[at + 1]!)
}

/** Creates request ids that are unique, even across restarts. */
function requestIds(): () => string {
  let count = 0
  const run = Math.floor(performance.timeOrigin).toString(36)
  return () => `${run}-${(++count).toString(36)}`
}

/** Also defined for requests that fail before their handler runs. */
function operationOf({ routeOptions }: FastifyRequest): Operation | undefined {
  return (routeOptions.config as { operation?: Operation } | undefined)?.operation
}

/** Timeout of a request. Idle connections are limited by the connection caps. */
const requestTimes = {
  requestTimeout: requestMs,
  keepAliveTimeout: 65_000,
  // A missing host is refused below, because Node's own reply has no body.
  http: { headersTimeout: requestMs, connectionsCheckingInterval: 2_000, requireHostHeader: false },
} as const

/** Timeout without traffic in either direction. It closes connections whose clients do not read
 *  the reply, and is long enough for the slowest reply: a sandbox that simulates a year. */
const idleMs = 300_000

/** Operations validate their requests and format their replies themselves. Without this the
 *  library would load two schema compilers, which takes a tenth of the startup time. */
const noCompiler = () => () => {
  throw new Error('no route gives the server a schema')
}
const schemaController = {
  compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
} as const

/** A server that passes JSON bodies on as text, with limits of size and time. */
export function bareServer(
  log: Logger,
  nextId = requestIds(),
  onBadBytes = answerBytes,
): FastifyInstance {
  const server = fastify({
    // No log line per request, because of the number of orders. Failures are logged with their
    // request id.
    loggerInstance: log.child({}, { level: quieter(log.level) }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    ...requestTimes,
    connectionTimeout: idleMs,
    genReqId: nextId,
    return503OnClosing: false,
    schemaController,
    clientErrorHandler: onBadBytes,
    frameworkErrors: (error, request, reply) =>
      fail(reply as FastifyReply, asApiError(error, request.log)),
  })
  server.addHook('onRequest', ({ headers, raw }, reply, done) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') return done()
    fail(reply, apiError('MALFORMED_REQUEST', 'a request of HTTP/1.1 needs a host header'))
  })
  server.server.on('checkExpectation', (_, response: ServerResponse) => {
    send(response, nextId(), unmetExpectation)
  })
  server.server.on('connect', (_, socket: Socket) => {
    onBadBytes(Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket)
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    done(null, body)
  })
  return server
}

const expects = 'no expectation but 100-continue is met; leave the expect header out'
const unmetExpectation = {
  status: 417,
  headers: null,
  body: errorBody(
    'envelope',
    new ApiError('MALFORMED_REQUEST', expects, { status: 417, code: 417 }),
  ),
}

/** Suppresses the library's log line about its address, because this program logs it itself. */
function quieter(level: string): string {
  return level === 'info' ? 'warn' : level
}

function handlerOf(operation: Operation, options: HttpOptions, lines: HttpLines | null) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { id, headers, socket, query } = request
    const incoming = {
      id,
      headers,
      socketAddress: socket.remoteAddress,
      socket,
      held: () => lines?.tickets.get(reply.raw)?.worked(),
      read: () => requestOf(operation, request),
      wantsTable: () => wantsCsv(operation, query, headers.accept),
    }
    const answer = await carryRequest(operation, incoming, options)
    if (answer.status === cutStatus) {
      reply.hijack()
      return void (socket.resetAndDestroy ?? socket.destroy).call(socket)
    }
    reply.code(answer.status)
    if (answer.headers !== null) reply.headers(answer.headers)
    return answer.body
  }
}

function requestOf(operation: Operation, { query, params, body }: FastifyRequest): unknown {
  if (operation.http.startsWith('GET'))
    return queryValues(operation.request, { ...Object(query), ...Object(params) })
  return bodyIn(body)
}

function withStatus(reply: FastifyReply, { status, retryAfterSeconds }: ApiError): FastifyReply {
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
  return reply.code(status)
}

/** Sends an error. Errors without an operation are enveloped. */
export function fail(
  reply: FastifyReply,
  error: ApiError,
  wraps: Wrapping = 'envelope',
): FastifyReply {
  return withStatus(reply, error).send(errorBody(wraps, error))
}
