// The journal of an embedded exchange: the applied commands, as objects, in order. History is
// created from it by replay (`replay.ts`), so it costs one reference per command until history is
// read. Beyond `max` entries it is discarded as a whole, and later reads report that.

import type { Entry, Placed, Times } from '../../sequencer/entry.ts'

/** History was not stored, or was discarded. */
export class NotKept extends Error {
  override readonly name = 'NotKept'
  readonly code = 'NOT_KEPT'
}

export class KeptCommands {
  readonly max: number
  private entries: Entry[] = []
  private times: number[] = []
  private stamps: number[] = []
  private count = 0

  constructor(max: number) {
    this.max = max
  }

  get length(): number {
    return this.count
  }

  add(entry: Entry, { atMs, stampMs = 0 }: Times): void {
    this.count += 1
    if (this.count <= this.max) {
      this.entries.push(entry)
      this.times.push(atMs)
      this.stamps.push(stampMs)
    } else if (this.entries.length > 0) {
      this.entries = []
      this.times = []
      this.stamps = []
    }
  }

  /** Entry with this seq. */
  at(seq: number): Placed {
    this.require()
    return this.placed(this.entries[seq - 1]!, seq - 1)
  }

  all(): readonly Placed[] {
    this.require()
    return this.entries.map((entry, index) => this.placed(entry, index))
  }

  /** Why history is incomplete; `null` if it is complete. */
  missing(): string | null {
    if (this.count <= this.max) return null
    return `history is kept up to ${this.max} commands (historyMax), and there were ${this.count}`
  }

  private placed(entry: Entry, index: number): Placed {
    const stampMs = this.stamps[index]!
    const placed = { seq: index + 1, atMs: this.times[index]!, entry }
    return stampMs === 0 ? placed : { ...placed, stampMs }
  }

  private require(): void {
    const missing = this.missing()
    if (missing !== null) throw new NotKept(missing)
  }
}
