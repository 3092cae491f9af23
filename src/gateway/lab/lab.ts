// The lab of a sandbox: latencies and faults between the sockets and the door. Nothing of it
// reaches the core. Transports pass requests and frames through it while a plan is set.

import type { FaultPlan, FaultReport } from '../../protocol/schemas/lab/faults.ts'
import type { LatencyPlan, LatencyReport } from '../../protocol/schemas/lab/latency.ts'
import { type ApiError, apiError } from '../api-error.ts'
import type { ConnectionServer } from '../open-connections.ts'
import type { ClockReading } from '../sandbox.ts'
import { DelayReport } from './delay-report.ts'
import { Direction, type Sent } from './direction.ts'
import { type Answered, Faults, noFaults } from './faults.ts'
import { holding, type SentFrame, withFrameFate } from './frame-fate.ts'
import { GivenUp, givenUpOf, lineFull } from './given-up.ts'
import { LatencyLines, type Leg } from './latency-plan.ts'
import type { Traits } from './matching.ts'
import { bodyOf, type FatedRequest, withFate } from './request-fate.ts'
import type { Rule } from './rules.ts'
import { restarting, type VenueParts, VenueSchedule } from './venue-faults.ts'
import { type LabTime, WaitQueue } from './wait-queue.ts'

export type LabParts = LabTime &
  VenueParts &
  Readonly<{
    /** Address of a named account. An address is returned unchanged. */
    addressOf(name: string): string
  }>

/** A request on its way through the lab, and how its transport carries it out. */
export type Carried<Answer> = FatedRequest<Answer> &
  Readonly<{
    leg: Leg
    /** Called when the request waits, or would take longer than its own work. */
    held(): void
  }>

type DeliveredTo = Pick<FatedRequest<unknown>, 'traits' | 'isRead' | 'read'>

const heldMax = 10_000
/** Turns of the event loop without work, after which clients have reacted to what they got. */
const quietTurns = 4
const settleMsMax = 5_000

export class Lab implements ConnectionServer {
  private readonly parts: LabParts
  private readonly queue: WaitQueue
  private readonly report = new DelayReport()
  private lines: LatencyLines | null = null
  private faults: Faults | null = null
  private readonly venue: VenueSchedule
  private readonly silences = new Set<() => void>()
  private sinceMs = 0
  private linesSinceMs = 0
  private era = 0
  /** Requests that have passed the line and have no answer yet. */
  private running = 0
  private advancing: Promise<unknown> = Promise.resolve()

  constructor(parts: LabParts) {
    this.parts = parts
    this.queue = new WaitQueue(parts)
    this.venue = new VenueSchedule(parts, {
      nowMs: () => this.nowMs(),
      nowUs: () => this.queue.nowUs(),
      at: (dueUs, run) => this.at(dueUs, run),
      during: (work) => {
        this.running += 1
        void work.finally(() => {
          this.running -= 1
        })
      },
    })
    parts.connections.add(this)
  }

  /** Whether requests and frames must pass through the lab. */
  get isActive(): boolean {
    return this.lines !== null || this.faults !== null || this.queue.size > 0
  }

  setLatency(plan: LatencyPlan): LatencyReport {
    const lines = new LatencyLines(plan, this.parts.addressOf)
    this.lines = lines.count === 0 ? null : lines
    this.linesSinceMs = this.nowMs()
    this.report.clear()
    return this.latencyReport()
  }

  latencyReport(): LatencyReport {
    return {
      clock: this.parts.isManual ? 'engine' : 'machine',
      lines: this.lines?.count ?? 0,
      in_line: this.queue.size,
      callers: this.queue.callers,
      next_due_at: this.nextDueAt(),
      legs: this.report.rows(),
    }
  }

  /** The next engine time at which something is due; `null` if the lab does not wait for it. */
  nextDueAt(): number | null {
    const { nextUs } = this.queue
    return !this.parts.isManual || nextUs === null ? null : Math.ceil(nextUs / 1_000)
  }

