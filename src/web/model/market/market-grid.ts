// A market's steps of price and size, and rounding to them. Requests consist of whole ticks and
// lots as text, never of floats.

import { formatGrid, type GridStep, parseGrid, stepOf } from '../../../units/decimal.ts'

export type MarketGrid = Readonly<{
  tick: GridStep
  lot: GridStep
  tickPlaces: number
  lotPlaces: number
}>

export function gridOf(market: Readonly<{ tick_size: string; lot_size: string }>): MarketGrid {
  const tick = stepOf(market.tick_size)
  const lot = stepOf(market.lot_size)
  return { tick, lot, tickPlaces: tick.stepScale, lotPlaces: lot.stepScale }
}

export type Rounding = 'down' | 'up' | 'near'

const plain = /^([0-9]{1,15})(?:\.([0-9]{0,18}))?$/

/** Number of steps of a decimal text; `null` if it is not a plain number. */
export function stepsOf(
  text: string,
  { stepValue, stepScale }: GridStep,
  rounding: Rounding = 'down',
) {
  const match = plain.exec(text.trim())
  if (match === null) return null
  const [, whole = '0', fraction = ''] = match
  const places = Math.max(stepScale, fraction.length)
  const units = BigInt(whole + fraction.padEnd(places, '0'))
  const step = BigInt(stepValue) * 10n ** BigInt(places - stepScale)
  const extra = rounding === 'up' ? step - 1n : rounding === 'near' ? step / 2n : 0n
  const steps = (units + extra) / step
  return steps <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(steps) : null
}

/** Nearest number on the grid as text; `null` if the text is not a number. */
export function onGrid(text: string, step: GridStep, rounding: Rounding = 'near'): string | null {
  const steps = stepsOf(text, step, rounding)
  return steps === null ? null : formatGrid(steps, step)
}

/** Rounds a number of the display, such as a dragged price or a percentage, to the grid. */
export function numberOnGrid(value: number, step: GridStep, rounding: Rounding = 'near'): string {
  const size = step.stepValue / 10 ** step.stepScale
  const count = value / size
  // A float may differ slightly from the intended step.
  const nudged = rounding === 'down' ? Math.floor(count + 1e-9) : Math.ceil(count - 1e-9)
  const steps = rounding === 'near' ? Math.round(count) : nudged
  return formatGrid(Math.max(0, Math.min(steps, Number.MAX_SAFE_INTEGER)), step)
}

/** A multiple or a part of an amount, rounded down, but at least one step. */
export function scaled(amount: string, times: number, lot: GridStep): string {
  return formatGrid(Math.max(1, Math.floor((stepsOf(amount, lot) ?? 0) * times)), lot)
}

/** An amount minus a part of it. */
export function less(amount: string, part: string, lot: GridStep): string {
  return formatGrid((stepsOf(amount, lot) ?? 0) - (stepsOf(part, lot) ?? 0), lot)
}

export function isOnGrid(text: string, step: GridStep): boolean {
  return parseGrid(text, step).ok
}
