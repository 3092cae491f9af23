// The websocket server, on the port of the HTTP server. Accepts and closes connections, and decides
// when frames are written.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type EventOf, kindAt, kindOfEvent, nextAfter } from '../../core/index.ts'
import type { FeedContext } from '../../feeds/feed-context.ts'
import { Feeds } from '../../feeds/feeds.ts'
import { wsPath } from '../../protocol/routes.ts'
import type { Batch } from '../../sequencer/outcome.ts'
import { actorIn } from '../access/acting.ts'
import type { Origins } from '../access/origins.ts'
import type { SandboxAccess } from '../access/sandbox-access.ts'
import { type ApiError, apiError } from '../api-error.ts'
import { asApiError, sayLast } from '../failures.ts'
import type { Visitor } from '../intake/door.ts'
import type { Line } from '../intake/line.ts'
import { clientAddress, type TrustedProxies } from '../limits/client-address.ts'
import { limitKeyOf } from '../limits/ip-address.ts'
import type { Cut, Unsent } from '../open-connections.ts'
import { WebSocket, WebSocketServer } from '../packages.ts'
import { Connection } from './connection.ts'
import type { Incoming } from './incoming.ts'
import { LabConnection, socketRefusal } from './lab-connection.ts'
import { closings, type WsLimits, wsLimits } from './limits.ts'
import { Requests, type RequestsParts } from './requests.ts'

const sweepMs = 1_000
const KEY_REVOKED = kindOfEvent('ApiKeyRevoked')
const AGENT_REVOKED = kindOfEvent('AgentRevoked')
const AGENT_UNBOUND = kindOfEvent('AgentUnbound')
const CONNECTION_ENDED = kindOfEvent('ConnectionEnded')

export type WsOptions = Omit<RequestsParts, 'feeds' | 'limits'> &
  Readonly<{
    context: FeedContext
    trusted: TrustedProxies
    /** Pages that may connect. */
    origins: Origins
    sandbox: SandboxAccess
    /** Accepted headers for an API key, in lower case. */
    keyHeaders: readonly string[]
    limits?: Partial<WsLimits>
    /** Whether readers may come from other processes, and resume subscriptions that started
     *  there. */
    keepsAll?: boolean
  }>

/** The library closes connections with a code only. These texts are added for clients. */
const libraryClosings = [closings.protocol, closings.text, closings.pieces, closings.tooLarge]

class ExplainedSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    const known = libraryClosings.find((each) => each.code === code)
    super.close(code, reason ?? known?.reason)
  }
}

export class WsServer {
  private readonly options: WsOptions
  private readonly limits: WsLimits
  private readonly feeds: Feeds
  private readonly requests: Requests
  private readonly server: WebSocketServer
  private readonly connections = new Map<string, Connection>()
  private readonly perIp = new Map<string, number>()
  /** Connections that have frames to write. */
  private touched: Connection[] = []
  private writing = false
  private readonly sweeper: NodeJS.Timeout
  private readonly ending = new Set<Promise<void>>()
  private closing = false

