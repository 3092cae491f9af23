// Delay before the next connection attempt. It is doubled each time up to a maximum, and partly
// random, so that clients that lost the same server do not reconnect at the same time.

const firstMs = 500
const mostMs = 30_000
/** The delay is reset after a connection that lasted at least this long. */
const goodMs = 60_000

export class Backoff {
  private readonly random: () => number
  private attempts = 0

  /** `random` returns numbers from 0 to 1, excluding 1. */
  constructor(random: () => number) {
    this.random = random
  }

  /** Delay in ms after a connection that lasted this long. */
  next(lastedMs: number): number {
    if (lastedMs >= goodMs) this.attempts = 0
    const most = Math.min(mostMs, firstMs * 2 ** Math.min(this.attempts, 16))
    this.attempts += 1
    return Math.ceil(most / 2 + (most / 2) * this.random())
  }
}
