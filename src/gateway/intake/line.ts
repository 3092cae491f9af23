// The requests of one connection, in the order in which they were sent.

import type { Operation } from '../operation.ts'
import { isCancel } from '../operations/cancels.ts'
import type { Lane } from './lane.ts'

export type LaneName = 'cancel' | 'order' | 'read'

/** `read` returns the body, which decides the lane of a batch. */
export function laneOf(operation: Operation, read: () => unknown): LaneName {
  if (isCancel(operation, read)) return 'cancel'
  return operation.http.startsWith('GET') ? 'read' : 'order'
}

/** What a transport does with its requests. */
export type Transport<Request> = Readonly<{
  laneOf(request: Request): LaneName
  /** Number of requests that it counts as (default: one). */
  actionsIn?(request: Request): number
  /** Begins the request; notifies the ticket when it is done. */
  begin(request: Request, ticket: Ticket): void
  /** Answers that too much is waiting. */
  refuse(request: Request): void
  /** Stops reading what the client sends. */
  pause(): void
  resume(): void
  /** Received bytes exceed the maximum for a client. */
  overflow(): void
}>

/** A request in progress. Both may be called more than once. */
export type Ticket = Readonly<{
  /** The exchange has finished with it. `refused`: it had no effect. */
  worked(refused?: boolean): void
  /** The next request of the connection may begin. */
  done(): void
}>

/** Sends one request at a time, or many. */
export type Manner = 'unknown' | 'modest' | 'eager'

export type LineOptions = Readonly<{
  ipKey: string
  /** Maximum requests of the connection in progress. */
  activeMax: number
}>

// biome-ignore lint/suspicious/noExplicitAny: each line knows its own kind of request.
export class Line<Request = any> {
  /** May change between two requests, because a proxy forwards for many. */
  ipKey: string
  readonly activeMax: number
  readonly transport: Transport<Request>
  readonly waiting: Request[] = []
  active = 0
  /** Where it waits for its turn. */
  lane: Lane<Line> | null = null
  isHeld = false
  isPaused = false
  /** Requests received since reading was last resumed; for a connection that is never paused, since
   *  the last reply. */
  inTurn = 0
  /** Number of requests received so far. */
  taken = 0
  /** Its behaviour when it was last read; unknown until then. */
  manner: Manner = 'unknown'
  waitsToBeRead = false
  /** Number of further refusals until a pause. */
  refusalsLeft: number
  refusedAt = 0
  private idle: (() => void)[] = []

  constructor({ ipKey, activeMax }: LineOptions, transport: Transport<Request>, refusals: number) {
    this.ipKey = ipKey
    this.activeMax = activeMax
    this.transport = transport
    this.refusalsLeft = refusals
  }

  /** Another connection waits for it to finish. */
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

  /** Resolves when everything received is done. */
  settled(): Promise<void> {
    if (this.active + this.waiting.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.idle.push(resolve))
  }

  notifyIfIdle(): void {
    if (this.active + this.waiting.length > 0) return
    for (const resolve of this.idle.splice(0)) resolve()
  }
}