  /** Carries out a request of a connection that has one request at a time. */
  async carry<Answer>(request: Carried<Answer>): Promise<Answer> {
    const { leg, traits, held, refuse, describe } = request
    held()
    const way = { traits, direction: null }
    try {
      const arrived = await this.passed({ ...way, leg, fromUs: this.queue.nowUs() }, false)
      const answer = await this.fated(request)
      const fromUs = this.parts.isManual ? arrived : this.queue.nowUs()
      await this.passed({ ...way, leg: 'reply', fromUs }, true)
      this.answered(request, describe(answer))
      return answer
    } catch (error) {
      if (error instanceof GivenUp) return refuse(error.reply)
      throw error
    }
  }

  /** Carries out a request that has arrived, with its fault if it has one. */
  fated<Answer>(request: FatedRequest<Answer>): Promise<Answer> {
    const { faults } = this
    if (this.venue.isDown) return Promise.resolve(request.refuse(restarting()))
    const perform = async (skewMs: number) => {
      this.running += 1
      try {
        return await request.perform(skewMs)
      } finally {
        this.running -= 1
      }
    }
    if (faults === null) return perform(0)
    const fated = withFate({ ...request, perform }, faults, this.nowMs() - this.sinceMs, {
      silence: (ms) => this.silence(ms),
      later: (ms) => this.later(ms),
    })
    return fated.catch((error: unknown) => {
      if (error instanceof GivenUp) return request.refuse(error.reply)
      throw error
    })
  }

