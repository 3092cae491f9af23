// The fast path of orders. Nearly all requests are plain POSTs with a known path, JSON, and an
// allowed declared length. They go from node:http to the operation and back without the routing,
// hooks and serialisers of the HTTP library, which cost as much as node:http itself. All other
// requests go through the library.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type HttpLines, isRefusal } from '../intake/http-lines.ts'
import { type LaneName, laneOf, type Ticket } from '../intake/line.ts'
import type { Operation } from '../operation.ts'
import { actionsIn } from '../operations/cancels.ts'
import { type Answer, type AnswerOptions, bodyIn, onceRead, overloaded } from './answer.ts'
import { carryRequest, cutStatus } from './carry-request.ts'

export type PlainPosts = Readonly<{
  /** Operations by full path. */
  operations: ReadonlyMap<string, Operation>
  nextId: () => string
  bodyBytesMax: number
  options: AnswerOptions
  /** `null` if requests are not queued. */
  lines: HttpLines | null
}>

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const jsonType = 'application/json; charset=utf-8'

/** Installs the fast path before the existing listeners of the server. */
export function servePlainPosts(server: Server, posts: PlainPosts): void {
  const others = server.listeners('request') as Listener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const operation = plainOperation(request, posts)
    // While the server closes, the other listeners add `connection: close` to the reply.
    if (operation !== undefined && server.listening) serve(operation, request, response, posts)
    else for (const listener of others) listener.call(server, request, response)
  })
}

function plainOperation(
  { method, url, headers }: IncomingMessage,
  { operations, bodyBytesMax }: PlainPosts,
): Operation | undefined {
  if (method !== 'POST' || headers['content-type'] !== 'application/json') return undefined
  if (headers.host === undefined) return undefined
  const length = headers['content-length']
  // Also refuses 0 and NaN.
  if (length === undefined || !(+length > 0 && +length <= bodyBytesMax)) return undefined
  if (headers['transfer-encoding'] !== undefined) return undefined
  return operations.get(url!)
}

function serve(
  operation: Operation,
  request: IncomingMessage,
  response: ServerResponse,
  { nextId, options, lines }: PlainPosts,
): void {
  const id = nextId()
  const pieces: Buffer[] = []
  const read = onceRead(() => bodyIn(textOf(pieces)))
  const { headers, socket } = request
  const cors = options.origins.headersFor(headers)
  const begin = (ticket: Ticket | null) => {
    const socketAddress = socket.remoteAddress
    const held = () => ticket?.worked()
    const incoming = { id, headers, socketAddress, socket, held, read }
    carryRequest(operation, incoming, options)
      .then((answer) => {
        if (answer.status === cutStatus) {
          socket.resetAndDestroy()
          return
        }
        ticket?.worked(isRefusal(answer.status))
        send(response, id, answer, cors)
      })
      .catch((error: unknown) => {
        // An error while writing a reply is a bug, which must not affect other callers.
        options.log.error({ err: error, reqId: id }, 'a reply could not be sent')
        response.destroy()
      })
  }
  const refuse = () => send(response, id, overloaded(operation, options), cors)
  const lane = () => laneOfPost(operation, Number(request.headers['content-length']), read)
  const actions = () => actionsIn(operation, read)
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    if (lines === null) begin(null)
    else lines.take({ request, response, lane, actions, begin, refuse })
  })
}

/** Larger bodies are not parsed before their turn. Ten cancels are much shorter than this. */
const cancelsBytesMax = 16_384

export function laneOfPost(operation: Operation, bytes: number, read: () => unknown): LaneName {
  return laneOf(operation, bytes <= cancelsBytesMax ? read : () => null)
}

/** The body as text. An order usually arrives in a single chunk. */
function textOf(pieces: readonly Buffer[]): string {
  return (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)).toString('utf8')
}

export function send(
  response: ServerResponse,
  id: string,
  { status, headers, body }: Answer,
  cors: readonly string[] = [],
): void {
  const text = JSON.stringify(body)
  const head = ['x-request-id', id, ...cors]
  for (const name in headers) head.push(name, String(headers[name]))
  head.push('content-type', jsonType, 'content-length', String(Buffer.byteLength(text)))
  response.writeHead(status, head)
  response.end(text)
}
