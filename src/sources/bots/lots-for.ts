import type { MarketView } from '../../core/index.ts'
import { divCeil, divFloor } from '../../units/rounding.ts'
import { MICRO_PER_DOLLAR } from '../../units/units.ts'

/** Lots worth this much at mark, but at least the minimum order value. */
export function lotsFor({ params, lotValue }: MarketView, dollars: number): number {
  const least = divCeil(params.orderValueMin, lotValue)
  // One tenth above the minimum, because the order's price may be below the mark.
  const safe = least + divCeil(least, 10)
  return Math.max(safe, divFloor(dollars * MICRO_PER_DOLLAR, lotValue))
}
