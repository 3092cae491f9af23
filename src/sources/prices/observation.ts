// Observation time of a price: the source's own time, minus the maximum difference of clocks. A
// price without a time, or with a time after its receipt, counts as observed some time before its
// receipt (docs/rules/prices.md). Ages are stored instead of times, because an age is the same on
// every clock.

/** Maximum difference between the clocks of sources and ours, in ms. */
export const clockMs = 100
/** Assumed age of a price without a time, when it is received. */
export const untimedMs = 500

export type Observed = Readonly<{
  /** Current age of the observation. */
  ageMs: number
  /** Whether the source provided a usable time. */
  isTimed: boolean
}>

/** Computes the observation from wall times. `heldMs`: time since the receipt, by a monotonic
 *  clock. */
export function observed(ownMs: number | null, receivedMs: number, heldMs = 0): Observed {
  if (ownMs === null || ownMs > receivedMs) return { ageMs: untimedMs + heldMs, isTimed: false }
  return { ageMs: receivedMs - ownMs + clockMs + heldMs, isTimed: true }
}
