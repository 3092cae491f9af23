// The state and its position in history. Live and recovered states change only through the same
// three methods, so that they cannot differ. The core counts seq without gaps and restarts from the
// old value after a revert, whereas the journal's seq only grows. The difference is stored here,
// outside the hashes.

import {
  apply,
  type ClosedState,
  type Command,
  type EventLog,
  type ExchangeView,
  viewOf,
} from '../../core/index.ts'
import { broken } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/units.ts'
import type { Times } from '../entry.ts'

/** The entries that a revert has undone: those after the snapshot, up to the revert itself. */
export type Undone = Readonly<{ after: number; until: number }>

export type ReplicaPlace = Readonly<{
  seq: number
  seqOffset: number
  timeline: number
  undone: readonly Undone[]
}>

export const beginning: ReplicaPlace = { seq: 0, seqOffset: 0, timeline: 0, undone: [] }

export class Replica {
  private current: ClosedState
  private seen: ExchangeView
  private where: { seq: number; seqOffset: number; timeline: number; undone: readonly Undone[] }

  constructor(state: ClosedState, place: ReplicaPlace) {
    this.current = state
    this.seen = viewOf(state)
    if (this.seen.seq !== place.seq - place.seqOffset) broken('state seq', this.seen.seq)
    this.where = { ...place }
  }

  get state(): ClosedState {
    return this.current
  }

  /** View of this state. A revert replaces the object. */
  get view(): ExchangeView {
    return this.seen
  }

  /** The newest entry of the journal that is part of the state. */
  get seq(): number {
    return this.where.seq
  }

  get place(): ReplicaPlace {
    return { ...this.where }
  }

  /** Number of reverts. */
  get timeline(): number {
    return this.where.timeline
  }

  apply(seq: number, times: Times, command: Command, log: EventLog): void {
    const { where } = this
    const { atMs, stampMs = 0 } = times as Readonly<{ atMs: TimeMs; stampMs?: TimeMs }>
    if (seq !== where.seq + 1) broken('seq', seq)
    where.seq = seq
    const sequenced = { seq: seq - where.seqOffset, atMs, stampMs: stampMs as TimeMs, command }
    apply(this.current, sequenced, log)
  }

  /** Passes a snapshot entry, which has a seq but does not change the state. */
  pass(seq: number): void {
    if (seq !== this.where.seq + 1) broken('seq', seq)
    this.where.seq = seq
    this.where.seqOffset += 1
  }

  /** Restores the state that was saved by the entry `snapshot`. */
  revert(seq: number, saved: ClosedState, snapshot: number): void {
    const { timeline, undone } = this.where
    if (seq !== this.where.seq + 1) broken('seq', seq)
    this.current = saved
    this.seen = viewOf(saved)
    // Ranges within the new range are dropped, because it includes them.
    const outside = undone.filter(({ after }) => after < snapshot)
    this.where = {
      seq,
      seqOffset: seq - this.seen.seq,
      timeline: timeline + 1,
      undone: [...outside, { after: snapshot, until: seq }],
    }
  }

  /** Whether a revert has undone this entry. */
  isUndone(seq: number): boolean {
    return this.where.undone.some(({ after, until }) => seq > after && seq < until)
  }
}
