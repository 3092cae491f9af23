// How fast work gets done while more of it waits, measured over a quarter of a second or more:
// what a queue needs to say how long its end would wait. Work that nobody waits for says nothing
// about speed.

const windowMs = 250
/** Fewer pieces say nothing: that three took five seconds is a pause, and the pace of it would be
 *  believed until so much waits again that another can be measured. */
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
    // A moment in which nothing got done is no new pace.
    this.perMs = Math.max(this.count / passed, this.perMs * slowing)
    this.count = 0
    this.since = now
  }

  /** How long the last of so many would wait; 0: nobody knows yet. */
  waitMs(pieces: number): number {
    return this.perMs === 0 ? 0 : pieces / this.perMs
  }
}
