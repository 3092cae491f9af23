// Latency of prices: the age of a market's price, sampled twice per second, and the median of the
// last minute. The allowance for clock differences is not included. Sampling by time instead of by
// arrival makes a fast but infrequent source count as slow.

import { clockMs } from './observation.ts'

export const sampleEveryMs = 500
const samplesMax = 120
/** Minimum number of samples. */
export const samplesMin = 20

/** An operator is warned above this latency. */
export const latencyWarnMs = 250

export class LatencySamples {
  private readonly samples: number[] = []
  private next = 0

  /** Adds a sample, the age of the observation. */
  add(ageMs: number): void {
    this.samples[this.next] = Math.max(0, ageMs - clockMs)
    this.next = (this.next + 1) % samplesMax
  }

  /** Median latency; `null` if there are too few samples. */
  median(): number | null {
    const { length } = this.samples
    if (length < samplesMin) return null
    return Math.round(this.samples.toSorted((a, b) => a - b)[Math.floor((length - 1) / 2)]!)
  }
}
