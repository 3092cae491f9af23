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
  /** As how many it counts among those under way; absent: one. */
  actionsIn?(request: Request): number
  /** Begins it; notifies the ticket when it is done. */
  begin(request: Request, ticket: Ticket): void
  /** Too much waits: it is answered with that, and nothing else is done. */
  refuse(request: Request): void
  /** Stops reading what the client sends. */
  pause(): void
  resume(): void
  /** More was received than a client may send. */
  overflow(): void
}>

/** A request that is under way. Both may be called more than once. */
export type Ticket = Readonly<{
  /** The exchange has nothing more to do for it. `refused`: it did not do anything. */
  worked(refused?: boolean): void
  /** The next request of the connection may begin. */
  done(): void
}>

/** Asks one thing at a time, or sends as much as it can. */
export type Manner = 'unknown' | 'modest' | 'eager'

export type LineOptions = Readonly<{
  ipKey: string
  /** Requests of the connection that may be under way. */
  activeMax: number
}>

// biome-ignore lint/suspicious/noExplicitAny: each line knows its own kind of request.
export class Line<Request = any> {
  /** May change between two requests: a proxy forwards for many. */
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
  /** Requests that came so far. */
  taken = 0
  /** Its behaviour when it was last read; unknown until then. */
  manner: Manner = 'unknown'
  waitsToBeRead = false
  /** How many more refusals are answered without a rest in between. */
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

  /** Resolves when all that was read is done. */
  settled(): Promise<void> {
    if (this.active + this.waiting.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.idle.push(resolve))
  }

  notifyIfIdle(): void {
    if (this.active + this.waiting.length > 0) return
    for (const resolve of this.idle.splice(0)) resolve()
  }
}
