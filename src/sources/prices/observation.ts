// Observation time of a price: the source's own time, less the maximum difference of clocks. A
// price without a time, or with one after its receipt, counts as observed some time before its
// receipt (docs/rules/prices.md). Ages are stored and not times, because an age is the same on
// every clock.

/** Maximum difference between the clocks of sources and ours. */
export const clockMs = 100
/** Assumed age at its receipt of a price without a time. */
export const untimedMs = 500

export type Observed = Readonly<{
  /** Age of the observation now. */
  ageMs: number
  /** Whether the source gave a usable time. */
  isTimed: boolean
}>

/** Wall times; `heldMs`: time since the receipt of the price, by a monotonic clock. */
export function observed(ownMs: number | null, receivedMs: number, heldMs = 0): Observed {
  if (ownMs === null || ownMs > receivedMs) return { ageMs: untimedMs + heldMs, isTimed: false }
  return { ageMs: receivedMs - ownMs + clockMs + heldMs, isTimed: true }
}
