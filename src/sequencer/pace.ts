// Measures the throughput of a queue while it is not empty, over at least a quarter of a second, to
// estimate the waiting time of a new item. Items that arrive at an empty queue are not measured.

const windowMs = 250
/** Minimum sample size. A few items over several seconds indicate a pause, and that throughput
 *  would be used until the queue is long enough for another measurement. */
const piecesMin = 32
/** Maximum decrease of the estimate between two windows: one fifth. */
const slowing = 0.8

export class Pace {
  /** Items per millisecond; 0 if unknown. */
  perMs = 0
  private count = 0
  /** Start of the measurement; `null` if the queue was empty. */
  private since: number | null = null

  /** Counts finished items. `more`: further items are queued. */
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
    // The rate falls slowly, because a short pause does not indicate a lower throughput.
    this.perMs = Math.max(this.count / passed, this.perMs * slowing)
    this.count = 0
    this.since = now
  }

  /** Estimated waiting time in ms at this position; 0 if unknown. */
  waitMs(pieces: number): number {
    return this.perMs === 0 ? 0 : pieces / this.perMs
  }
}
