// Numbers as people read them, in columns. Money is shown to the cent; nothing is computed from
// what is shown.

import type { Step } from '../core/markets/market-params.ts'
import { formatDecimal, formatGrid } from '../units/decimal.ts'
import { roundHalfUp } from '../units/rounding.ts'
import { paramsOf } from './markets.ts'

const MICRO_PER_CENT = 10_000

/** To the cent, with its thousands apart: 1,234.50. */
export function dollars(micro: number): string {
  const [integer = '', fraction = ''] = formatDecimal(roundHalfUp(micro, MICRO_PER_CENT), 2).split(
    '.',
  )
  return `${integer.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`
}

/** With a sign in front, also of a gain. */
export function change(micro: number): string {
  return micro < 0 ? dollars(micro) : `+${dollars(micro)}`
}

export function priceText(market: number, ticks: number): string {
  return formatGrid(ticks, stepOf(paramsOf(market).tickSize))
}

export function sizeText(market: number, lots: number): string {
  const { lotSize, baseAsset } = paramsOf(market)
  return `${formatGrid(lots, stepOf(lotSize))} ${baseAsset}`
}

function stepOf({ value, scale }: Step) {
  return { stepValue: value, stepScale: scale }
}

export function clockText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19)
}

/** Words to the left, numbers to the right, each in its column. */
export function row(...cells: readonly string[]): string {
  const [first = '', ...rest] = cells
  return `  ${first.padEnd(17)}${rest.map((cell) => cell.padStart(14)).join('')}`.trimEnd()
}
