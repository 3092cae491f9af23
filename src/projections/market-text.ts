// Formats and parses the numbers of a market. No other code of the shell multiplies by a tick size.

import type { MarketParams, Step } from '../core/index.ts'
import {
  formatDecimal,
  formatGrid,
  type Parsed,
  parseDecimal,
  parseGrid,
} from '../units/decimal.ts'
import { entryPriceText } from '../units/entry-price.ts'
import type { Lots, Quote } from '../units/units.ts'

const grid = ({ value, scale }: Step) => ({ stepValue: value, stepScale: scale })

export function priceText(params: MarketParams, ticks: number): string {
  return formatGrid(ticks, grid(params.tickSize))
}

export function sizeText(params: MarketParams, lots: number): string {
  return formatGrid(lots, grid(params.lotSize))
}

/** Formats oracle and impact prices, which are in millionths of a tick. */
export function microPriceText(params: MarketParams, microTicks: number): string {
  const { value, scale } = params.tickSize
  return formatGrid(microTicks, { stepValue: value, stepScale: scale + 6 })
}

export function moneyText(microDollars: number): string {
  return formatDecimal(microDollars, 6)
}

/** Formats parts per million as a decimal fraction. */
export function ppmText(ppm: number): string {
  return formatDecimal(ppm, 6)
}

export function ppbText(ppb: number): string {
  return formatDecimal(ppb, 9)
}

/** Formats cost ÷ amount with 28 significant digits. */
export function averagePriceText(params: MarketParams, cost: number, lots: number): string {
  return entryPriceText(cost as Quote, lots as Lots, params.lotSize)
}

export function parsePrice(params: MarketParams, text: string): Parsed {
  return parseGrid(text, grid(params.tickSize))
}

export function parseSize(params: MarketParams, text: string): Parsed {
  return parseGrid(text, grid(params.lotSize))
}

export function parseMicroPrice(params: MarketParams, text: string): Parsed {
  const { value, scale } = params.tickSize
  return parseGrid(text, { stepValue: value, stepScale: scale + 6 })
}

export function parseMoney(text: string): Parsed {
  return parseDecimal(text, 6)
}

/** For example `2025-01-31T12:00:00.123000Z`; the contract requires microseconds. */
export function isoText(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

type Filled = Readonly<{ price: number; value: number; lots: number }>

/** The price of a deleveraging need not be a whole tick. It is its value divided by its lots. */
export function fillPriceText(params: MarketParams, { price, value, lots }: Filled): string {
  return price === 0 ? averagePriceText(params, value, lots) : priceText(params, price)
}