  private later(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const dueUs = this.queue.nowUs() + ms * 1_000
      const givenUp = (why: 'stands' | 'reset') => reject(new GivenUp(givenUpOf(why, dueUs, true)))
      this.queue.add({ dueUs, run: resolve, givenUp })
    })
  }

  /** The answer of a request was delivered. */
  answered(request: DeliveredTo, answer: Answered): void {
    const { isRead, traits } = request
    this.faults?.answered({ ...traits, isRead }, bodyOf(request), answer)
  }

  /** The error of a new websocket that is refused; `null` to accept it. */
  socketRefusal(traits: Traits): ApiError | null {
    if (this.venue.isDown) return restarting()
    const fate =
      this.faults?.fateOf('stream', traits, this.nowMs() - this.sinceMs, isRefusal) ?? null
    if (fate === null) return null
    const entry = this.faults!.record(fate, traits, 'ws')
    entry.venue = 'not opened'
    entry.client = '503 NOT_READY'
    return apiError('NOT_READY', `fault ${fate.rule.id} of the plan`, 1)
  }

  /** Sends a frame of a channel, with its fault if it has one. `isMuted`: nothing is delivered. */
  sendFrame(frame: SentFrame, isMuted: boolean): void {
    const { faults } = this
    const pass = holding(frame, (sent, arrived) => this.pass(sent, arrived))
    if (faults !== null)
      withFrameFate(frame, faults, { ms: this.nowMs() - this.sinceMs, isMuted, pass })
    else if (!isMuted) pass(frame.sent, () => frame.write(frame.frame))
  }

  setFaults(plan: FaultPlan): FaultReport {
    const { addressOf, view } = this.parts
    const faults = new Faults(plan, addressOf, () => this.nowMs())
    for (const { at, spec } of faults.rules.all)
      if (spec.symbol != null && view().markets.named(spec.symbol) === undefined)
        throw apiError('MALFORMED_REQUEST', `rules[${at}].symbol ${spec.symbol} is not a market`)
    this.sinceMs = this.nowMs()
    // Without rules the report of the last plan stays.
    if (!faults.isOver) this.faults = faults
    else this.faults?.end()
    this.venue.begin(faults.isOver ? null : faults)
    return this.faultReport()
  }

  /** Resolves when the faults of the exchange that begin with the plan have begun. */
  get begun(): Promise<unknown> {
    return this.venue.begun
  }

  /** The ledger, and where clients believe something that is not true. */
  faultReport(): FaultReport {
    return this.faults?.report((order) => this.parts.view().orders.isLive(order)) ?? noFaults
  }

  private at(dueUs: number, run: () => void): void {
    this.queue.add({ dueUs, run, givenUp: null })
  }

  /** Resolves after this time of the machine's clock, or when the lab is closed. */
  private silence(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.silences.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.silences.add(end)
    })
  }

  /** Resolves when the message arrives, with the time. `isDone`: its request was carried out. */
  private passed(sent: Sent, isDone: boolean): Promise<number> {
    if (this.queue.size >= heldMax) return Promise.reject(lineFull(heldMax, isDone))
    return new Promise((resolve, reject) => {
      this.pass(sent, resolve, (why, dueUs) => reject(new GivenUp(givenUpOf(why, dueUs, isDone))))
    })
  }

  /** Calls `arrived` with the time at which the message arrives, immediately if it has no delay. */
  pass(
    sent: Sent,
    arrived: (atUs: number) => void,
    givenUp: ((why: 'stands' | 'reset', dueUs: number) => void) | null = null,
  ): void {
    const { leg, traits, fromUs, direction, moreUs = 0 } = sent
    const delay = this.lines?.next(leg, traits, this.nowMs() - this.linesSinceMs) ?? null
    const { era } = this
    const nowUs = this.queue.nowUs()
    const dueUs = (direction ?? new Direction()).dueAt(fromUs + (delay ?? 0) + moreUs, nowUs, era)
    if (dueUs === null) {
      if (delay !== null) this.report.took(leg, delay, Math.max(0, nowUs - fromUs))
      return arrived(fromUs)
    }
    this.queue.add({
      dueUs,
      run: () => {
        direction?.arrived(era)
        // In engine time a message arrives within the millisecond in which it is due.
        const nowUs = this.queue.nowUs()
        const atUs = this.parts.isManual && nowUs - dueUs < 1_000 ? dueUs : nowUs
        if (delay !== null) this.report.took(leg, delay, atUs - fromUs)
        arrived(this.parts.isManual ? atUs : dueUs)
      },
      givenUp:
        givenUp === null
          ? null
          : (why) => {
              direction?.arrived(era)
              givenUp(why, dueUs)
            },
    })
  }

  nowUs(): number {
    return this.queue.nowUs()
  }

  /** Moves engine time. Everything that becomes due arrives at its time, and what it causes is done
   *  before time goes on. */
  advance(ms: number): Promise<ClockReading> {
    const { sandbox, isManual } = this.parts
    if (!isManual || !this.isActive) return sandbox.advance(ms)
    const advanced = this.advancing.then(() => this.walk(ms))
    this.advancing = advanced.catch(() => undefined)
    return advanced
  }

  private async walk(ms: number): Promise<ClockReading> {
    const { sandbox, connections } = this.parts
    let now = this.nowMs()
    const target = now + ms
    for (;;) {
      await this.settled()
      const dueAt = this.nextDueAt() ?? Number.POSITIVE_INFINITY
      // Frames are sent at the time of their cause.
      const eventAt =
        this.lines?.delaysFrames === true ? (await sandbox.progress()).nextEventAt : dueAt
      const next = Math.min(dueAt, eventAt)
      if (next > target) break
      if (next > now) await sandbox.advance(next - now)
      now = Math.max(now, next)
      if (dueAt <= now) this.queue.runNext()
      else connections.send()
    }
    return now < target ? sandbox.advance(target - now) : sandbox.clock()
  }

  /** Resolves when requests that arrived are done, and clients in this process have reacted. */
  private async settled(): Promise<void> {
    const deadline = performance.now() + settleMsMax
    for (let quiet = 0; quiet < quietTurns && performance.now() < deadline; ) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      quiet = this.running === 0 ? quiet + 1 : 0
    }
  }

  /** Returns to the state after the plan was set, because the exchange went back to its start. */
  restart(): void {
    this.wentBack()
    this.lines?.restart()
    if (this.faults?.isOver === true) this.faults = null
    this.faults?.restart()
    this.report.clear()
    this.sinceMs = this.nowMs()
    this.linesSinceMs = this.sinceMs
    this.venue.restart(this.faults)
  }

  /** Drops what waits, because engine time went back. */
  wentBack(): void {
    if (!this.parts.isManual) return
    this.era += 1
    this.queue.drop()
  }

  private nowMs(): number {
    return this.parts.engineNow()
  }

  close(): void {
    this.lines = null
    this.faults = null
    this.venue.begin(null)
    for (const end of this.silences) end()
    this.queue.close()
  }

  drop(): number {
    return 0
  }

  /** With a manual clock, what waits for time to pass is not unsent. */
  send() {
    const waiting = this.parts.isManual ? 0 : this.queue.size
    return { requests: this.running + waiting, connections: 0 }
  }
}

const isRefusal = ({ spec }: Rule) => spec.fault === 'ws_refuse'
