// The requests of one connection, in the order in which they were sent.

import type { Operation } from '../operation.ts'
import { isCancel } from '../operations/cancels.ts'
import type { Lane } from './lane.ts'

export type LaneName = 'cancel' | 'order' | 'read'

/** `read` returns the body, which determines the lane of a batch. */
export function laneOf(operation: Operation, read: () => unknown): LaneName {
  if (isCancel(operation, read)) return 'cancel'
  return operation.http.startsWith('GET') ? 'read' : 'order'
}

/** The functions by which a transport handles its requests. */
export type Transport<Request> = Readonly<{
  laneOf(request: Request): LaneName
  /** Number of requests that the request counts as (default: one). */
  actionsIn?(request: Request): number
  /** Starts the request. Must notify the ticket when the request is done. */
  begin(request: Request, ticket: Ticket): void
  /** Replies that too many requests are queued. */
  refuse(request: Request): void
  /** Stops reading from the client. */
  pause(): void
  resume(): void
  /** Called when a client sent more bytes than allowed. */
  overflow(): void
}>

/** A request in progress. Each method may be called more than once. */
export type Ticket = Readonly<{
  /** Called when the exchange has finished the request. `refused`: it had no effect. */
  worked(refused?: boolean): void
  /** Called when the next request of the connection may start. */
  done(): void
}>

/** `modest`: the client sends one request at a time. `eager`: it sends many. */
export type Manner = 'unknown' | 'modest' | 'eager'

export type LineOptions = Readonly<{
  ipKey: string
  /** Maximum number of requests in progress. */
  activeMax: number
}>

// biome-ignore lint/suspicious/noExplicitAny: each line knows its own kind of request.
export class Line<Request = any> {
  /** May change between requests, because a proxy forwards for many clients. */
  ipKey: string
  readonly activeMax: number
  readonly transport: Transport<Request>
  readonly waiting: Request[] = []
  active = 0
  /** The lane in which the connection waits; `null` if it does not wait. */
  lane: Lane<Line> | null = null
  isHeld = false
  isPaused = false
  /** Number of requests received since reading was last resumed; for a connection that is never
   *  paused, since the last reply. */
  inTurn = 0
  /** Total number of requests received. */
  taken = 0
  /** Its class when it was last read. */
  manner: Manner = 'unknown'
  waitsToBeRead = false
  /** Number of refusals left until the connection is paused. */
  refusalsLeft: number
  refusedAt = 0
  private idle: (() => void)[] = []

  constructor({ ipKey, activeMax }: LineOptions, transport: Transport<Request>, refusals: number) {
    this.ipKey = ipKey
    this.activeMax = activeMax
    this.transport = transport
    this.refusalsLeft = refusals
  }

  /** Whether the connection has unfinished requests or waits to be read. */
  get isWaitedFor(): boolean {
    return this.active + this.waiting.length > 0 || this.waitsToBeRead
  }

  get mayBegin(): boolean {
    return this.active < this.activeMax && !this.isHeld
  }

  pause(): void {
    if (this.isPaused) return
    this.isPaused = true
    this.transport.pause()
  }

  resume(): void {
    if (!this.isPaused) return
    this.isPaused = false
    this.transport.resume()
  }

  /** Resolves when all received requests are done. */
  settled(): Promise<void> {
    if (this.active + this.waiting.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.idle.push(resolve))
  }

  notifyIfIdle(): void {
    if (this.active + this.waiting.length > 0) return
    for (const resolve of this.idle.splice(0)) resolve()
  }
}
