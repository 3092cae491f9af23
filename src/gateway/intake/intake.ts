// Decides which request starts next. All requests of all transports pass through here, so that the
// exchange never does more at a time than it can, and refusing is cheap: a connection with waiting
// requests is not read, which slows down its client. Requests of a connection stay in order.
// Scheduling is round-robin between addresses, and within an address between connections. Some
// places are reserved for cancels. Decision 19 has the reasons.

import { Lane } from './lane.ts'
import { type LaneName, Line, type LineOptions, type Ticket, type Transport } from './line.ts'
import { Round } from './round.ts'

export const intakeLimits = {
  /** Maximum time per turn of the event loop in which requests start. Then other work runs. */
  turnMs: 16,
  /** Requests that would wait longer are refused immediately. */
  waitMs: 2_000,
  /** Number of connections that are resumed per turn, and after a turn with too much input. Each
   *  connection may deliver a full buffer of requests. */
  readsATurn: 128,
  readsAfterRush: 4,
  /** A connection that delivers this many requests in one read counts as flooding. */
  rushRequests: 8,
  /** Time for which a refused connection is paused. */
  restMs: 250,
  /** Number of refusals by the exchange, such as for credits, that a connection may cause before
   *  it is paused; and the number that is forgiven per second. */
  refusals: 100,
  refusalsPerSecond: 20,
  /** Maximum number of waiting requests, per connection, per address and in total. A connection is
   *  not read while some of its requests wait, and one chunk of 64 KiB has fewer requests than
   *  this. */
  waitingOfLine: 4_096,
  waitingOfIp: 32_768,
  waitingMax: 65_536,
  /** While an address has more waiting requests than this, its connections are not resumed. */
  waitingToRead: 2_048,
  /** Number of requests that may wait regardless of the other limits. */
  waitingMin: 16,
} as const

const lanes = {
  cancel: { min: 128, max: 1_024 },
  order: { min: 192, max: 2_048 },
  read: { min: 64, max: 512 },
} as const
const anyone = () => true
/** The order in which kinds of connections are read. Connections that send one request at a time
 *  come first. */
const manners = ['modest', 'unknown', 'eager'] as const
const laneNames = ['cancel', 'order', 'read'] as const

export type Load = Readonly<{ underWay: number; waiting: number }>

export class Intake {
  private readonly lanes: Readonly<Record<LaneName, Lane<Line>>> = {
    cancel: new Lane(lanes.cancel),
    order: new Lane(lanes.order),
    read: new Lane(lanes.read),
  }
  private readonly waitingBy = new Map<string, number>()
  private waitingCount = 0
  /** Time at which this turn of the event loop started to run requests; `null` if it has not. */
  private turnAt: number | null = null
  private busyAt = Number.NEGATIVE_INFINITY
  /** Connections without waiting requests, in the order in which they will be resumed. */
  private readonly toRead = {
    modest: new Round<Line>(),
    unknown: new Round<Line>(),
    eager: new Round<Line>(),
  }
  private readonly open = new Set<Line>()
  /** Connections that were resumed in this turn. `rush` does not pause them, otherwise the busiest
   *  connection would always be first. */
  private readonly granted = new Set<Line>()
  private reads: number = intakeLimits.readsATurn
  private isRush = false
  private readonly mayRead = (ipKey: string) =>
    (this.waitingBy.get(ipKey) ?? 0) < intakeLimits.waitingToRead

  line<Request>(options: LineOptions, transport: Transport<Request>): Line<Request> {
    const line = new Line(options, transport, intakeLimits.refusals)
    this.open.add(line)
    return line
  }

  /** Number of requests in progress, and of waiting ones. */
  get load(): Load {
    const underWay = laneNames.reduce((sum, name) => sum + this.lanes[name].underWay, 0)
    return { underWay, waiting: this.waitingCount }
  }

  /** Called when a request was received. */
  take<Request>(line: Line<Request>, request: Request): void {
    line.taken += 1
    line.inTurn += 1
    if (line.waiting.length === 0 && line.mayBegin && !this.isTurnOver()) {
      const lane = this.lanes[line.transport.laneOf(request)]
      if (!lane.isWaitedFor && lane.hasPlace(line.ipKey)) return this.begin(line, request, lane)
    }
    this.busyAt = performance.now()
    if (this.isTooMuch(line)) return line.transport.overflow()
    if (this.isTooLong(line, line.transport.laneOf(request))) {
      line.transport.refuse(request)
      return this.hold(line, intakeLimits.restMs)
    }
    line.pause()
    if (line.inTurn > intakeLimits.rushRequests && this.isTurnOver()) this.rush()
    line.waiting.push(request)
    this.count(line, 1)
    this.place(line)
    this.nextTurn()
  }

  /** Called when a connection is closed. Waiting requests are still executed, unless its address
   *  has many of them; then they are dropped. */
  leave(line: Line): void {
    this.open.delete(line)
    this.granted.delete(line)
    const { waitingOfIp } = intakeLimits
    if ((this.waitingBy.get(line.ipKey) ?? 0) < waitingOfIp / 4) return
    this.count(line, -line.waiting.length)
    line.waiting.length = 0
    line.notifyIfIdle()
  }

  /** Pauses all other connections until the next turn, because one connection floods and has used
   *  up this turn. Data that was already read is parsed before this runs. */
  private rush(): void {
    if (this.isRush) return
    this.isRush = true
    for (const line of this.open) {
      if (this.granted.has(line)) continue
      line.pause()
      this.queueReading(line)
    }
  }

