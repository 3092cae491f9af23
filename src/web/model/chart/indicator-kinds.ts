// The indicators that the chart offers: their inputs with defaults and limits, and their lines.

import type { Bar } from './bars.ts'
import { atr, bollinger, ema, macd, rsi, sma, type Values, vwap } from './indicators.ts'

export type IndicatorLine = Readonly<{ name: string; values: Values; bars?: boolean }>

type Input = Readonly<{ name: string; initial: number; min: number; max: number }>

type IndicatorKindRow = Readonly<{
  name: string
  about: string
  /** Whether it is drawn over the prices, or in a pane of its own below them. */
  overPrices: boolean
  inputs: readonly Input[]
  lines: (bars: readonly Bar[], inputs: readonly number[]) => readonly IndicatorLine[]
}>

const length = (initial: number): Input => ({ name: 'Length', initial, min: 2, max: 500 })
const closesOf = (bars: readonly Bar[]) => bars.map(({ close }) => close)

export const indicatorKinds = {
  sma: {
    name: 'SMA',
    about: 'Simple moving average',
    overPrices: true,
    inputs: [length(20)],
    lines: (bars, [n]) => [{ name: `SMA ${n}`, values: sma(closesOf(bars), n!) }],
  },
  ema: {
    name: 'EMA',
    about: 'Exponential moving average',
    overPrices: true,
    inputs: [length(21)],
    lines: (bars, [n]) => [{ name: `EMA ${n}`, values: ema(closesOf(bars), n!) }],
  },
  vwap: {
    name: 'VWAP',
    about: 'Volume-weighted average price of the UTC day',
    overPrices: true,
    inputs: [],
    lines: (bars) => [{ name: 'VWAP', values: vwap(bars) }],
  },
  bollinger: {
    name: 'Bollinger bands',
    about: 'Standard deviations around a moving average',
    overPrices: true,
    inputs: [length(20), { name: 'Width', initial: 2, min: 0.5, max: 10 }],
    lines: (bars, [n, width]) => {
      const { upper, middle, lower } = bollinger(closesOf(bars), n!, width!)
      return [
        { name: `BB ${n}`, values: middle },
        { name: 'Upper', values: upper },
        { name: 'Lower', values: lower },
      ]
    },
  },
  rsi: {
    name: 'RSI',
    about: 'Relative strength index',
    overPrices: false,
    inputs: [length(14)],
    lines: (bars, [n]) => [{ name: `RSI ${n}`, values: rsi(closesOf(bars), n!) }],
  },
  macd: {
    name: 'MACD',
    about: 'Convergence and divergence of two moving averages',
    overPrices: false,
    inputs: [
      { name: 'Fast', initial: 12, min: 2, max: 500 },
      { name: 'Slow', initial: 26, min: 2, max: 500 },
      { name: 'Signal', initial: 9, min: 2, max: 500 },
    ],
    lines: (bars, [fast, slow, signal]) => {
      const found = macd(closesOf(bars), { fast: fast!, slow: slow!, signal: signal! })
      return [
        { name: 'Histogram', values: found.histogram, bars: true },
        { name: `MACD ${fast} ${slow}`, values: found.line },
        { name: `Signal ${signal}`, values: found.signal },
      ]
    },
  },
  atr: {
    name: 'ATR',
    about: 'Average true range',
    overPrices: false,
    inputs: [length(14)],
    lines: (bars, [n]) => [{ name: `ATR ${n}`, values: atr(bars, n!) }],
  },
} as const satisfies Readonly<Record<string, IndicatorKindRow>>

export type IndicatorKind = keyof typeof indicatorKinds
export type Indicator = Readonly<{ kind: IndicatorKind; inputs: readonly number[] }>

export const kindOf = (kind: IndicatorKind): IndicatorKindRow => indicatorKinds[kind]

export const newIndicator = (kind: IndicatorKind): Indicator => ({
  kind,
  inputs: kindOf(kind).inputs.map(({ initial }) => initial),
})

/** Indicators shown at a time. */
export const indicatorsMax = 8

/** Reads stored indicators. Unknown kinds are ignored; invalid inputs get their default. */
export function readIndicators(stored: readonly unknown[]): readonly Indicator[] {
  return stored.slice(0, indicatorsMax).flatMap((each) => {
    const { kind, inputs } = (each ?? {}) as Partial<Indicator>
    if (typeof kind !== 'string' || !Object.hasOwn(indicatorKinds, kind)) return []
    const given: readonly unknown[] = Array.isArray(inputs) ? inputs : []
    const read = kindOf(kind).inputs.map(({ initial, min, max }, at) => {
      const value = given[at]
      return typeof value === 'number' && value >= min && value <= max ? value : initial
    })
    return [{ kind, inputs: read }]
  })
}
