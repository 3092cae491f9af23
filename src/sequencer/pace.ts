// Throughput of a queue while it is not empty, measured over a quarter of a second or more, to
// estimate the waiting time at its end. Work on an empty queue says nothing about throughput.

const windowMs = 250
/** Minimum sample size: a few pieces over several seconds are a pause, and that pace would be used
 *  until the queue is long enough for another measurement. */
const piecesMin = 32
/** From one window to the next the estimate falls by at most a fifth. */
const slowing = 0.8

export class Pace {
  /** Pieces of work per millisecond; 0 if unknown. */
  perMs = 0
  private count = 0
  /** Start of the measurement; `null` if nothing waited. */
  private since: number | null = null

  /** `more`: further work is waiting. */
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
    // A moment without progress is not a measurement.
    this.perMs = Math.max(this.count / passed, this.perMs * slowing)
    this.count = 0
    this.since = now
  }

  /** Estimated waiting time at this position; 0 if unknown. */
  waitMs(pieces: number): number {
    return this.perMs === 0 ? 0 : pieces / this.perMs
  }
}
