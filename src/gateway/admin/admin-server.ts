// The admin plane: a separate port, bearer tokens with scopes, and a route per operation. Every
// POST has a `reason`, which the journal stores with the name of the token.

import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { adminBody } from '../../protocol/admin/admin-api.ts'
import { needsReason } from '../../protocol/admin/admin-row.ts'
import {
  isReason,
  reasonMax,
  reasonRule,
  scriptProblem,
} from '../../protocol/admin/operator-texts.ts'
import { notJson, parseStrict, signedLevelsMax } from '../../protocol/strict-json.ts'
import { requireLocalHost } from '../access/host-names.ts'
import { apiError } from '../api-error.ts'
import { adminOpenApi } from '../documents/admin-open-api.ts'
import { version } from '../documents/version.ts'
import type { Exchange } from '../exchange.ts'
import { asApiError } from '../failures.ts'
import { refuseCsv } from '../http/csv.ts'
import { replyBody } from '../http/envelope.ts'
import { KnownPaths } from '../http/known-paths.ts'
import { addPages } from '../http/pages.ts'
import { type MetricsPage, once, sendMetrics, sendText } from '../http/probes.ts'
import { queryValues } from '../http/query.ts'
import { bareServer, fail } from '../http/server.ts'
import type { TrustedProxies } from '../limits/client-address.ts'
import { type BodyCheck, bodyCheck, closedCheck } from '../operations/body-check.ts'
import { AdminDoor } from './access/admin-door.ts'
import type { FailedTokens } from './access/failed-tokens.ts'
import { requireScope, type TokenHolder, Tokens } from './access/tokens.ts'
import type { AdminOperation } from './admin-operation.ts'
import { adminOperations } from './admin-operations.ts'
import type { Operator } from './operator.ts'

export type AdminOptions = Readonly<{
  exchange: Exchange
  operator: Operator
  tokens: readonly TokenHolder[]
  failedTokens: FailedTokens
  trusted: TrustedProxies
  allowedHosts: readonly string[]
  /** `null` if the metrics are served on the public port. */
  metrics: MetricsPage | null
  /** Folder of the built console. */
  consoleFolder: string
  /** Called for each connection with a valid token. */
  proven: (socket: Socket) => void
  /** Resolves when all changes so far are visible to public requests. */
  settled: () => Promise<void>
  log: Logger
}>

export function createAdmin(options: AdminOptions): FastifyInstance {
  const server = bareServer(options.log)
  const paths = new KnownPaths(server)
  const { failedTokens, trusted, proven } = options
  const door = new AdminDoor(new Tokens(options.tokens), failedTokens, trusted, proven)
  server.addHook('preClose', async () => failedTokens.close())
  const holders = new WeakMap<FastifyRequest, TokenHolder>()
  for (const operation of adminOperations) {
    const [method, url] = operation.http.split(' ') as ['GET' | 'POST', string]
    const check = checkOf(operation)
    server.route({
      method,
      url,
      // Authorize before reading the body, so that unauthorized callers learn nothing else.
      onRequest(request, reply, done) {
        reply.header('cache-control', 'no-store')
        requireLocalHost(request, options.allowedHosts)
        const holder = door.enter(request, reply)
        if (holder === null) return
        if (operation.scope !== null) requireScope(holder, operation.scope)
        holders.set(request, holder)
        done()
      },
      async handler(request, reply) {
        try {
          const holder = holders.get(request)!
          const { why, values } = requestOf(operation, request, check)
          check(values, '')
          const { exchange, operator, tokens: everyone } = options
          const by = { who: holder.name, why }
          const answer = await operation.answer({
            ...{ request: values as never, exchange, operator },
            ...{ holder, tokens: everyone, by },
          })
          await options.settled()
          return replyBody('envelope', answer)
        } catch (error) {
          return fail(reply, asApiError(error, request.log))
        }
      },
    })
  }
  const { metrics } = options
  if (metrics !== null)
    server.get('/metrics', async (request, reply) => {
      requireLocalHost(request, options.allowedHosts)
      const holder = door.enter(request, reply)
      if (holder === null) return reply
      requireScope(holder, 'read')
      return sendMetrics(reply, metrics)
    })
  const document = once(() => JSON.stringify(adminOpenApi(adminOperations, version)))
  // Public: the document describes this version of the software and contains nothing about this
  // exchange.
  server.get('/openapi.json', (request, reply) => {
    requireLocalHost(request, options.allowedHosts)
    return sendText(reply, 'application/json', document())
  })
  // The page is public: it contains no data, and requests data with the token that is entered.
  addPages(server, options.consoleFolder, (request) =>
    requireLocalHost(request, options.allowedHosts),
  )
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    requireLocalHost(request, options.allowedHosts)
    fail(reply, paths.errorOf(request, reply, 'no such admin route (path not found)'))
  })
  server.setErrorHandler(answerFault)
  return server
}

function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = asApiError(error, request.log)
  // Keep the connection open: closing it while the body arrives can lose the reply. The rest of the
  // body is read, within the request timeout, and discarded.
  if (failure.status === 413) reply.removeHeader('connection')
  return fail(reply, failure)
}

/** Validates a body, including its `reason`. As on the public port, unknown fields are rejected. */
function checkOf(operation: AdminOperation): BodyCheck {
  const { http, request } = operation
  return http.startsWith('GET') ? bodyCheck(request) : closedCheck(request, adminBody(operation))
}

function requestOf(operation: AdminOperation, request: FastifyRequest, check: BodyCheck) {
  if (operation.http.startsWith('GET')) {
    const query = request.query as Record<string, string>
    refuseCsv(operation.name, query)
    return { why: '', values: queryValues(operation.request, query) }
  }
  const values = objectIn(typeof request.body === 'string' ? request.body : '', check)
  const why = values.reason
  if (!needsReason(operation)) return { why: operation.scope === 'prices' ? 'price' : '', values }
  if (typeof why !== 'string' || !isReason(why, reasonMax))
    throw apiError(
      'MALFORMED_REQUEST',
      `reason is required: why you do this, ${reasonRule(reasonMax)}` +
        (typeof why === 'string' ? `; this one has ${why.length} characters` : ''),
    )
  return { why, values }
}

function objectIn(text: string, check: BodyCheck): Readonly<Record<string, unknown>> {
  const parsed = parseStrict(text, signedLevelsMax, 'any')
  if (!parsed.ok) {
    // If a number is not allowed in signed bodies, the validation by field has a better message.
    if (parsed.problem !== notJson) check(JSON.parse(text), '')
    throw apiError('MALFORMED_REQUEST', parsed.problem)
  }
  const { value } = parsed
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const problem = scriptProblem(value)
    if (problem !== null) throw apiError('MALFORMED_REQUEST', problem)
    return value as Readonly<Record<string, unknown>>
  }
  const given = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
  throw apiError('MALFORMED_REQUEST', `the body must be an object, {"reason": …}, not ${given}`)
}
