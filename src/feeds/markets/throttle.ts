// Sends a channel's state after changes, at most once per period of machine time.

import type { Payload } from '../topic.ts'

export class Throttle {
  private readonly periodMs: number
  private readonly update: () => Payload | null
  /** Earliest time of the next payload. */
  nextAt = 0
  private changed = false

  /** `update` returns the payload, or `null` if nothing has changed. */
  constructor(periodMs: number, update: () => Payload | null) {
    this.periodMs = periodMs
    this.update = update
  }

  get hasChanged(): boolean {
    return this.changed
  }

  /** Marks the state as possibly changed. */
  mark(): void {
    this.changed = true
  }

  /** Returns the payload to send now; `null` if nothing changed, or if the period has not passed
   *  and sending is not forced. */
  take(nowMs: number, isForced = false): Payload | null {
    if (!this.changed || (nowMs < this.nextAt && !isForced)) return null
    this.changed = false
    this.nextAt = nowMs + this.periodMs
    return this.update()
  }

  reset(): void {
    this.nextAt = 0
    this.changed = false
  }
}