  private isTooMuch({ ipKey, waiting }: Line): boolean {
    const { waitingOfLine, waitingOfIp, waitingMax, waitingMin } = intakeLimits
    if (waiting.length < waitingMin) return false
    const ofIp = this.waitingBy.get(ipKey) ?? 0
    return waiting.length >= waitingOfLine || ofIp >= waitingOfIp || this.waitingCount >= waitingMax
  }

  /** Whether the request would wait too long. Cancels are never refused for this, nor are requests
   *  that a client pipelines behind its own. */
  private isTooLong({ ipKey, waiting }: Line, lane: LaneName): boolean {
    if (lane === 'cancel' || waiting.length > 0) return false
    return this.lanes[lane].waitMs(ipKey) > intakeLimits.waitMs
  }

  private count({ ipKey }: Line, more: number): void {
    const now = (this.waitingBy.get(ipKey) ?? 0) + more
    if (now === 0) this.waitingBy.delete(ipKey)
    else this.waitingBy.set(ipKey, now)
    this.waitingCount += more
  }

  /** Queues the connection once, in the lane of its next request. */
  private place(line: Line): void {
    if (line.lane !== null || line.waiting.length === 0 || !line.mayBegin) return
    line.lane = this.lanes[line.transport.laneOf(line.waiting[0])]
    line.lane.add(line)
  }

  private begin<Request>(line: Line<Request>, request: Request, lane: Lane<Line>): void {
    const { ipKey } = line
    let isUnderWay = true
    let isActive = true
    const actions = line.transport.actionsIn?.(request) ?? 1
    lane.begin(ipKey, actions)
    line.active += 1
    const ticket: Ticket = {
      worked: (refused = false) => {
        if (!isUnderWay) return
        isUnderWay = false
        lane.end(ipKey, performance.now(), actions)
        if (refused) this.refused(line)
        if (lane.isWaitedFor) this.nextTurn()
      },
      done: () => {
        ticket.worked()
        if (!isActive) return
        isActive = false
        line.active -= 1
        if (!line.isPaused) {
          this.setManner(line)
          line.inTurn = line.active
        }
        this.place(line)
        if (line.lane !== null) this.nextTurn()
        line.notifyIfIdle()
      },
    }
    this.nextTurn()
    line.transport.begin(request, ticket)
  }

  private isTurnOver(): boolean {
    if (this.turnAt === null) return false
    return performance.now() - this.turnAt > intakeLimits.turnMs
  }

  private nextTurn(): void {
    if (this.turnAt !== null) return
    this.turnAt = performance.now()
    setImmediate(() => {
      this.turnAt = null
      this.serve()
    })
  }

  private readAgain(): void {
    const { readsATurn, readsAfterRush } = intakeLimits
    this.reads = this.isRush ? readsAfterRush : Math.min(readsATurn, this.reads * 2)
    this.isRush = false
    this.granted.clear()
    for (const manner of manners)
      for (let count = 0; count < this.reads; count++) {
        const line = this.toRead[manner].next(manner === 'eager' ? this.mayRead : anyone)
        if (line === undefined) break
        this.readLine(line)
      }
    if (manners.some((manner) => this.toRead[manner].addresses > 0)) this.nextTurn()
  }

  private readLine(line: Line): void {
    line.waitsToBeRead = false
    line.inTurn = 0
    this.granted.add(line)
    if (line.waiting.length === 0 && !line.isHeld) line.resume()
  }

  private queueReading(line: Line): void {
    if (line.waitsToBeRead || !line.isPaused || line.isHeld || line.waiting.length > 0) return
    line.waitsToBeRead = true
    this.setManner(line)
    this.toRead[line.manner].add(line)
    this.nextTurn()
  }

  /** Classifies the connection by the requests since it was last resumed. A connection without
   *  requests keeps its class. */
  private setManner(line: Line): void {
    if (line.inTurn === 0) return
    line.manner = line.inTurn > intakeLimits.rushRequests ? 'eager' : 'modest'
  }

  /** Starts requests of each lane in turn, until none can start or the turn is over. */
  private serve(): void {
    this.readAgain()
    for (let began = true; began; ) {
      began = false
      for (const name of laneNames) {
        const line = this.lanes[name].next()
        if (line === undefined) continue
        this.serveLine(line)
        began = true
      }
      if (began && this.isTurnOver()) return
    }
  }

  private serveLine(line: Line): void {
    const lane = line.lane!
    line.lane = null
    const { waiting } = line
    // The connection may have been closed or paused meanwhile.
    if (waiting.length > 0 && line.mayBegin) {
      const request = waiting.shift()
      this.count(line, -1)
      this.begin(line, request, lane)
      this.place(line)
    }
    this.queueReading(line)
  }

  /** Called when the exchange refused a request. While other requests wait, a connection with too
   *  many refusals is paused. */
  private refused(line: Line): void {
    const { refusals, refusalsPerSecond } = intakeLimits
    const now = performance.now()
    const back = ((now - line.refusedAt) / 1_000) * refusalsPerSecond
    line.refusalsLeft = Math.min(refusals, line.refusalsLeft + back) - 1
    line.refusedAt = now
    if (line.refusalsLeft >= 0 || now - this.busyAt > 1_000) return
    line.refusalsLeft = 0
    this.hold(line, 1_000 / refusalsPerSecond)
  }

  /** Stops reading the connection and starting its requests for a while. */
  hold(line: Line, ms: number): void {
    if (line.isHeld) return
    line.isHeld = true
    line.pause()
    setTimeout(() => {
      line.isHeld = false
      this.place(line)
      if (line.lane !== null) this.nextTurn()
      this.queueReading(line)
    }, ms).unref()
  }
}
