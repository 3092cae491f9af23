// Parses an operator's number in steps of its unit. The error names the step, the nearest accepted
// values, or the maximum.

import { limits, type Step } from '../../core/index.ts'
import { formatGrid, parseGrid } from '../../units/decimal.ts'
import { MICRO_PER_TICK, PPM } from '../../units/units.ts'
import { apiError } from '../api-error.ts'
import { nearestOnGrid } from './nearest.ts'

export type Counted = Readonly<{ step: Step; most: number }>

export const counted = {
  money: { step: { value: 1, scale: 6 }, most: limits.moneyMax },
  /** A fraction of 1. */
  rate: { step: { value: 1, scale: 6 }, most: PPM },
  percent: { step: { value: 1, scale: 4 }, most: PPM },
} as const satisfies Record<string, Counted>

export const sizesOf = (lotSize: Step): Counted => ({ step: lotSize, most: limits.moneyMax })

/** The unit of index prices, in millionths of a tick. */
export function indexPricesOf({ value, scale }: Step): Counted {
  const step = { value, scale: scale + indexDecimals }
  return { step, most: limits.oracleTicksMax * MICRO_PER_TICK }
}

/** Number of decimals that an index price has in addition to those of a tick. */
export const indexDecimals = 6

export function numberIn(field: string, text: string, { step, most }: Counted): number {
  const grid = { stepValue: step.value, stepScale: step.scale }
  const parsed = parseGrid(text, grid)
  if (parsed.ok) return parsed.value
  const written = (steps: number) => formatGrid(steps, grid)
  const reasons = {
    malformed: () => 'is not a decimal in plain digits, such as 12.5',
    off_grid: () => {
      const near = nearestOnGrid(text, step).map(written).join(' and ')
      return `must be a multiple of ${written(1)}${near === '' ? '' : `; nearest: ${near}`}`
    },
    too_large: () => `is too large: at most ${written(most)}`,
  }
  throw apiError('MALFORMED_REQUEST', `${field} ${text} ${reasons[parsed.reason]()}`)
}
