// The fee of a fill, or the rebate of a maker. Both round against the account by less than one
// micro-dollar: a fee rounds up, a rebate rounds down.
import { mulPpmCeil, mulPpmFloor } from './rounding.ts'
import type { Ppm, Quote } from './units.ts'

/** The fee on a value >= 0. Negative if the rate is negative: the account receives it. */
export function feeOf(value: Quote, ratePpm: Ppm): Quote {
  if (ratePpm >= 0) return mulPpmCeil(value, ratePpm) as Quote
  // 0 - x, because -x of a zero rebate would be -0.
  return (0 - mulPpmFloor(value, -ratePpm)) as Quote
}
