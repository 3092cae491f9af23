// The requests of HTTP connections on their way through the intake. A connection has one request
// under way at a time, as its replies go out in order anyway; what is sent ahead waits, and the
// socket is not read meanwhile. The next begins when the reply to the last has left, so that for
// whoever does not read his replies nothing is done.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Connection, clientAddress, type TrustedProxies } from '../limits/client-address.ts'
import { limitKeyOf } from '../limits/ip-address.ts'
import type { Intake } from './intake.ts'
import type { LaneName, Line, Ticket } from './line.ts'

export type HttpRequest = Readonly<{
  request: IncomingMessage
  response: ServerResponse
  /** Asked when its turn comes near: of a batch its body tells. */
  lane(): LaneName
  /** The whole request has come. */
  begin(ticket: Ticket): void
  /** Answers that too much waits. */
  refuse(): void
}>

/** The exchange did nothing for it, and its sender was to wait. */
export const isRefusal = (status: number) => status === 429 || status === 503

type Forwarded = Connection['forwardedFor']

export class HttpLines {
  private readonly intake: Intake
  private readonly trusted: TrustedProxies
  private readonly lines = new WeakMap<Socket, Line<HttpRequest>>()

  constructor(intake: Intake, trusted: TrustedProxies) {
    this.intake = intake
    this.trusted = trusted
  }

  /** Its connections are known from their beginning. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.lines.set(socket, this.lineOf(socket, this.ipKeyOf(socket, undefined)))
    })
  }

  take(asked: HttpRequest): void {
    const { request, response } = asked
    const { socket, headers } = request
    const line = this.lines.get(socket)
    // The connection went while the body came.
    if (line === undefined || response.destroyed) return
    const forwardedFor = headers['x-forwarded-for']
    if (forwardedFor !== undefined && !line.isWaitedFor)
      line.ipKey = this.ipKeyOf(socket, forwardedFor)
    this.intake.take(line, asked)
  }

  private ipKeyOf({ remoteAddress: socketAddress }: Socket, forwardedFor: Forwarded): string {
    return limitKeyOf(clientAddress({ socketAddress, forwardedFor }, this.trusted))
  }

  private lineOf(socket: Socket, ipKey: string): Line<HttpRequest> {
    const line: Line<HttpRequest> = this.intake.line(
      { ipKey, activeMax: 1 },
      {
        laneOf: ({ lane }) => lane(),
        begin: (asked, ticket) => begin(asked, ticket),
        refuse: ({ refuse }) => refuse(),
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        overflow: () => socket.destroy(),
      },
    )
    // Whoever reads a body that has come already makes node:http read on. It starts to read when
    // 'resume' is told and stops when 'pause' is; a socket that is paused in between tells none.
    socket.on('resume', () => {
      if (!line.isPaused) return
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    })
    socket.once('close', () => this.intake.leave(line))
    return line
  }
}

function begin({ response, begin: work }: HttpRequest, ticket: Ticket): void {
  if (response.destroyed) return ticket.done()
  response.once('close', () => ticket.done())
  work(ticket)
}
