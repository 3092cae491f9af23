// When a channel with a state sends it again: after a change, and at most once in a period of the
// machine's time.

import type { Payload } from '../topic.ts'

export class Throttle {
  private readonly periodMs: number
  private readonly update: () => Payload | null
  /** Not before this time does it send again. */
  nextAt = 0
  private changed = false

  /** `update` gives what is to be sent; null: nothing changed after all. */
  constructor(periodMs: number, update: () => Payload | null) {
    this.periodMs = periodMs
    this.update = update
  }

  get hasChanged(): boolean {
    return this.changed
  }

  /** The state may be another one. */
  mark(): void {
    this.changed = true
  }

  /** Gives what is to be sent now; `null` also while it has to wait. */
  take(nowMs: number): Payload | null {
    if (!this.changed || nowMs < this.nextAt) return null
    this.changed = false
    this.nextAt = nowMs + this.periodMs
    return this.update()
  }

  reset(): void {
    this.nextAt = 0
    this.changed = false
  }
}
