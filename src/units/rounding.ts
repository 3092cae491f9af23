// Division of integers. Each name states its rounding direction, every result is exact, and none is
// -0. Plain numbers, because this code is hot; BigInt only where a product exceeds the safe
// integers. A float quotient can be trusted here: for safe integers a and b > 0, the exact a/b is
// either an integer k or at least 1/b > |k|/2^53 away from it, which exceeds the maximum rounding
// error of a division near k. So the rounded quotient never falsely reaches or crosses an integer.
// Above 2^53 this fails, hence the checks.
import { broken } from './invariant.ts'

const SAFE_MAX = Number.MAX_SAFE_INTEGER
// Not imported from units.ts: a constant of its own module is compiled into the machine code, while
// an imported one is looked up and checked at each use, and these functions are used everywhere.
const PPM = 1_000_000

// `+ 0` at the end of a result turns -0 into 0 and changes nothing else.

/** value × ppm ÷ 10^6 rounded down, for value >= 0 and a rate of at most one. */
export function mulPpmFloor(value: number, ppm: number): number {
  const product = value * ppm
  if (product <= SAFE_MAX && value >= 0 && ppm >= 0 && ppm <= PPM)
    return Math.floor(product / PPM) + 0
  return splitPpmFloor(value, ppm)
}

/** value × ppm ÷ 10^6 rounded up, for value >= 0 and a rate of at most one. */
export function mulPpmCeil(value: number, ppm: number): number {
  const product = value * ppm
  if (product <= SAFE_MAX && value >= 0 && ppm >= 0 && ppm <= PPM)
    return Math.ceil(product / PPM) + 0
  return splitPpmCeil(value, ppm)
}

// Split at 10^6: millions × ppm <= value, and rest × ppm < 10^12, so neither product is rounded.
function splitPpmFloor(value: number, ppm: number): number {
  requirePpmRange(value, ppm)
  const millions = Math.floor(value / PPM)
  return millions * ppm + Math.floor(((value - millions * PPM) * ppm) / PPM)
}

function splitPpmCeil(value: number, ppm: number): number {
  requirePpmRange(value, ppm)
  const millions = Math.floor(value / PPM)
  return millions * ppm + Math.ceil(((value - millions * PPM) * ppm) / PPM)
}

/** dividend ÷ divisor towards minus infinity; divisor > 0. */
export function divFloor(dividend: number, divisor: number): number {
  requireSafe(dividend)
  requireDivisor(divisor)
  return Math.floor(dividend / divisor) + 0
}

/** dividend ÷ divisor towards plus infinity; divisor > 0. */
export function divCeil(dividend: number, divisor: number): number {
  requireSafe(dividend)
  requireDivisor(divisor)
  return Math.ceil(dividend / divisor) + 0
}

/** The share of a total for `part` of `whole`, rounded towards zero; 0 <= part <= whole. */
export function shareTrunc(total: number, part: number, whole: number): number {
  if (part < 0 || part > whole) broken('part is not within the whole', part)
  return mulDivTrunc(total, part, whole)
}

/** left × right ÷ divisor towards minus infinity; divisor > 0. */
export function mulDivFloor(left: number, right: number, divisor: number): number {
  requireOperands(left, right, divisor)
  const product = left * right
  if (isExact(product)) return Math.floor(product / divisor) + 0
  const wide = BigInt(left) * BigInt(right)
  const by = BigInt(divisor)
  return narrow(wide % by < 0n ? wide / by - 1n : wide / by)
}

/** left × right ÷ divisor towards plus infinity; divisor > 0. */
export function mulDivCeil(left: number, right: number, divisor: number): number {
  requireOperands(left, right, divisor)
  const product = left * right
  if (isExact(product)) return Math.ceil(product / divisor) + 0
  const wide = BigInt(left) * BigInt(right)
  const by = BigInt(divisor)
  return narrow(wide % by > 0n ? wide / by + 1n : wide / by)
}

/** left × right ÷ divisor towards zero; divisor > 0. */
export function mulDivTrunc(left: number, right: number, divisor: number): number {
  requireOperands(left, right, divisor)
  const product = left * right
  if (isExact(product)) return Math.trunc(product / divisor) + 0
  return narrow((BigInt(left) * BigInt(right)) / BigInt(divisor))
}

/** value ÷ unit to the nearest, halves towards plus infinity; unit > 0 and even. */
export function roundHalfUp(value: number, unit: number): number {
  // Computed in half units, because value + unit/2 could exceed the safe integers. Half of an odd
  // unit is not an integer.
  return Math.floor((divFloor(value, unit / 2) + 1) / 2) + 0
}

// A product of two safe integers that is above 2^53 - 1 is never rounded back to below 2^53.
function isExact(product: number): boolean {
  return product <= SAFE_MAX && product >= -SAFE_MAX
}

function narrow(result: bigint): number {
  const n = Number(result)
  if (!isExact(n)) broken('quotient is not a safe integer', n)
  return n
}

// Checks ranges only; the types ensure that the hottest functions receive integers.
function requirePpmRange(value: number, ppm: number): void {
  if (!(value >= 0 && value <= SAFE_MAX)) broken('value is not within 0..2^53', value)
  if (!(ppm >= 0 && ppm <= PPM)) broken('ppm is not within 0..10^6', ppm)
}

function requireOperands(left: number, right: number, divisor: number): void {
  requireSafe(left)
  requireSafe(right)
  requireDivisor(divisor)
}

function requireSafe(n: number): void {
  if (!Number.isSafeInteger(n)) broken('operand is not a safe integer', n)
}

function requireDivisor(n: number): void {
  if (!Number.isSafeInteger(n) || n <= 0) broken('divisor is not above zero', n)
}
