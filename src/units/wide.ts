// Quotients of products whose intermediate results exceed a safe integer. Uses BigInt and is not
// for the hot path. Each name states its rounding direction, and the result must be a safe integer.

import { broken } from './invariant.ts'

function productOf(factors: readonly number[]): bigint {
  let product = 1n
  for (const factor of factors) product *= BigInt(factor)
  return product
}

function safe(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) broken('wide result', number)
  return number
}

/** ⌊Π above ÷ Π below⌋, below > 0. */
export function ratioFloor(above: readonly number[], below: readonly number[]): number {
  const dividend = productOf(above)
  const divisor = productOf(below)
  const quotient = dividend / divisor
  return safe(dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient)
}

/** ⌈Π above ÷ Π below⌉, below > 0. */
export function ratioCeil(above: readonly number[], below: readonly number[]): number {
  const dividend = productOf(above)
  const divisor = productOf(below)
  const quotient = dividend / divisor
  return safe(dividend > 0n && quotient * divisor !== dividend ? quotient + 1n : quotient)
}

/** Rounds towards zero. */
export function ratioTrunc(above: readonly number[], below: readonly number[]): number {
  return safe(productOf(above) / productOf(below))
}

/** The sign of Π left − Π right. */
export function compareProducts(left: readonly number[], right: readonly number[]): number {
  const difference = productOf(left) - productOf(right)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** ⌈(a·b − c·d) × times ÷ below⌉ for left [a, b] and right [c, d], below > 0. */
export function differenceCeil(
  left: readonly number[],
  right: readonly number[],
  times: number,
  below: number,
): number {
  const dividend = (productOf(left) - productOf(right)) * BigInt(times)
  const divisor = BigInt(below)
  const quotient = dividend / divisor
  return safe(dividend > 0n && quotient * divisor !== dividend ? quotient + 1n : quotient)
}
