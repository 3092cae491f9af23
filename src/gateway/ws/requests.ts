// Handles the messages of a client. Every message gets a reply.

import type { FastifyBaseLogger } from 'fastify'
import type { Feeds } from '../../feeds/feeds.ts'
import type { WsName } from '../../protocol/routes.ts'
import { type ApiError, apiError } from '../api-error.ts'
import { asApiError, type RequestMeter } from '../failures.ts'
import type { Door, Turn } from '../intake/door.ts'
import { isRefusal } from '../intake/http-lines.ts'
import type { Intake } from '../intake/intake.ts'
import type { LaneName, Ticket } from '../intake/line.ts'
import type { Caller, Operation } from '../operation.ts'
import { actionsIn } from '../operations/cancels.ts'
import { arming } from '../operations/orders/schedule-cancel.ts'
import { CancelOnDisconnect } from './cancel-on-disconnect.ts'
import type { Connection } from './connection.ts'
import {
  type Incoming,
  idLengthMax,
  isObject,
  type Message,
  MessageReader,
  type Read,
  type Request,
} from './incoming.ts'
import type { WsLimits } from './limits.ts'
import { dataOf, errorFrame, type RequestId, refusal, reply } from './replies.ts'
import type { Params } from './subscribe-request.ts'
import { type SubscribeCall, Subscriptions } from './subscriptions.ts'
import { turnOf } from './turn.ts'

export type RequestsParts = Readonly<{
  door: Door
  feeds: Feeds
  operations: readonly Operation[]
  limits: WsLimits
  log: FastifyBaseLogger
  meter: RequestMeter
  intake: Intake
  /** Prefix of the names of this process's connections. */
  owner: string
}>

export class Requests {
  readonly cancels: CancelOnDisconnect
  private readonly parts: RequestsParts
  private readonly operations: ReadonlyMap<string, Operation>
  private readonly reader: MessageReader
  private readonly subscriptions: Subscriptions
  private count = 0

  constructor(parts: RequestsParts) {
    this.parts = parts
    this.subscriptions = new Subscriptions(parts)
    this.cancels = new CancelOnDisconnect(parts.door, parts.owner)
    this.operations = new Map(
      parts.operations.flatMap((each) => (each.ws === null ? [] : [[each.ws, each]])),
    )
    this.reader = new MessageReader(this.operations, parts.limits.messageBytes)
  }

  readOf(incoming: Incoming): Read {
    return this.reader.readOf(incoming)
  }

  laneOf(incoming: Incoming): LaneName {
    return this.reader.readOf(incoming).lane
  }

  actionsIn(incoming: Incoming): number {
    const { request } = this.reader.readOf(incoming)
    return request === null ? 1 : actionsIn(request.operation, () => request.body)
  }

  /** Starts a message, and notifies the ticket when it is done. */
  begin(connection: Connection, incoming: Incoming, ticket: Ticket): void {
    const { problem, message, request } = this.reader.readOf(incoming)
    if (request !== null) return void this.run(connection, request, ticket, incoming)
    if (problem !== null) this.refuse(connection, problem)
    else if (message!.method === undefined) this.failedTrading(connection, message!)
    else if (isSignedRead(message!)) {
      const begun = this.afterReading(connection, () =>
        this.authenticateSigned(connection, message!),
      )
      return void begun.finally(() => ticket.done())
    } else if (isResumption(message!)) {
      const begun = this.afterReading(connection, () => this.resume(connection, message!))
      return void begun.finally(() => ticket.done())
    } else if (connection.reading !== null && message!.method !== 'cancel_on_disconnect') {
      const begun = this.afterReading(connection, () => this.method(connection, message!))
      return void begun.finally(() => ticket.done())
    } else if (message!.method === 'cancel_on_disconnect') {
      if (this.allowMessage(connection, message))
        return void this.arm(connection, message!).finally(() => ticket.done())
    } else this.method(connection, message!)
    ticket.done()
  }

  /** Runs messages that follow a signed read or a resumption after it is done, in order. */
  private afterReading(connection: Connection, work: () => Promise<void> | void): Promise<void> {
    const before = connection.reading ?? Promise.resolve()
    const done = before.then(work)
    const reading = done.then(() => {
      if (connection.reading === reading) connection.reading = null
    })
    connection.reading = reading
    return done
  }

  /** Replies that too many requests are queued; the message has no effect. */
  overloaded(connection: Connection, incoming: Incoming): void {
    const error = apiError('NOT_READY', 'too many requests wait; come again later')
    this.refuseUnread(connection, incoming, error)
  }

