// The requests of HTTP connections in the intake. A connection has one request in progress at a
// time, as its replies are sent in order anyway; pipelined requests wait, and the socket is not
// read meanwhile. The next begins when the reply to the last has been sent, so that no work is done
// for a client that does not read its replies.

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
  /** Called when its turn is near: for a batch it depends on the body. */
  lane(): LaneName
  /** Number of requests that it counts as, read when it begins (default: one). */
  actions?(): number
  /** The whole request has arrived. */
  begin(ticket: Ticket): void
  /** Answers that too much is waiting. */
  refuse(): void
}>

/** The exchange did nothing for it; its sender has to wait. */
export const isRefusal = (status: number) => status === 429 || status === 503

/** Timeout for receiving a whole request. */
export const requestMs = 30_000

/** Node:http checks times before it reads, so after a pause of the process every client would be
 *  late. Calls `otherwise` if this turn of the event loop reads something from the client, or if
 *  the client has sent nothing at all so far, which is up to the caps of connections. */
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
  /** Connections with a pending error reply; further bytes cause further errors. */
  private readonly broken = new WeakSet<Socket>()
  /** Connections that are not read any more, because the address or all together sent too much. */
  private readonly full = new WeakSet<Socket>()

  constructor(intake: Intake, trusted: TrustedProxies) {
    this.intake = intake
    this.trusted = trusted
  }

  /** Registers its connections from their start until they become websockets. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.lines.set(socket, this.lineOf(socket, this.ipKeyOf(socket, undefined)))
    })
    server.on('upgrade', ({ socket }: IncomingMessage) => this.letGo(socket))
  }

  /** Handles unparsable data on the connection: `answer` reports it. Replies to earlier requests go
   *  first, or the client would take it for one of them. `isLate`: the request has only not arrived
   *  in time; time in which we did not read does not count. */
  fault(socket: Socket, isLate: boolean, answer: () => void): void {
    const line = this.lines.get(socket)
    if (line === undefined) return answer()
    if (this.broken.has(socket)) return
    if (isLate) {
      const again = this.againLater(socket, line, answer)
      return isHeld(line) ? again() : unlessReadNow(socket, answer, again)
    }
    this.broken.add(socket)
    // Requests of the same piece have not been parsed yet.
    setImmediate(() => void line.settled().then(answer))
  }

  private late(socket: Socket, line: Line<HttpRequest>, answer: () => void): void {
    if (isHeld(line)) this.againLater(socket, line, answer)()
    else answer()
  }

  /** Restarts the timeout of the same request. */
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
    // The connection was closed while the body arrived.
    if (line === undefined || response.destroyed || this.full.has(socket)) return
    const forwardedFor = headers['x-forwarded-for']
    if (forwardedFor !== undefined && !line.isWaitedFor)
      line.ipKey = this.ipKeyOf(socket, forwardedFor)
    this.intake.take(line, incoming)
  }

  /** Sends an error after the replies to accepted requests, and closes the connection. */
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
    // Reading a body that has already arrived makes Node continue to read. It starts on 'resume'
    // and stops on 'pause'; a socket that is paused in between emits neither.
    socket.on('resume', () => {
      if (!line.isPaused || !isOurs()) return
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    })
    socket.once('close', () => this.intake.leave(line))
    return line
  }

  /** The websocket has its own line; two lines would interfere with each other. */
  private letGo(socket: Socket): void {
    const line = this.lines.get(socket)
    if (line === undefined) return
    line.resume()
    this.lines.delete(socket)
    this.intake.leave(line)
  }
}

/** Its requests wait, so that nothing further is read of it. */
const isHeld = (line: Line<HttpRequest>) => line.isWaitedFor || line.isPaused

function begin({ response, begin: work }: HttpRequest, ticket: Ticket): void {
  if (response.destroyed) return ticket.done()
  response.once('close', () => ticket.done())
  work(ticket)
}
