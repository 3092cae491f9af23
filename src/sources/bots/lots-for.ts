import type { MarketView } from '../../core/index.ts'
import { divCeil, divFloor } from '../../units/rounding.ts'
import { MICRO_PER_DOLLAR } from '../../units/units.ts'

/** Lots worth this much at mark, at least the minimum order value. */
export function lotsFor({ params, lotValue }: MarketView, dollars: number): number {
  const least = divCeil(params.orderValueMin, lotValue)
  // A tenth above the minimum: the order's price may be below mark.
  const safe = least + divCeil(least, 10)
  return Math.max(safe, divFloor(dollars * MICRO_PER_DOLLAR, lotValue))
}