  constructor(options: WsOptions) {
    this.options = options
    this.limits = { ...wsLimits, ...options.limits }
    this.feeds = new Feeds({
      context: options.context,
      keepsAll: options.keepsAll === true,
      onPushed: () => this.write(),
      onReverted: ({ id, seq, atMs }) => {
        const frame = { channel: 'reverted', data: { id, t: atMs }, li: seq }
        for (const connection of this.connections.values()) connection.send(frame)
        this.finish(this.requests.cancels.reverted(this.connections.values()))
      },
    })
    this.requests = new Requests({ ...options, feeds: this.feeds, limits: this.limits })
    this.server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.limits.frameBytes,
      maxFragments: this.limits.fragments,
      maxBufferedChunks: this.limits.chunks,
      // The connection sends pongs itself, within its limits.
      autoPong: false,
      WebSocket: ExplainedSocket,
    })
    this.sweeper = setInterval(() => this.sweep(), sweepMs).unref()
  }

  /** Cuts connections, of one account or of all. What they may resume is kept. */
  drop({ kind, account }: Cut): number {
    const open = kind === 'ws' ? [...this.connections.values()] : []
    const cut = open.filter((each) => account === null || each.isOf(account))
    for (const connection of cut) connection.cut()
    return cut.length
  }

  /** Sends all frames. */
  send(): Unsent {
    this.feeds.sendAll()
    const connections = [...this.connections.values()]
    return {
      requests: connections.reduce((total, { underWay }) => total + underWay, 0),
      connections: connections.filter(({ buffered }) => buffered > 0).length,
    }
  }

  /** Must be called before the first batch is fed. */
  async load(): Promise<void> {
    await this.feeds.load()
  }

  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy())
      try {
        this.upgrade(request, socket, head)
      } catch (error) {
        refuse(socket, asApiError(error, this.options.log))
      }
    })
  }

  /** Processes a durable batch. */
  feed(batch: Batch): void {
    this.feeds.feed(batch)
    for (const { log, first, end } of batch.outcomes)
      for (let at = first; at < end; at = nextAfter(log.rows, at)) {
        const kind = kindAt(log.rows, at)
        if (kind === KEY_REVOKED) this.keyRevoked((log.read(at) as EventOf<'ApiKeyRevoked'>).prefix)
        if (kind === AGENT_REVOKED || kind === AGENT_UNBOUND)
          this.agentLeft((log.read(at) as EventOf<'AgentRevoked'>).agent)
        if (kind === CONNECTION_ENDED)
          this.endedElsewhere((log.read(at) as EventOf<'ConnectionEnded'>).connection)
      }
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { door, trusted, origins } = this.options
    const { headers } = request
    origins.requirePage(headers)
    if (request.url?.split('?')[0] !== wsPath)
      throw apiError('NOT_FOUND', `the websocket is at ${wsPath} (path not found)`)
    if (this.closing) throw apiError('NOT_READY', 'the exchange is shutting down')
    const { remoteAddress: socketAddress } = request.socket
    const forwardedFor = headers['x-forwarded-for']
    const ip = clientAddress({ socketAddress, forwardedFor }, trusted)
    const actor = actorIn({ headers, socketAddress }, this.options)
    const visitor = { ...door.visitor(ip, this.keyIn(request)), actor }
    const refusal = door.exchange.lab?.isActive ? socketRefusal(door.exchange.lab, visitor) : null
    if (refusal !== null) throw refusal
    const ipKey = limitKeyOf(ip)
    if ((this.perIp.get(ipKey) ?? 0) >= this.limits.connectionsPerIp)
      throw apiError('RATE_LIMITED', `${this.limits.connectionsPerIp} connections are open`, 10)
    if (this.connections.size >= this.limits.connectionsMax)
      throw apiError('NOT_READY', 'too many connections are open')
    this.server.handleUpgrade(request, socket, head, (ws) => this.opened(ws, socket, visitor))
  }

  private keyIn({ headers }: IncomingMessage): string | undefined {
    const name = this.options.keyHeaders.find((each) => headers[each] !== undefined)
    return name === undefined ? undefined : String(headers[name])
  }

  private opened(ws: WebSocket, socket: Duplex, visitor: Visitor): void {
    const { limits } = this
    const onFrames = (connection: Connection) => this.touch(connection)
    const { owner } = this.options
    const connection = new Connection({ ws, socket, visitor, limits, owner, onFrames })
    const ipKey = limitKeyOf(visitor.ip)
    this.connections.set(connection.id, connection)
    this.perIp.set(ipKey, (this.perIp.get(ipKey) ?? 0) + 1)
    connection.line = this.lineOf(connection, ws)
    const { lab } = this.options.door.exchange
    if (lab !== null) connection.lab = new LabConnection(lab, connection)
    const { intake } = this.options
    const received = () => {
      connection.receivedAt = performance.now()
    }
    const controlled = (ping: Buffer | null) => {
      received()
      if (!connection.isOpen || connection.controlled(ping)) return
      intake.hold(connection.line, limits.restMs)
    }
    ws.on('ping', controlled)
    ws.on('pong', () => controlled(null))
    ws.on('message', (bytes: Buffer, isBinary: boolean) => {
      received()
      if (connection.isOpen) this.received(connection, { bytes, isBinary, read: null })
      else connection.receivedAfterClose()
    })
    // The close frame reports errors of frames. 'close' is always emitted afterwards.
    ws.on('error', () => {})
    ws.on('close', () => this.ended(connection, ipKey))
  }

  private received(connection: Connection, incoming: Incoming): void {
    const { requests } = this
    const take = (each: Incoming) => this.options.intake.take(connection.line, each)
    const { lab } = connection
    if (lab?.isActive !== true) return take(incoming)
    requests.readOf(incoming)
    lab.receive(incoming, take, (each, error) => requests.refuseUnread(connection, each, error))
  }

  /** The line of a connection. An internal error closes only this connection. */
  private lineOf(connection: Connection, ws: WebSocket): Line<Incoming> {
    const { intake, log } = this.options
    const { requests, limits } = this
    const failed = (error: unknown) => {
      log.error({ err: error }, 'a websocket message failed')
      connection.close(closings.defect)
    }
    const options = { ipKey: limitKeyOf(connection.visitor.ip), activeMax: limits.inFlight }
    return intake.line(options, {
      laneOf: (incoming) => requests.laneOf(incoming),
      actionsIn: (incoming) => requests.actionsIn(incoming),
      begin(incoming, ticket) {
        try {
          requests.begin(connection, incoming, ticket)
        } catch (error) {
          failed(error)
          ticket.done()
        }
      },
      refuse: (incoming) => requests.overloaded(connection, incoming),
      pause: () => ws.pause(),
      resume: () => connection.readOn(),
      overflow: () => connection.close(closings.behind),
    })
  }

  private ended(connection: Connection, ipKey: string): void {
    connection.gone()
    this.options.intake.leave(connection.line)
    this.connections.delete(connection.id)
    const left = (this.perIp.get(ipKey) ?? 1) - 1
    if (left === 0) this.perIp.delete(ipKey)
    else this.perIp.set(ipKey, left)
    for (const subscription of connection.subscriptions.values())
      this.feeds.unsubscribe(subscription)
    connection.subscriptions.clear()
    this.finish(this.requests.cancels.ended(connection))
  }

  /** Waits for pending cancels before the exchange closes. Connections whose orders could not be
   *  cancelled stay armed, and the next start cancels them. */
  private finish(cancelling: Promise<void>): void {
    const done = cancelling.catch((error: unknown) => {
      this.options.log.error({ err: error }, 'orders of a lost connection could not be cancelled')
    })
    this.ending.add(done)
    void done.then(() => this.ending.delete(done))
  }

  private touch(connection: Connection): void {
    this.touched.push(connection)
    if (this.writing) return
    this.writing = true
    // Replies of the same turn are written together. Feeds write at the end of their batch.
    process.nextTick(() => this.write())
  }

  private write(): void {
    this.writing = false
    while (this.touched.length > 0) {
      const { touched } = this
      this.touched = []
      for (const connection of touched) connection.write()
    }
  }

  private sweep(): void {
    const now = performance.now()
    const { idleMs, ageMs } = this.limits
    for (const connection of this.connections.values()) {
      if (now - connection.openedAt >= ageMs) connection.close(closings.age)
      else if (now - connection.receivedAt >= idleMs) connection.close(closings.idle)
    }
  }

  private keyRevoked(prefix: string | null): void {
    for (const connection of this.connections.values())
      if (connection.visitor.key?.prefix === prefix) connection.close(closings.keyRevoked)
  }

  /** Called when an agent is unbound. Closes connections that used it to read as the account. */
  private agentLeft(agent: string | null): void {
    const { accounts } = this.options.door.exchange.view
    for (const connection of this.connections.values()) {
      const { signedReader } = connection.visitor
      if (agent === null || signedReader?.agent !== agent) continue
      const account = accounts.idOf(signedReader.account)
      if (!accounts.isAgentOf(account, agent)) connection.close(closings.agentRevoked)
    }
  }

  /** Called when the leader ended a connection because it considered this process lost. Clients
   *  that rely on arming must be notified. */
  private endedElsewhere(id: string | null): void {
    this.connections.get(id ?? '')?.close(closings.ended)
  }

  /** Notifies all clients, and waits until the orders of armed connections are cancelled. */
  async close(): Promise<void> {
    this.closing = true
    clearInterval(this.sweeper)
    for (const connection of this.connections.values()) connection.close(closings.goingAway)
    const deadline = performance.now() + this.limits.closeMs + sweepMs
    while (this.connections.size > 0 && performance.now() < deadline)
      await new Promise((done) => setTimeout(done, 10))
    await Promise.all(this.ending)
    this.feeds.close()
  }
}

/** Refuses a connection with an HTTP reply, because there is no websocket yet. */
function refuse(socket: Duplex, { status, message, code, retryAfterSeconds }: ApiError): void {
  const body = JSON.stringify({ success: false, data: null, error: message, code })
  const wait = retryAfterSeconds === null ? '' : `retry-after: ${retryAfterSeconds}\r\n`
  sayLast(
    socket,
    `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `${wait}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
