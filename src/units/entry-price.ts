// The average entry price of a position, as text for clients. Only the text is rounded: the
// position stores its cost and its lots, and no decision reads this number.
import { pointed } from './decimal.ts'
import { broken } from './invariant.ts'
import { type Lots, MICRO_PER_DOLLAR, type Quote } from './units.ts'

/** The size of one lot in base units, value ÷ 10^scale. A lot may be larger than one unit. */
export type LotSize = Readonly<{ value: number; scale: number }>

// 28 is the precision of the decimal types most clients use, so they read the text without loss.
const DIGITS = 28
const DIGITS_LIMIT = 10n ** BigInt(DIGITS)

/** Dollars per base unit: exact if it ends within 28 digits, else half-even at the 28th. */
export function entryPriceText(cost: Quote, lots: Lots, lot: LotSize): string {
  if (!Number.isSafeInteger(lots) || lots === 0) broken('no position to price', lots)
  if (!Number.isSafeInteger(lot.value) || lot.value <= 0) broken('not a lot size', lot.value)
  if (!Number.isSafeInteger(lot.scale) || lot.scale < 0) broken('not a lot scale', lot.scale)
  const dollars = BigInt(Math.abs(cost)) * 10n ** BigInt(lot.scale)
  const units = BigInt(MICRO_PER_DOLLAR) * BigInt(Math.abs(lots)) * BigInt(lot.value)
  return quotientText(dollars, units)
}

function quotientText(dividend: bigint, divisor: bigint): string {
  // The digit counts leave one digit uncertain: this scale gives 28 digits, or 29, which is one too
  // many.
  let scale = DIGITS - (`${dividend}`.length - `${divisor}`.length)
  if (shifted(dividend, scale) / shifted(divisor, -scale) >= DIGITS_LIMIT) scale -= 1
  const digits = `${divHalfEven(shifted(dividend, scale), shifted(divisor, -scale))}`
  return scale >= 0 ? pointed(digits, scale) : digits + '0'.repeat(-scale)
}

/** n × 10^places, or n itself when places is negative. */
function shifted(n: bigint, places: number): bigint {
  return places > 0 ? n * 10n ** BigInt(places) : n
}

function divHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const twice = (dividend % divisor) * 2n
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n)
  return up ? quotient + 1n : quotient
}
