// Converts decimal text to integers and back; no other module does. Exact in both directions. Text
// is checked character by character before it is converted, so that input such as '1e9', ' 5',
// '0x10' or 'Infinity' is never read as a number by accident.
import { broken } from './invariant.ts'

/** `off_grid` wins over `too_large` when both are true. */
export type Parsed =
  | Readonly<{ ok: true; value: number }>
  | Readonly<{ ok: false; reason: 'malformed' | 'off_grid' | 'too_large' }>

/** A step of stepValue ÷ 10^stepScale: a tick of 0.5 is { stepValue: 5, stepScale: 1 }. */
export type GridStep = Readonly<{ stepValue: number; stepScale: number }>

/** '0.05' is 5 ÷ 10^2. */
export function stepOf(text: string): GridStep {
  const [whole = '0', fraction = ''] = text.split('.')
  return { stepValue: Number(whole + fraction), stepScale: fraction.length }
}

const TEXT_MAX = 40
export const SCALE_MAX = 20
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

const malformed = { ok: false, reason: 'malformed' } as const
const offGrid = { ok: false, reason: 'off_grid' } as const
const tooLarge = { ok: false, reason: 'too_large' } as const

/** text × 10^scale. */
export function parseDecimal(text: string, scale: number): Parsed {
  return parseGrid(text, { stepValue: 1, stepScale: scale })
}

/** text ÷ step, which must be a whole number of steps. */
export function parseGrid(text: string, { stepValue, stepScale }: GridStep): Parsed {
  requireStep(stepValue, stepScale)
  if (text.length > TEXT_MAX) return malformed
  const match = DECIMAL.exec(text)
  if (match === null) return malformed
  const [, sign, integer = '', fraction = ''] = match
  for (let i = stepScale; i < fraction.length; i++) if (fraction[i] !== '0') return offGrid
  const steps = stepsOf(integer + fraction.slice(0, stepScale).padEnd(stepScale, '0'), stepValue)
  if (steps === undefined) return offGrid
  if (!Number.isSafeInteger(steps)) return tooLarge
  // 0 - 0 is 0, where -steps would make '-0' a minus zero.
  return { ok: true, value: sign === '-' ? 0 - steps : steps }
}

/** text ÷ step to the nearest whole number of steps, halves away from zero. For values from
 *  external sources, which do not use our steps. Never `off_grid`. */
export function parseNearest(text: string, { stepValue, stepScale }: GridStep): Parsed {
  requireStep(stepValue, stepScale)
  const match = text.length > TEXT_MAX ? null : DECIMAL.exec(text)
  if (match === null) return malformed
  const [, sign, integer = '', fraction = ''] = match
  const units = BigInt(integer + fraction) * 10n ** BigInt(stepScale)
  const step = BigInt(stepValue) * 10n ** BigInt(fraction.length)
  const steps = Number((2n * units + step) / (2n * step))
  if (!Number.isSafeInteger(steps)) return tooLarge
  return { ok: true, value: sign === '-' ? 0 - steps : steps }
}

/** The shortest text of value ÷ 10^scale: no exponent, no trailing zeros, no '-0'. */
export function formatDecimal(value: number, scale: number): string {
  return formatGrid(value, { stepValue: 1, stepScale: scale })
}

/** The shortest text of steps × step. */
export function formatGrid(steps: number, { stepValue, stepScale }: GridStep): string {
  requireStep(stepValue, stepScale)
  if (!Number.isSafeInteger(steps)) broken('steps are not a safe integer', steps)
  const count = Math.abs(steps)
  const units = count * stepValue
  const digits = Number.isSafeInteger(units) ? `${units}` : `${BigInt(count) * BigInt(stepValue)}`
  return (steps < 0 ? '-' : '') + pointed(digits, stepScale)
}

/** Inserts a decimal point `scale` places from the end, without superfluous zeros. */
export function pointed(digits: string, scale: number): string {
  if (scale === 0) return digits
  const padded = digits.padStart(scale + 1, '0')
  const point = padded.length - scale
  let end = padded.length
  while (end > point && padded[end - 1] === '0') end--
  const integer = padded.slice(0, point)
  return end === point ? integer : `${integer}.${padded.slice(point, end)}`
}

/** Undefined if not a whole number of steps; not a safe integer if there are too many. */
function stepsOf(digits: string, stepValue: number): number | undefined {
  // For digits only, Number is exact up to 2^53 - 1 and never rounds a greater number to below
  // 2^53.
  const units = Number(digits)
  if (stepValue === 1) return units
  if (Number.isSafeInteger(units)) return units % stepValue === 0 ? units / stepValue : undefined
  const wide = BigInt(digits)
  const by = BigInt(stepValue)
  return wide % by === 0n ? Number(wide / by) : undefined
}

function requireStep(stepValue: number, stepScale: number): void {
  if (!Number.isSafeInteger(stepValue) || stepValue <= 0) broken('not a step', stepValue)
  if (!Number.isInteger(stepScale) || stepScale < 0 || stepScale > SCALE_MAX) {
    broken('not a scale', stepScale)
  }
}
