// What a fill costs, or earns a maker with a rebate. Both round against the account by less than
// one micro-dollar: a fee owed rounds up, a rebate due rounds down.
import { mulPpmCeil, mulPpmFloor } from './rounding.ts'
import type { Ppm, Quote } from './units.ts'

/** The fee on a value >= 0; negative when the rate is, which means the account receives it. */
export function feeOf(value: Quote, ratePpm: Ppm): Quote {
  if (ratePpm >= 0) return mulPpmCeil(value, ratePpm) as Quote
  // 0 - x, because -x of an empty rebate would be -0.
  return (0 - mulPpmFloor(value, -ratePpm)) as Quote
}
