// Queues requests that do not take the fast path. Requests without a body, and requests that would
// be refused whatever their body, are queued before the HTTP library parses them: a refusal by the
// library costs as much as a reply, and one connection may pipeline thousands of requests. A POST
// that may be executed is queued when its body has arrived.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type HttpLines, isRefusal } from '../intake/http-lines.ts'
import type { Ticket } from '../intake/line.ts'
import type { Operation } from '../operation.ts'
import { actionsIn } from '../operations/cancels.ts'
import { type AnswerOptions, bodyBytesMax, bodyIn, onceRead, overloaded } from './answer.ts'
import { pathOf } from './known-paths.ts'
import { laneOfPost, send } from './plain-posts.ts'

export type LongWay = Readonly<{
  /** All mounted operations, by method and full path. */
  operations: ReadonlyMap<string, Operation>
  nextId: () => string
  options: AnswerOptions
  lines: HttpLines
}>

type Listener = (request: IncomingMessage, response: ServerResponse) => void

export function waitInLine(server: FastifyInstance, way: LongWay): void {
  const { lines, nextId, options } = way
  const { tickets } = lines
  type Raw = Readonly<{ request: IncomingMessage; response: ServerResponse }>
  const refuse = ({ request, response }: Raw, operation: Operation | undefined) => {
    const cors = options.origins.headersFor(request.headers)
    send(response, nextId(), overloaded(operation, options), cors)
  }
  before(server.server, (request, response, serve) => {
    const operation = operationAt(request, way)
    if (isToBeRead(request, operation)) return serve()
    const begin = (ticket: Ticket) => {
      tickets.set(response, ticket)
      serve()
    }
    const entry = { request, response, lane: () => 'read' as const, begin }
    lines.take({ ...entry, refuse: () => refuse(entry, operation) })
  })
  server.addHook('preHandler', ({ raw, body }, { raw: response }, done) => {
    if (tickets.has(response)) return done()
    const operation = operationAt(raw, way)
    const begin = (ticket: Ticket) => {
      tickets.set(response, ticket)
      done()
    }
    const read = onceRead(() => bodyIn(body))
    const lane = () =>
      operation === undefined ? 'read' : laneOfPost(operation, String(body).length, read)
    const actions = () => (operation === undefined ? 1 : actionsIn(operation, read))
    const entry = { request: raw, response, lane, actions, begin }
    lines.take({ ...entry, refuse: () => refuse(entry, operation) })
  })
  server.addHook('onSend', (_, reply, payload, done) => {
    tickets.get(reply.raw)?.worked(isRefusal(reply.statusCode))
    done(null, payload)
  })
}

type Gate = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void

/** Queues requests before the listeners of the server, also for unknown routes. */
function before(server: Server, gate: Gate): void {
  for (const kind of ['request', 'checkExpectation']) {
    const listeners = server.listeners(kind) as Listener[]
    server.removeAllListeners(kind)
    server.on(kind, (request: IncomingMessage, response: ServerResponse) => {
      gate(request, response, () => {
        for (const each of listeners) each.call(server, request, response)
      })
    })
  }
}

function operationAt(
  { method, url }: IncomingMessage,
  { operations }: LongWay,
): Operation | undefined {
  return operations.get(`${method} ${pathOf({ url: url! })}`)
}

/** Whether the request has a body that will be read and has not arrived yet. */
function isToBeRead({ headers }: IncomingMessage, operation: Operation | undefined): boolean {
  if (operation?.http.startsWith('POST') !== true) return false
  const {
    'content-length': length = 0,
    'transfer-encoding': coding,
    'content-type': type,
  } = headers
  if (coding === undefined && !(+length > 0 && +length <= bodyBytesMax)) return false
  return type?.trimStart().toLowerCase().startsWith('application/json') === true
}
