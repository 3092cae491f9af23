// A sequencer without a disk. A command is stamped, applied and published within the call, so that
// commands are executed in the order of the calls. The guarantees of a service's sequencer apply
// here too: seq grows by one, time never goes back on one timeline, and a command is published only
// after it is part of the stored history.

import {
  type ClosedState,
  type Command,
  createState,
  EventLog,
  type ExchangeView,
  type Genesis,
} from '../core/index.ts'
import type { By, Entry, Placed } from '../sequencer/entry.ts'
import { SequencerStopped } from '../sequencer/not-taken.ts'
import { type Batch, type Outcome, outcomeOf } from '../sequencer/outcome.ts'
import type { EngineClock } from '../sequencer/ports.ts'
import { beginning, Replica } from '../sequencer/replica/replica.ts'
import { KeptCommands } from './history/kept-commands.ts'
import { applyEntry } from './history/replay.ts'
import { SavedBytes } from './history/saved-bytes.ts'
import { ownStamp } from './own-stamp.ts'

export type DirectParts = Readonly<{ genesis: Genesis; clock: EngineClock; historyMax: number }>

export class DirectSequencer {
  readonly kept: KeptCommands
  readonly saved = new SavedBytes()
  private readonly clock: EngineClock
  private readonly replica: Replica
  private readonly log = new EventLog()
  /** Log of ticks that follow a command whose events must stay readable. */
  private readonly tickLog = new EventLog()
  private readonly listeners = new Set<(batch: Batch) => void>()
  private busy = false
  private stopped: SequencerStopped | null = null

  constructor({ genesis, clock, historyMax }: DirectParts) {
    this.clock = clock
    this.replica = new Replica(createState(genesis), beginning)
    this.kept = new KeptCommands(historyMax)
  }

  /** Read-only state. A revert replaces the object. */
  get state(): ClosedState {
    return this.replica.state
  }

  get view(): ExchangeView {
    return this.replica.view
  }

  get seq(): number {
    return this.replica.seq
  }

  /** Applies a command, of which it takes ownership. All events share one log, which the next call
   *  overwrites. Leftover reactions run before the call returns, because no later command may
   *  come. */
  apply(command: Command, by: By | null = null): Outcome {
    const outcome = this.applyAlone(command, by)
    this.completeWork()
    return outcome
  }

  /** Applies a command. Reactions that it leaves run with a later one. */
  applyAlone(command: Command, by: By | null = null): Outcome {
    return this.enter({ kind: 'command', command, by })
  }

  /** Runs leftover reactions. Keeps the events of the last command readable. */
  completeWork(): void {
    while (this.view.hasWorkLeft) this.enter(tick, this.tickLog)
  }

  /** Applies a command for asynchronous callers. The events stay readable. */
  async submit(command: Command, by: By | null = null): Promise<Outcome> {
    return detached(this.apply(command, by))
  }

  takeSnapshot(id: string, sources: string): Outcome {
    return this.enter({ kind: 'snapshot', id, sources, by: null })
  }

  /** Reverts to a snapshot. Returns the state of the sources, or undefined without an effect if
   *  there is no such snapshot. Engine time goes back with the state, and the caller sets the
   *  clock. */
  revert(id: string): string | undefined {
    const saved = this.saved.get(id)
    if (saved === undefined) return undefined
    this.enter({ kind: 'revert', id, by: null })
    return saved.sources
  }

  /** Applies entries of another exchange that began alike, with their times. */
  replay(entries: readonly Placed[]): void {
    for (const placed of entries) {
      const { log, replica } = this
      log.clear()
      applyEntry(placed, replica, log, this.saved)
      this.kept.add(placed.entry, placed)
      this.publish(outcomeOf(placed, log, 0))
    }
  }

  /** Adds a listener. It must read what it needs before it returns, and must not submit
   *  commands. */
  onBatch(listener: (batch: Batch) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Stops accepting commands. */
  close(): void {
    this.stopped ??= new SequencerStopped('the exchange is closed')
  }

  private enter(entry: Entry, log = this.log): Outcome {
    if (this.stopped !== null) throw this.stopped
    if (this.busy) throw new Error('a listener of the exchange must not change it')
    this.busy = true
    try {
      const outcome = this.applied(entry, log)
      if (this.listeners.size > 0) this.publish(outcome)
      return outcome
    } finally {
      this.busy = false
    }
  }

  private applied(entry: Entry, log: EventLog): Outcome {
    const atMs = this.stamp()
    const stampMs = entry.kind === 'command' ? ownStamp(entry.command) : 0
    const times = stampMs === 0 ? { atMs } : { atMs, stampMs }
    const placed = { seq: this.replica.seq + 1, ...times, entry }
    try {
      log.clear()
      applyEntry(placed, this.replica, log, this.saved)
    } catch (error) {
      // An error left the state partially changed, so it must not be used any more.
      this.stopped = new SequencerStopped(`stopped: ${(error as Error).message}`, { cause: error })
      throw this.stopped
    }
    this.kept.add(entry, times)
    return outcomeOf(placed, log, 0)
  }

  private publish(outcome: Outcome): void {
    const batch: Batch = { timeline: this.replica.timeline, outcomes: [outcome] }
    for (const listener of this.listeners) listener(batch)
  }

  private stamp(): number {
    return Math.max(this.replica.view.atMs, this.clock.now())
  }
}

const tick: Entry = { kind: 'command', command: { type: 'Tick' }, by: null }

/** Copies the outcome's events to a separate log. */
function detached(outcome: Outcome): Outcome {
  const { log } = outcome
  const own = new EventLog(log.rows.slice(0, log.end))
  own.count = log.count
  own.end = log.end
  own.texts = log.texts
  return { ...outcome, log: own }
}
