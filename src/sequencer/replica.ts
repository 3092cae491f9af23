// The state with its place in history. Live and recovered states move through these three methods
// only, so that they cannot come apart. The core counts seq without gaps and forgets nothing on a
// revert; the journal's seq only grows. The difference is kept here, outside the hashes.

import type { Command } from '../core/commands.ts'
import { apply, type EventLog, type State } from '../core/engine.ts'
import { broken } from '../units/invariant.ts'
import type { TimeMs } from '../units/units.ts'

export type ReplicaPlace = Readonly<{ seq: number; seqOffset: number; timeline: number }>

export class Replica {
  private current: State
  private place: { seq: number; seqOffset: number; timeline: number }

  constructor(state: State, place: ReplicaPlace) {
    if (state.seq !== place.seq - place.seqOffset) broken('state seq', state.seq)
    this.current = state
    this.place = { ...place }
  }

  get state(): State {
    return this.current
  }

  /** The newest entry of the journal that is part of the state. */
  get seq(): number {
    return this.place.seq
  }

  get seqOffset(): number {
    return this.place.seqOffset
  }

  /** How many reverts there were. */
  get timeline(): number {
    return this.place.timeline
  }

  apply(seq: number, atMs: number, command: Command, log: EventLog): void {
    const { place } = this
    if (seq !== place.seq + 1) broken('seq', seq)
    place.seq = seq
    apply(this.current, { seq: seq - place.seqOffset, atMs: atMs as TimeMs, command }, log)
  }

  /** A snapshot entry: it has a place, and changes nothing. */
  pass(seq: number): void {
    if (seq !== this.place.seq + 1) broken('seq', seq)
    this.place.seq = seq
    this.place.seqOffset += 1
  }

  revert(seq: number, saved: State): void {
    if (seq !== this.place.seq + 1) broken('seq', seq)
    this.current = saved
    this.place = { seq, seqOffset: seq - saved.seq, timeline: this.place.timeline + 1 }
  }
}
