// Latency of prices: the age of a market's price, sampled twice a second, and the median of the
// last minute. The allowance for clocks is not included. Sampled by time and not by arrival, so
// that a fast but infrequent source counts as slow.

import { clockMs } from './observation.ts'

export const sampleEveryMs = 500
const samplesMax = 120
/** Minimum number of samples. */
export const samplesMin = 20

/** Above this, an operator is warned. */
export const latencyWarnMs = 250

export class LatencySamples {
  private readonly samples: number[] = []
  private next = 0

  /** Age of the observation. */
  add(ageMs: number): void {
    this.samples[this.next] = Math.max(0, ageMs - clockMs)
    this.next = (this.next + 1) % samplesMax
  }

  /** Null: too few samples. */
  median(): number | null {
    const { length } = this.samples
    if (length < samplesMin) return null
    return Math.round(this.samples.toSorted((a, b) => a - b)[Math.floor((length - 1) / 2)]!)
  }
}
