// Engine time of an embedded exchange, which changes only when it is set.

import type { EngineClock } from '../sequencer/ports.ts'

export class ManualClock implements EngineClock {
  private at: number

  constructor(atMs: number) {
    this.at = atMs
  }

  now(): number {
    return this.at
  }

  /** Moves time forward. The caller has run the due work up to this time. */
  moveTo(atMs: number): void {
    this.at = Math.max(this.at, atMs)
  }

  /** Sets the clock back on a revert. No other operation sets it back. */
  setBack(atMs: number): void {
    this.at = atMs
  }
}
