// The loop of recovery and of every process that follows another. It applies frames to the replica
// in order, and returns the outcomes as a batch.

import { EventLog } from '../../core/index.ts'
import { eachRecord, type Frame } from '../../journal/frame.ts'
import { JournalFault } from '../../journal/journal-fault.ts'
import { EntryReader } from '../codec.ts'
import type { Placed } from '../entry.ts'
import { type Batch, type Outcome, outcomeOf, RecordOutcome } from '../outcome.ts'
import type { SavedState, SavedStates } from '../ports.ts'
import type { Replica } from './replica.ts'

export type FollowerParts = Readonly<{
  saved: SavedStates
  /** Whether to save the states of snapshot entries again if a crash prevented that. */
  completeSaved: boolean
  /** Only entries after this seq are published. */
  publishAfter: number
  /** For observers: called with the state before each command. */
  before?: (seq: number, replica: Replica) => void
}>

export class Follower {
  readonly replica: Replica
  private readonly parts: FollowerParts
  private readonly log = new EventLog()
  private readonly reader = new EntryReader()
  private outcomes: Outcome[] = []

  constructor(replica: Replica, parts: FollowerParts) {
    this.replica = replica
    this.parts = parts
  }

  /** Applies one frame; returns `null` if none of its entries is to be published. The events can be
   *  read until the next frame is applied. */
  async take(frame: Frame): Promise<Batch | null> {
    this.log.clear()
    this.outcomes = []
    const control = this.applyCommands(frame)
    if (control !== null) await this.applyControl(control)
    const { outcomes, replica } = this
    return outcomes.length === 0 ? null : { timeline: replica.timeline, outcomes }
  }

  /** Applies the commands of the frame. Any other entry is alone in its frame, and is returned. */
  private applyCommands(frame: Frame): Placed | null {
    const { log, replica, reader } = this
    const { before, publishAfter } = this.parts
    const { bytes } = frame
    let control: Placed | null = null
    eachRecord(frame, (seq, from, to) => {
      if (seq <= replica.seq) return
      const command = reader.command(bytes, from, to)
      if (command === null) {
        control = this.applySpelled(seq, bytes, from, to)
        return
      }
      const first = log.end
      const { atMs, stampMs, type } = reader
      before?.(seq, replica)
      replica.apply(seq, reader, command, log)
      if (seq <= publishAfter) return
      this.outcomes.push(
        new RecordOutcome({ bytes, from, to, atMs, stampMs, type }, seq, log, first),
      )
    })
    return control
  }

  private applySpelled(seq: number, bytes: Buffer, from: number, to: number): Placed | null {
    const { log, replica, reader } = this
    const { before, publishAfter } = this.parts
    const entry = reader.entry(bytes, from, to)
    const { atMs, stampMs } = reader
    if (entry.kind !== 'command') return { seq, atMs, entry }
    const first = log.end
    before?.(seq, replica)
    replica.apply(seq, reader, entry.command, log)
    if (seq > publishAfter)
      this.outcomes.push({ ...outcomeOf({ seq, atMs, entry }, log, first), stampMs })
    return null
  }

  private async applyControl({ seq, atMs, entry }: Placed): Promise<void> {
    const { replica, log } = this
    const { saved, completeSaved, publishAfter } = this.parts
    if (entry.kind === 'revert') {
      const { facts, state } = await this.savedState(entry.id, seq)
      replica.revert(seq, state, facts.seq)
      saved.used(entry.id, seq)
    } else if (entry.kind === 'snapshot') {
      replica.pass(seq)
      const { id, sources } = entry
      const facts = { id, seq, atMs: replica.view.atMs, createdAt: Date.now(), sources }
      if (completeSaved && !saved.has(id, seq)) await saved.save(facts, replica.state)
    }
    if (seq > publishAfter) this.outcomes.push(outcomeOf({ seq, atMs, entry }, log, log.end))
  }

  private async savedState(id: string, seq: number): Promise<SavedState> {
    const { saved } = this.parts
    const lost = (why: string, cause?: unknown) =>
      new JournalFault(
        'SNAPSHOT_DAMAGED',
        `history goes back to the saved state ${id} at seq ${seq}, and ${why}: ` +
          'restore the data folder from a backup',
        cause,
      )
    const found = await saved.load(id, seq).catch((error: Error) => {
      throw lost(error.message, error)
    })
    if (found === undefined) throw lost(`its file is missing from ${saved.place}`)
    return found
  }
}
