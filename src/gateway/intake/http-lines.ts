// Queues the requests of HTTP connections in the intake. A connection has one request in progress
// at a time, because its replies are sent in order. Pipelined requests wait, and the socket is not
// read meanwhile. The next request starts when the reply to the previous one has been sent, so that
// no work is done for a client that does not read its replies.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerBytes } from '../failures.ts'
import { type Connection, clientAddress, type TrustedProxies } from '../limits/client-address.ts'
import { limitKeyOf } from '../limits/ip-address.ts'
import type { Intake } from './intake.ts'
import type { LaneName, Line, Ticket } from './line.ts'

export type HttpRequest = Readonly<{
  request: IncomingMessage
  response: ServerResponse
  /** Called when the turn of the request is near, because for a batch it depends on the body. */
  lane(): LaneName
  /** Number of requests that it counts as (default: one). Called when the request starts. */
  actions?(): number
  /** Called when the complete request has arrived. */
  begin(ticket: Ticket): void
  /** Replies that too many requests are queued. */
  refuse(): void
}>

/** Whether the request had no effect, and the client has to wait before a retry. */
export const isRefusal = (status: number) => status === 429 || status === 503

/** Timeout for receiving a complete request. */
export const requestMs = 30_000

/** Decides whether a request timed out. Node checks timeouts before it reads, so that after a
 *  pause of the process all clients would seem late. Calls `otherwise` if this turn of the event
 *  loop reads data of the client. A client that has sent nothing at all is left to the connection
 *  caps. */
export function unlessReadNow(socket: Socket, late: () => void, otherwise: () => void): void {
  const before = socket.bytesRead
  setImmediate(() => {
    if (socket.destroyed) return
    if (before === 0 || socket.bytesRead > before) otherwise()
    else late()
  })
}

const tooMuch = Object.assign(new Error('too many requests wait'), { code: 'TOO_MUCH' })

type Forwarded = Connection['forwardedFor']

export class HttpLines {
  private readonly intake: Intake
  private readonly trusted: TrustedProxies
  private readonly lines = new WeakMap<Socket, Line<HttpRequest>>()
  /** Connections with a pending error reply. Further bytes would cause further errors. */
  private readonly broken = new WeakSet<Socket>()
  /** Connections that are no longer read, because their address or all clients together sent too
   *  much. */
  private readonly full = new WeakSet<Socket>()
  /** Requests in progress that the HTTP library executes. */
  readonly tickets = new WeakMap<ServerResponse, Ticket>()

  constructor(intake: Intake, trusted: TrustedProxies) {
    this.intake = intake
    this.trusted = trusted
  }

  /** Registers connections from their start until they become websockets. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.lines.set(socket, this.lineOf(socket, this.ipKeyOf(socket, undefined)))
    })
    server.on('upgrade', ({ socket }: IncomingMessage) => this.letGo(socket))
  }

  /** Handles data that cannot be parsed; `answer` sends the error. Replies to earlier requests are
   *  sent first, because the client would otherwise take the error for one of them. `isLate`: the
   *  request has not arrived in time. Time in which the connection was not read is not counted. */
  fault(socket: Socket, isLate: boolean, answer: () => void): void {
    const line = this.lines.get(socket)
    if (line === undefined) return answer()
    if (this.broken.has(socket)) return
    if (isLate) {
      const again = this.againLater(socket, line, answer)
      return isHeld(line) ? again() : unlessReadNow(socket, answer, again)
    }
    this.broken.add(socket)
    // Earlier requests in the same chunk have not been parsed yet.
    setImmediate(() => void line.settled().then(answer))
  }

  private late(socket: Socket, line: Line<HttpRequest>, answer: () => void): void {
    if (isHeld(line)) this.againLater(socket, line, answer)()
    else answer()
  }

  /** Returns a function that restarts the timeout of the request. */
  private againLater(socket: Socket, line: Line<HttpRequest>, answer: () => void): () => void {
    const { taken } = line
    const again = () => {
      if (line.taken === taken && !socket.destroyed) this.late(socket, line, answer)
    }
    return () => void line.settled().then(() => setTimeout(again, requestMs).unref())
  }

  take(incoming: HttpRequest): void {
    const { request, response } = incoming
    const { socket, headers } = request
    const line = this.lines.get(socket)
    // The connection was closed before the body arrived.
    if (line === undefined || response.destroyed || this.full.has(socket)) return
    const forwardedFor = headers['x-forwarded-for']
    if (forwardedFor !== undefined && !line.isWaitedFor)
      line.ipKey = this.ipKeyOf(socket, forwardedFor)
    this.intake.take(line, incoming)
  }

  /** Sends an error after the replies to accepted requests, then closes the connection. */
  private overflow(socket: Socket): void {
    const line = this.lines.get(socket)!
    this.full.add(socket)
    line.pause()
    void line.settled().then(() => answerBytes(tooMuch, socket))
  }

  private ipKeyOf({ remoteAddress: socketAddress }: Socket, forwardedFor: Forwarded): string {
    return limitKeyOf(clientAddress({ socketAddress, forwardedFor }, this.trusted))
  }

  private lineOf(socket: Socket, ipKey: string): Line<HttpRequest> {
    const line: Line<HttpRequest> = this.intake.line(
      { ipKey, activeMax: 1 },
      {
        laneOf: ({ lane }) => lane(),
        actionsIn: ({ actions }) => actions?.() ?? 1,
        begin: (incoming, ticket) => begin(incoming, ticket),
        refuse: ({ refuse }) => refuse(),
        pause: () => isOurs() && socket.pause(),
        resume: () => isOurs() && socket.resume(),
        overflow: () => this.overflow(socket),
      },
    )
    const isOurs = () => this.lines.has(socket)
    // Reading a body that has already arrived makes Node read the socket again. Node starts on
    // 'resume' and stops on 'pause'; a socket that is paused in between emits neither.
    socket.on('resume', () => {
      if (!line.isPaused || !isOurs()) return
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    })
    socket.once('close', () => this.intake.leave(line))
    return line
  }

  /** Unregisters a connection that becomes a websocket. Websockets have their own line. */
  private letGo(socket: Socket): void {
    const line = this.lines.get(socket)
    if (line === undefined) return
    line.resume()
    this.lines.delete(socket)
    this.intake.leave(line)
  }
}

/** Whether requests of the connection wait, so that it is not read. */
const isHeld = (line: Line<HttpRequest>) => line.isWaitedFor || line.isPaused

function begin({ response, begin: work }: HttpRequest, ticket: Ticket): void {
  if (response.destroyed) return ticket.done()
  response.once('close', () => ticket.done())
  work(ticket)
}
