// What the delays of each leg were: requested and achieved.

import { type LatencyReport, legNames } from '../../protocol/schemas/lab/latency.ts'
import type { Leg } from './latency-plan.ts'

const keptMax = 4_096

type Kept = { count: number; readonly requested: number[]; readonly achieved: number[] }

export class DelayReport {
  private legs = new Map<Leg, Kept>()

  took(leg: Leg, requestedUs: number, achievedUs: number): void {
    const kept = this.legs.get(leg) ?? { count: 0, requested: [], achieved: [] }
    this.legs.set(leg, kept)
    kept.requested[kept.count % keptMax] = requestedUs
    kept.achieved[kept.count % keptMax] = Math.round(achievedUs)
    kept.count += 1
  }

  clear(): void {
    this.legs = new Map()
  }

  rows(): LatencyReport['legs'] {
    return legNames.flatMap((leg) => {
      const kept = this.legs.get(leg)
      if (kept === undefined) return []
      const { count, requested, achieved } = kept
      const late = achieved.map((us, at) => us - requested[at]!)
      const shares = { requested_us: sharesOf(requested), achieved_us: sharesOf(achieved) }
      return [{ leg, count, ...shares, late_us: sharesOf(late) }]
    })
  }
}

function sharesOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1)! }
}