  /** Replies with an error; the message has no effect. */
  refuseUnread(connection: Connection, incoming: Incoming, error: ApiError): void {
    const { problem, message, request } = this.reader.readOf(incoming)
    if (problem !== null) return this.refuse(connection, problem)
    if (request === null) return connection.send(errorFrame(error, null, message!.id))
    const { id, type, operation } = request
    const t = this.parts.door.exchange.view.atMs
    deliver(connection, incoming, error.status, refusal({ id, type, t, rl: null }, error))
    this.parts.meter.took(`ws_${operation.name}`, error.status, 0)
  }

  private refuse(connection: Connection, explanation: string): void {
    if (!this.allowMessage(connection, null)) return
    connection.send(errorFrame(apiError('MALFORMED_REQUEST', explanation), null, null))
  }

  private allowMessage(connection: Connection, message: Message | null): boolean {
    if (connection.allowMessage()) return true
    this.parts.intake.hold(connection.line, this.parts.limits.restMs)
    const error = apiError('RATE_LIMITED', 'too many messages; slow down')
    connection.send(errorFrame(error, message?.params ?? null, message?.id ?? null))
    return false
  }

  private method(connection: Connection, received: Message): void {
    const { id, method } = received
    // An error reply contains the message, without secrets.
    const message = method === 'authenticate' ? { ...received, params: null } : received
    if (!this.allowMessage(connection, message)) return
    try {
      switch (method) {
        case 'ping':
          return connection.send({ channel: 'pong', ...(id === null ? {} : { id }) })
        case 'subscribe':
          return this.subscriptions.subscribe(this.callOf(connection, message))
        case 'unsubscribe':
          return this.subscriptions.unsubscribe(this.callOf(connection, message))
        case 'authenticate':
          return this.authenticate(connection, id, paramsOf(received))
        default:
          throw apiError(
            'MALFORMED_REQUEST',
            'method must be subscribe, unsubscribe, ping, authenticate or cancel_on_disconnect',
          )
      }
    } catch (error) {
      this.failed(connection, message, error)
    }
  }

  private failed(connection: Connection, { params = null, id }: Message, error: unknown): void {
    connection.send(errorFrame(asApiError(error, this.parts.log), params, id))
  }

  /** Handles the API key of a client that cannot send it in a header. A connection has at most one
   *  key, because the rights of a key must not remain when another one is used. */
  private authenticate(connection: Connection, id: RequestId | null, { api_key }: Params): void {
    if (typeof api_key !== 'string' || api_key === '')
      throw apiError(
        'MALFORMED_REQUEST',
        'params must have api_key, or account, timestamp and signature of a signed read',
      )
    const { ip, key, signedReader } = connection.visitor
    const visitor = this.parts.door.visitor(ip, api_key)
    if (key !== null && key.prefix !== visitor.key?.prefix)
      throw apiError(
        'MALFORMED_REQUEST',
        'this connection is already authenticated with a different API key; use a separate ' +
          'connection for each key',
      )
    connection.visitor = signedReader === undefined ? visitor : { ...visitor, signedReader }
    this.authenticated(connection, id, visitor.keyAccount)
  }

  /** Handles a signed read. Later messages wait until it has been verified. */
  private async authenticateSigned(connection: Connection, message: Message): Promise<void> {
    const { id } = message
    if (!this.allowMessage(connection, { ...message, params: null })) return
    const { ip, signedReader: before } = connection.visitor
    try {
      const { signedReads } = this.parts.door
      const signedReader = await signedReads.verified(message.params as Params, ip)
      if (before !== undefined && before.account !== signedReader.account)
        throw apiError('MALFORMED_REQUEST', 'this connection reads as another account')
      connection.visitor = { ...connection.visitor, signedReader }
      this.authenticated(connection, id, signedReader.account)
    } catch (error) {
      this.failed(connection, { ...message, params: null }, error)
    }
  }

  private authenticated(connection: Connection, id: RequestId | null, account: string | null) {
    const data = { account }
    connection.send({ channel: 'authenticate', ...(id === null ? {} : { id }), data })
  }

  /** Resumes a subscription. Events that are no longer in memory are read from history first. */
  private async resume(connection: Connection, message: Message): Promise<void> {
    if (!this.allowMessage(connection, message)) return
    try {
      await this.subscriptions.resume(this.callOf(connection, message))
    } catch (error) {
      this.failed(connection, message, error)
    }
  }

