// Engine time of an embedded exchange, which stands still until it is set.

import type { EngineClock } from '../sequencer/ports.ts'

export class ManualClock implements EngineClock {
  private at: number

  constructor(atMs: number) {
    this.at = atMs
  }

  now(): number {
    return this.at
  }

  /** Moves forward; the caller has run the due work up to this time. */
  moveTo(atMs: number): void {
    this.at = Math.max(this.at, atMs)
  }

  /** Sets the clock back on a revert, which is the only way back. */
  setBack(atMs: number): void {
    this.at = atMs
  }
}
