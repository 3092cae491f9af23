// How long to wait before the next attempt: twice as long each time, up to a bound, and a random
// part of it, so that those who lost the same server do not come back together.

const firstMs = 500
const mostMs = 30_000
/** A connection that lasted so long was a good one: the next attempt is a first one again. */
const goodMs = 60_000

export class Backoff {
  private readonly random: () => number
  private attempts = 0

  /** `random` gives numbers from 0 up to, but not, 1. */
  constructor(random: () => number) {
    this.random = random
  }

  /** Milliseconds to wait after a connection that was good for so long. */
  next(lastedMs: number): number {
    if (lastedMs >= goodMs) this.attempts = 0
    const most = Math.min(mostMs, firstMs * 2 ** Math.min(this.attempts, 16))
    this.attempts += 1
    return Math.ceil(most / 2 + (most / 2) * this.random())
  }
}