  private async arm(connection: Connection, message: Message): Promise<void> {
    const { id } = message
    const turn = turnOf(connection, connection.line.active === 1)
    try {
      const data = await this.armed(connection, message, turn)
      const channel = 'cancel_on_disconnect'
      connection.send({ channel, ...(id === null ? {} : { id }), data })
    } catch (error) {
      this.failed(connection, message, error)
    }
    turn.handedOver()
  }

  /** Arms or disarms the connection. Arming costs as much as another command, even if its
   *  signature is invalid; disarming is free. */
  private async armed(connection: Connection, message: Message, turn: Turn) {
    if (message.params == null) {
      await turn.before
      return this.cancels.disarm(connection)
    }
    const params = paramsOf(message)
    const { refusal } = this.parts.door.charge(connection.visitor, {
      operation: arming,
      read: () => params,
    })
    if (refusal !== null) throw refusal
    return this.cancels.arm(connection, params, this.callerOf(connection), turn)
  }

  /** Reports an error of a trading request: as its reply if it has an id, otherwise as an error
   *  frame. */
  private failedTrading(connection: Connection, message: Message): void {
    if (!this.allowMessage(connection, message)) return
    const { id, params = null } = message
    const isOne = id !== null && isObject(params) && Object.keys(params).length === 1
    const explanation = isOne
      ? `params must name one of ${[...this.operations.keys()].join(', ')}`
      : 'a request needs an id and one operation in params; others need a method'
    const error = apiError('MALFORMED_REQUEST', explanation)
    if (id === null) return connection.send(errorFrame(error, params, null))
    const type = isObject(params) ? (Object.keys(params)[0] ?? 'none') : 'none'
    const t = this.parts.door.exchange.view.atMs
    connection.send(refusal({ id, type: type.slice(0, idLengthMax), t, rl: null }, error))
  }

  private async run(
    connection: Connection,
    request: Request,
    ticket: Ticket,
    incoming: Incoming,
  ): Promise<void> {
    const { id, type, operation, body } = request
    const { door, meter, log } = this.parts
    const started = performance.now()
    connection.usedBy((body as Readonly<{ account?: unknown }> | null)?.account)
    const unread = { operation, read: () => body }
    const { left: rl, refusal: limited, bill } = door.charge(connection.visitor, unread)
    const turn = turnOf(connection, connection.line.active === 1)
    let status = 200
    const replied = () => ({ id, type, t: door.exchange.view.atMs, rl })
    try {
      if (limited !== null) throw limited
      const { skewMs = 0 } = incoming
      const caller = { ...this.callerOf(connection), bill, skewMs }
      const answer = await door.run(operation, body, caller, turn)
      const { exchange } = door
      const parts = { exchange, body: body as never, answer: answer as never }
      const frame = reply(replied(), dataOf[type as WsName](parts as never))
      deliver(connection, incoming, status, frame)
    } catch (error) {
      const known = asApiError(error, log)
      status = known.status
      deliver(connection, incoming, status, refusal(replied(), known))
    }
    turn.handedOver()
    ticket.worked(isRefusal(status))
    ticket.done()
    meter.took(`ws_${operation.name}`, status, performance.now() - started)
  }

  private callOf(connection: Connection, message: Message): SubscribeCall {
    const caller = this.callerOf(connection)
    return { connection, id: message.id, params: paramsOf(message), caller }
  }

  private callerOf({ visitor }: Connection): Caller {
    this.count += 1
    return {
      requestId: `ws-${this.count.toString(36)}`,
      ip: visitor.ip,
      keyAccount: visitor.keyAccount,
      signedAccount: visitor.actor ?? visitor.signedReader?.account ?? null,
      actor: visitor.actor ?? null,
    }
  }
}

/** Sends a reply, or passes it on to the lab. */
function deliver(connection: Connection, { answered }: Incoming, status: number, frame: unknown) {
  if (answered === undefined) connection.send(frame)
  else answered(status, frame)
}

function isSignedRead({ method, params }: Message): boolean {
  return method === 'authenticate' && isObject(params) && params.signature !== undefined
}

function isResumption({ method, params }: Message): boolean {
  return method === 'subscribe' && isObject(params) && (params.resume_from ?? params.since) != null
}

function paramsOf({ params }: Message): Params {
  if (isObject(params)) return params
  throw apiError('MALFORMED_REQUEST', 'params must be an object')
}
