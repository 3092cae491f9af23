// Throughput of a queue while it is not empty, measured over a quarter of a second or more, to
// estimate the waiting time at its end. Work on an empty queue says nothing about throughput.

const windowMs = 250
/** Minimum sample size: three pieces in five seconds are a pause, and that pace would be used until
 *  the queue is long enough for another measurement. */
const piecesMin = 32
/** It becomes slower by a fifth at most from one window to the next. */
const slowing = 0.8

export class Pace {
  /** Pieces of work a millisecond; 0: not known yet. */
  perMs = 0
  private count = 0
  /** Null: nothing waited. */
  private since: number | null = null

  /** `more`: something waits behind it. */
  finished(pieces: number, now: number, more: boolean): void {
    if (!more) {
      this.since = null
      return
    }
    if (this.since === null) {
      this.since = now
      this.count = 0
      return
    }
    this.count += pieces
    const passed = now - this.since
    if (passed < windowMs || this.count < piecesMin) return
    // A moment without progress is not a new measurement.
    this.perMs = Math.max(this.count / passed, this.perMs * slowing)
    this.count = 0
    this.since = now
  }

  /** Estimated waiting time at this position; 0 if unknown. */
  waitMs(pieces: number): number {
    return this.perMs === 0 ? 0 : pieces / this.perMs
  }
}
