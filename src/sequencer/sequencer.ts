// The total order of commands. Commands from all sources wait in one queue. A batch of them is
// stamped and appended to the journal. Once it is durable, it is applied, published and answered in
// one turn of the event loop. The next batch gathers while one is being written. State that is not
// durable is never visible through `view`, a listener or a reply.
//
// Cancels that may overtake other commands have their own queue with its own capacity, which is
// served first. A cancel never overtakes a command of its own account, or a snapshot.

import { type ClosedState, type Command, EventLog, type ExchangeView } from '../core/index.ts'
import { lengthBytes } from '../journal/frame.ts'
import { broken } from '../units/invariant.ts'
import { accountOf, actionsIn, isCancel } from './cancels.ts'
import { EntryNotExact, EntryReader, EntryWriter, type Written } from './codec.ts'
import type { By, Entry } from './entry.ts'
import { Overloaded, SequencerStopped, SnapshotExists } from './not-taken.ts'
import { type Batch, type Outcome, outcomeOf, RecordOutcome } from './outcome.ts'
import { Pace } from './pace.ts'
import type { EngineClock, Journal, SavedState, SavedStates, SourceMemory } from './ports.ts'
import { RecordBody, RecordQueue } from './queue/record-queue.ts'
import { SeqWaits } from './queue/seq-waits.ts'
import { type SequencerLimits, sequencerLimits } from './queue/sequencer-limits.ts'
import { actionsOf, answer, Waiting } from './queue/waiting.ts'
import type { Replica, ReplicaPlace } from './replica/replica.ts'
import { isSigned, requireWindows } from './stamps/signed-window.ts'
import { type Clocks, processClocks, StampClock } from './stamps/stamp-clock.ts'

export type SequencerParts = Readonly<{
  /** The state and its position. The sequencer owns it from now on. */
  replica: Replica
  journal: Journal
  clock: EngineClock
  /** Clocks for the stamps of signed commands (default: those of the process). */
  clocks?: Clocks
  /** Whether engine time moves only by request. Signed requests may then be valid by engine time,
   *  and all stamps are 0, so that no time decides when they are forgotten. */
  isManual?: boolean
  saved: SavedStates
  sources: SourceMemory
  /** Called once, when no more commands can be accepted and the process must exit. */
  onFatal: (error: unknown) => void
  limits?: SequencerLimits
}>

export class Sequencer {
  private readonly parts: SequencerParts
  private readonly limits: Required<SequencerLimits>
  private readonly log = new EventLog()
  private readonly listeners = new Set<(batch: Batch) => void>()
  private readonly saving = new Set<Promise<void>>()
  private readonly waiting = new RecordQueue<Waiting>()
  private readonly urgent = new RecordQueue<Waiting>()
  private readonly writer = new EntryWriter()
  private readonly reader = new EntryReader()
  /** Records of the batch being written. The records of the previous batch may still be read. */
  private body = new RecordBody()
  private bodyBefore = new RecordBody()
  private readonly pace = new Pace()
  private readonly waits = new SeqWaits()
  private readonly stamps: StampClock
  private readonly nextStamp: () => number
  /** Time of the last entry that was sent to the journal. */
  private takenAtMs: number
  private running: Promise<void> | null = null
  private lastAtMs: number
  private stopped: SequencerStopped | null = null
  private fatal = false
  /** Time at which the newest batch was sent to the journal, and at which it became durable. */
  appended = { begunAt: 0, endedAt: 0 }

  constructor(parts: SequencerParts) {
    this.parts = parts
    this.limits = { ...sequencerLimits, ...parts.limits }
    this.lastAtMs = parts.replica.view.atMs
    this.takenAtMs = this.lastAtMs
    const { clocks = processClocks, replica } = parts
    this.stamps = new StampClock(clocks, replica.view.stampMs)
    this.nextStamp = parts.isManual === true ? () => 0 : this.stamps.next
  }

  /** The state, for snapshots and hashes. */
  get state(): ClosedState {
    return this.parts.replica.state
  }

  /** View of the durable state. A revert replaces the object. */
  get view(): ExchangeView {
    return this.parts.replica.view
  }

  /** The newest durable, applied entry. */
  get seq(): number {
    return this.parts.replica.seq
  }

  get place(): ReplicaPlace {
    return this.parts.replica.place
  }

  get timeline(): number {
    return this.parts.replica.timeline
  }

  /** Set after a fatal fault, because the state cannot be trusted. */
  get failed(): boolean {
    return this.fatal
  }

  get isIdle(): boolean {
    return this.running === null
  }

  get waitingCount(): number {
    return this.waiting.length + this.urgent.length
  }

  /** Estimated waiting time in ms of a new command; 0 if unknown or short. */
  get waitMs(): number {
    return this.pace.waitMs(this.waiting.actions)
  }

