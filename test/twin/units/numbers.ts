// Whole-number arithmetic of the naive engine, in BigInt only, with every rounding direction named.
// Written apart from src/units on purpose: a shared mistake would be seen by neither engine.

/** A bug of this engine, or a sequence it was never to be given. */
export class BrokenNaive extends Error {}

export const MILLION = 1_000_000n
export const BILLION = 1_000_000_000n

export function abs(x: bigint): bigint {
  return x < 0n ? -x : x
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

export function signOf(x: bigint): bigint {
  if (x > 0n) return 1n
  return x < 0n ? -1n : 0n
}

/** BigInt division truncates; this rounds down also below zero. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const cut = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? cut - 1n : cut
}

export function ceilDiv(a: bigint, b: bigint): bigint {
  return -floorDiv(-a, b)
}

export function clamp(x: bigint, low: bigint, high: bigint): bigint {
  return min(max(x, low), high)
}

/** Micro-ticks to ticks, half up. */
export function halfUpTicks(micro: bigint): bigint {
  return floorDiv(micro + MILLION / 2n, MILLION)
}

export function isInt(x: unknown): x is number {
  return Number.isSafeInteger(x)
}

export function isIntIn(x: unknown, low: number, high: number): x is number {
  return isInt(x) && x >= low && x <= high
}

/** A number of a command, as a refusal shows it: 0 when it is not a safe integer. */
export function given(x: unknown): number {
  return isInt(x) ? x + 0 : 0
}

/** A number we worked out, as a refusal shows it: the nearest safe integer. */
export function shown(x: bigint): number {
  return Number(clamp(x, BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)))
}

/** For events and views, where an unsafe number would be a bug. */
export function num(x: bigint): number {
  const n = Number(x)
  if (!Number.isSafeInteger(n)) throw new BrokenNaive(`not a safe integer: ${x}`)
  return n
}

export function isText(x: unknown, length: number): x is string {
  return typeof x === 'string' && x.length >= 1 && x.length <= length
}

/** ORDER-8: a client id in capitals is the same id. */
export function asBytes(client: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  return [...String(client)]
    .map((each) => (letters.includes(each) ? each.toLowerCase() : each))
    .join('')
}

export function sameClient(one: string, other: string | null): boolean {
  return other !== null && asBytes(one) === asBytes(other)
}
