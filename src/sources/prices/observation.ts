// When a price was observed: at the source's own time of it, less what clocks may differ. A price
// without a time, or with one after its receipt, counts as observed some time before its receipt
// (docs/rules/prices.md). Ages are kept and not times: an age means the same on
// every clock.

/** Clocks of sources and ours differ by up to this. */
export const clockMs = 100
/** How long before its receipt a price without a time counts as observed. */
export const untimedMs = 500

export type Observed = Readonly<{
  /** Age of the observation now. */
  ageMs: number
  /** Whether the source gave a time that can be used. */
  isTimed: boolean
}>

/** Wall times; `heldMs`: how long ago the price was received, by a monotonic clock. */
export function observed(ownMs: number | null, receivedMs: number, heldMs = 0): Observed {
  if (ownMs === null || ownMs > receivedMs) return { ageMs: untimedMs + heldMs, isTimed: false }
  return { ageMs: receivedMs - ownMs + clockMs + heldMs, isTimed: true }
}