  /** Submits a command; resolves when it is durable and applied, even if the rules refuse it. */
  submit(command: Command, by: By | null = null, mayPass = false): Promise<Outcome> {
    try {
      return this.enter(command, mayPass, this.writer.command(command, by))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Like `submit`, but rejects if the wait is too long or a request is outside its window. */
  async ask(command: Command, by: By | null = null, mayPass = false): Promise<Outcome> {
    this.requireTimely(command)
    return this.submit(command, by, mayPass)
  }

  /** Like `ask`, for a record that another process of this exchange wrote. */
  async askRecord(record: Buffer, mayPass = false): Promise<Outcome> {
    const command = this.reader.commandIn(record)
    this.requireTimely(command)
    return this.enter(command, mayPass, record)
  }

  /** Saves the state after all commands submitted before; resolves when the saved state is
   *  durable. */
  async takeSnapshot(id: string, sources: string, by: By | null = null): Promise<Outcome> {
    if (!/^[\w-]{1,64}$/.test(id)) throw new EntryNotExact(`not an id of a snapshot: ${id}`)
    if (this.parts.saved.has(id)) throw new SnapshotExists(`there is a snapshot ${id} already`)
    return this.enqueueControl({ kind: 'snapshot', id, sources, by }, null)
  }

  /** Reverts to a snapshot; returns undefined without an effect if it does not exist. */
  async revert(id: string, by: By | null = null): Promise<Outcome | undefined> {
    const saved = await this.parts.saved.load(id)
    return saved && this.enqueueControl({ kind: 'revert', id, by }, saved)
  }

  /** Waits for an entry; returns whether it is durable and applied in time. */
  async reached(seq: number, waitMs: number): Promise<boolean> {
    return this.seq >= seq || this.waits.wait(seq, waitMs)
  }

  /** Adds a listener, which must read what it needs of a batch before it returns. */
  onBatch(listener: (batch: Batch) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Stops accepting commands, completes queued commands, and closes the journal. */
  async close(): Promise<void> {
    this.stopped ??= new SequencerStopped('the sequencer is closed')
    while (this.running !== null) await this.running
    await Promise.allSettled(this.saving)
    await this.parts.journal.close()
  }

  private enter(command: Command, mayPass: boolean, written: Written): Promise<Outcome> {
    const account = accountOf(command)
    const urgent = mayPass && isCancel(command) && this.isAhead(account)
    const queue = urgent ? this.urgent : this.waiting
    this.requireRoom(queue)
    const waiting = new Waiting('command', account, null, actionsIn(command))
    waiting.signed = isSigned(command)
    this.enqueue(queue, waiting, written)
    return waiting.answered
  }

  private enqueueControl(entry: Entry, saved: SavedState | null): Promise<Outcome> {
    this.requireRoom(this.waiting)
    const written = this.writer.entry(entry)
    const waiting = new Waiting(entry.kind, undefined, saved)
    this.enqueue(this.waiting, waiting, written)
    return waiting.answered
  }

  private enqueue(queue: RecordQueue<Waiting>, waiting: Waiting, written: Written): void {
    waiting.atMs = this.stamp()
    queue.push(waiting, written)
    this.running ??= this.run()
  }

  /** Whether no queued entry has to come before a cancel of this account. */
  private isAhead(account: unknown): boolean {
    return !this.waiting.waiting.some((each) => each.kind !== 'command' || each.account === account)
  }

  private requireRoom(queue: RecordQueue<Waiting>): void {
    if (this.stopped !== null) throw this.stopped
    const { waitingMax, urgentMax } = this.limits
    if (queue.actions >= (queue === this.urgent ? urgentMax : waitingMax))
      throw new Overloaded(`${queue.length} commands are waiting`)
  }

  private requireTimely(command: Command): void {
    const { isManual, clock } = this.parts
    const engineNow = isManual === true ? () => clock.now() : undefined
    requireWindows(command, () => this.stamps.wallNow(), engineNow)
    const { waitMs } = this
    if (waitMs > this.limits.waitMsMax && !isCancel(command))
      throw new Overloaded(`a command waits ${Math.ceil(waitMs)} ms`)
  }

  /** Returns the engine time; monotonic, even if the machine's clock steps back. */
  private stamp(): number {
    const now = this.parts.clock.now()
    if (!Number.isSafeInteger(now)) broken('engine time', now)
    this.lastAtMs = Math.max(this.lastAtMs, now)
    return this.lastAtMs
  }

  private async run(): Promise<void> {
    // Commands of the same turn of the event loop join the first batch.
    await new Promise((done) => setImmediate(done))
    while (this.waitingCount > 0) {
      const batch = this.take()
      try {
        const begunAt = performance.now()
        await this.parts.journal.append(this.body.written, batch.length)
        this.appended = { begunAt, endedAt: performance.now() }
        this.commit(batch)
      } catch (error) {
        this.fail(error, batch)
      }
    }
    this.running = null
  }

  /** Takes the next batch. Snapshots and reverts have a separate batch, so that a batch belongs to
   *  one timeline. */
  private take(): readonly Waiting[] {
    const { batchMax } = this.limits
    const { waiting, bodyBefore } = this
    this.bodyBefore = this.body
    this.body = bodyBefore
    this.body.clear()
    const hurried = this.urgent.fitting(batchMax)
    for (const each of this.urgent.waiting.slice(0, hurried)) this.restamp(each)
    // Stamped when they are sequenced, so that stamps are in the order of history.
    this.urgent.writeStamps(hurried, this.nextStamp)
    const urgent = this.urgent.take(hurried, this.body)
    let count = waiting.fitting(batchMax - actionsOf(urgent))
    const control = waiting.waiting.slice(0, count).findIndex(({ kind }) => kind !== 'command')
    if (control >= 0) count = urgent.length > 0 ? control : Math.max(1, control)
    waiting.writeStamps(count, this.nextStamp)
    const batch = [...urgent, ...waiting.take(count, this.body)]
    this.takenAtMs = batch[batch.length - 1]!.atMs
    return batch
  }

  /** Gives an overtaking cancel the time of its new position, so that time never goes back. */
  private restamp(urgent: Waiting): void {
    const next = this.waiting.waiting[0]?.atMs ?? Number.POSITIVE_INFINITY
    const atMs = Math.max(this.takenAtMs, Math.min(urgent.atMs, next))
    if (atMs !== urgent.atMs) this.urgent.stamp(urgent, atMs)
  }

  private commit(batch: readonly Waiting[]): void {
    const { log } = this
    log.clear()
    const outcomes: Outcome[] = []
    const { bytes } = this.body
    let at = 0
    for (const waiting of batch) {
      const from = at + lengthBytes
      at = from + waiting.length
      outcomes.push(this.applied(waiting, bytes, from, at))
    }
    this.pace.finished(actionsOf(batch), performance.now(), this.waiting.length > 0)
    const published: Batch = { timeline: this.timeline, outcomes }
    for (const listener of this.listeners) listener(published)
    for (let n = 0; n < batch.length; n++) answer(batch[n]!, outcomes[n]!)
    this.waits.reached(this.seq)
  }

  /** Applies an entry from the bytes written to the disk, not from the original objects. */
  private applied(waiting: Waiting, bytes: Buffer, from: number, to: number): Outcome {
    const { log, reader } = this
    const { replica } = this.parts
    const seq = replica.seq + 1
    const first = log.end
    const command = reader.command(bytes, from, to)
    const { atMs, type } = reader
    if (command !== null) {
      replica.apply(seq, reader, command, log)
      return new RecordOutcome({ bytes, from, to, atMs, type }, seq, log, first)
    }
    const entry = reader.entry(bytes, from, to)
    if (entry.kind === 'command') replica.apply(seq, reader, entry.command, log)
    else if (entry.kind === 'snapshot') waiting.saving = this.snapshot(seq, entry)
    else this.goBack(seq, waiting.saved!)
    return outcomeOf({ seq, atMs, entry }, log, first)
  }

  private snapshot(
    seq: number,
    { id, sources }: Extract<Entry, { kind: 'snapshot' }>,
  ): Promise<void> {
    const { replica, saved } = this.parts
    replica.pass(seq)
    const { atMs } = replica.view
    const facts = { id, seq, atMs, createdAt: Date.now(), sources }
    const saving = saved.save(facts, replica.state)
    this.saving.add(saving)
    const forget = () => this.saving.delete(saving)
    saving.then(forget, forget)
    return saving
  }

  private goBack(seq: number, { facts, state }: SavedState): void {
    const { replica, saved, sources } = this.parts
    replica.revert(seq, state, facts.seq)
    saved.used(facts.id, seq)
    sources.restore(facts.sources)
    // Queued commands were stamped in the discarded timeline.
    this.lastAtMs = replica.view.atMs
    this.takenAtMs = this.lastAtMs
    for (const queue of [this.urgent, this.waiting])
      for (const waiting of queue.waiting) queue.stamp(waiting, this.stamp())
  }

  private fail(error: unknown, batch: readonly Waiting[]): void {
    this.fatal = true
    const cause = { cause: error }
    this.stopped = new SequencerStopped(`stopped: ${(error as Error).message}`, cause)
    const rejected = [...batch, ...this.urgent.waiting, ...this.waiting.waiting]
    this.urgent.clear()
    this.waiting.clear()
    for (const { reject } of rejected) reject(this.stopped)
    this.parts.onFatal(error)
  }
}
