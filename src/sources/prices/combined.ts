// Combines the prices of several sources into one price with an observation time. An invalid price
// (zero, negative, not a number) is an error of its source and is never used.

import { limits } from '../../core/index.ts'
import { divFloor, mulDivFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK, PPM } from '../../units/units.ts'

/** A price that was received longer ago than this is not used. */
export const freshMsMax = 5_000
const distancePpmMax = 30_000

/** Price in millionths of a tick. Both times use the same monotonic clock. */
export type Quotation = Readonly<{
  price: number
  weight: number
  receivedAt: number
  observedAt: number
}>

export type Combined = Readonly<{ price: number; observedAt: number }>

/** Returns the weighted median of the fresh prices. Its time is the newest time at or after which
 *  more than half of their weight was observed. `null` if there is no price. With two sources it is
 *  unknown which one is wrong, so they must agree; the middle is used, and both must be observed.
 *  With more sources none is dropped, because no source has half of the weight. */
export function combined(
  quotations: readonly Quotation[],
  now: number,
  minSources: number,
): Combined | null {
  const fresh = quotations
    .filter(({ price, receivedAt }) => isPrice(price) && now - receivedAt <= freshMsMax)
    .sort((a, b) => a.price - b.price)
  if (fresh.length === 0 || fresh.length < minSources) return null
  if (fresh.length === 2) return middleOf(fresh[0]!, fresh[1]!)
  const total = fresh.reduce((sum, { weight }) => sum + weight, 0)
  const { price } = firstReaching(fresh, divFloor(total + 1, 2))
  const newest = fresh.toSorted((a, b) => b.observedAt - a.observedAt)
  return { price, observedAt: firstReaching(newest, divFloor(total, 2) + 1).observedAt }
}

function middleOf(lower: Quotation, higher: Quotation): Combined | null {
  if (higher.price - lower.price > mulDivFloor(lower.price, distancePpmMax, PPM)) return null
  const observedAt = Math.min(lower.observedAt, higher.observedAt)
  return { price: divFloor(lower.price + higher.price, 2), observedAt }
}

/** First value at which the cumulative weight reaches `weight`. */
function firstReaching(sorted: readonly Quotation[], weight: number): Quotation {
  let reached = 0
  return sorted.find((each) => {
    reached += each.weight
    return reached >= weight
  })!
}

/** Maximum oracle price, in millionths of a tick. */
export const oracleMax = limits.oracleTicksMax * MICRO_PER_TICK

export function isPrice(price: unknown): price is number {
  return Number.isSafeInteger(price) && (price as number) >= 1 && (price as number) <= oracleMax
}
