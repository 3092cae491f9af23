// The quantities of the exchange, each a safe integer with its own type, so that a price cannot be
// passed as a size. Only the constructors create them, and they throw on an invalid value. None of
// them is ever -0, which equals 0 but hashes differently.
import { broken } from './invariant.ts'

declare const unit: unique symbol
type Unit<Name extends string> = number & { readonly [unit]: Name }

/** A price, counted in the market's smallest price step. */
export type Ticks = Unit<'Ticks'>
/** A size, counted in the market's smallest size step. Signed on a position: + long, - short. */
export type Lots = Unit<'Lots'>
/** Money, counted in micro-dollars (0.000001 USD). May be negative. */
export type Quote = Unit<'Quote'>
/** Millionths of a tick: oracle and impact prices. */
export type MicroTicks = Unit<'MicroTicks'>
/** Parts per million: fees (negative for a rebate), margin fractions, ratios (may exceed one). */
export type Ppm = Unit<'Ppm'>
/** Parts per billion: funding rates and premiums. May be negative. */
export type Ppb = Unit<'Ppb'>
/** Milliseconds since 1970, taken from a command and never from a clock. */
export type TimeMs = Unit<'TimeMs'>

export const PPM = 1_000_000
export const PPB = 1_000_000_000
export const MICRO_PER_TICK = 1_000_000
export const MICRO_PER_DOLLAR = 1_000_000

export function ticks(n: number): Ticks {
  if (!Number.isSafeInteger(n) || n <= 0) broken('not a price in ticks', n)
  return n as Ticks
}

// Adding 0 turns -0, the result of negating an empty position, into 0 and changes nothing else.

export function lots(n: number): Lots {
  if (!Number.isSafeInteger(n)) broken('not a size in lots', n)
  return (n + 0) as Lots
}

export function quote(n: number): Quote {
  if (!Number.isSafeInteger(n)) broken('not an amount in micro-dollars', n)
  return (n + 0) as Quote
}

export function microTicks(n: number): MicroTicks {
  if (!Number.isSafeInteger(n)) broken('not a price in millionths of a tick', n)
  return (n + 0) as MicroTicks
}

export function ppm(n: number): Ppm {
  if (!Number.isSafeInteger(n)) broken('not a rate in ppm', n)
  return (n + 0) as Ppm
}

export function ppb(n: number): Ppb {
  if (!Number.isSafeInteger(n)) broken('not a rate in ppb', n)
  return (n + 0) as Ppb
}

export function timeMs(n: number): TimeMs {
  if (!Number.isSafeInteger(n) || n < 0) broken('not a time in milliseconds', n)
  return (n + 0) as TimeMs
}
