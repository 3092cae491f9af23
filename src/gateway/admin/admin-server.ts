// The admin plane: its own port, bearer tokens with scopes, one route per operation. Every POST
// says why (`reason`), and the journal keeps it with the name of the token.

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
  /** Null: the public port has them. */
  metrics: MetricsPage | null
  /** Where the build put the console. */
  consoleFolder: string
  /** A right token came over this connection. */
  proven: (socket: Socket) => void
  /** Resolves when the public sees what happened so far. */
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
      // Before the body is read: an unauthorized caller learns nothing else.
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
  // It says what any exchange of this version takes, and nothing of this one.
  server.get('/openapi.json', (request, reply) => {
    requireLocalHost(request, options.allowedHosts)
    return sendText(reply, 'application/json', document())
  })
  // The page contains no data: it requests all data with the token that is typed into it.
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
  // A connection that is closed while a body still comes takes the answer with it: the rest is
  // read, within the time of a request, and thrown away.
  if (failure.status === 413) reply.removeHeader('connection')
  return fail(reply, failure)
}

/** Every body has `reason`; as on the public plane, unknown fields are refused. */
function checkOf(operation: AdminOperation): BodyCheck {
  const { http, request } = operation
  return http.startsWith('GET') ? bodyCheck(request) : closedCheck(request, adminBody(operation))
}

function requestOf(operation: AdminOperation, request: FastifyRequest, check: BodyCheck) {
  if (operation.http.startsWith('GET'))
    return {
      why: '',
      values: queryValues(operation.request, request.query as Record<string, string>),
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
    // For a number that a signed text must not have, the check by field gives the better message.
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
