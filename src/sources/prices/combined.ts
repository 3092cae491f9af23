// One price of what several sources say. A price that is none (zero, negative, not a number) is a
// fault of its source and never a value.

import { limits } from '../../core/index.ts'
import { mulDivFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK, PPM } from '../../units/units.ts'

/** Who said nothing for longer does not count. */
export const freshMsMax = 5_000
const distancePpmMax = 30_000

/** Prices in millionths of a tick; `atMs` is the wall time at which it came. */
export type Quotation = Readonly<{ price: number; weight: number; atMs: number }>

/** The weighted median of what is fresh; null: there is no price. Of two it cannot be told which
 *  one is wrong, so they have to agree; of more none is dropped, because no source has half of the
 *  weight. */
export function combined(
  quotations: readonly Quotation[],
  nowMs: number,
  minSources: number,
): number | null {
  const fresh = quotations
    .filter(({ price, atMs }) => isPrice(price) && nowMs - atMs <= freshMsMax)
    .sort((one, other) => one.price - other.price)
  if (fresh.length === 0 || fresh.length < minSources) return null
  if (fresh.length === 2 && !areNear(fresh[0]!.price, fresh[1]!.price)) return null
  const total = fresh.reduce((sum, { weight }) => sum + weight, 0)
  let reached = 0
  for (const { price, weight } of fresh) {
    reached += weight
    if (2 * reached >= total) return price
  }
  return null
}

function areNear(lower: number, higher: number): boolean {
  return higher - lower <= mulDivFloor(lower, distancePpmMax, PPM)
}

/** In millionths of a tick. */
export const oracleMax = limits.oracleTicksMax * MICRO_PER_TICK

export function isPrice(price: unknown): price is number {
  return Number.isSafeInteger(price) && (price as number) >= 1 && (price as number) <= oracleMax
}
