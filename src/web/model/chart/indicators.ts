// Technical indicators. Each is a pure function of bars or values, and returns one value per input;
// `null` until there are enough inputs.

import type { Bar } from './bars.ts'

export type Values = readonly (number | null)[]

const day = 86_400_000

/** Simple moving average: the mean of the last `length` values. */
export function sma(values: readonly number[], length: number): Values {
  return values.map((_, at) => (at + 1 < length ? null : meanUntil(values, at, length)))
}

function meanUntil(values: readonly number[], at: number, length: number): number {
  let sum = 0
  for (let each = at - length + 1; each <= at; each++) sum += values[each]!
  return sum / length
}

/** Average that starts as the mean of the first `length` values, and then moves by `weight` of the
 *  distance to each further value. */
function smoothed(values: readonly number[], length: number, weight: number): Values {
  let average: number | null = null
  return values.map((value, at) => {
    if (at + 1 < length) return null
    average =
      average === null ? meanUntil(values, at, length) : average + (value - average) * weight
    return average
  })
}

/** Exponential moving average, with a weight of 2 / (length + 1). */
export function ema(values: readonly number[], length: number): Values {
  return smoothed(values, length, 2 / (length + 1))
}

/** Volume-weighted average price since the start of the UTC day, at each bar's typical price. */
export function vwap(bars: readonly Bar[]): Values {
  let started = Number.NaN
  let value = 0
  let volume = 0
  return bars.map((bar) => {
    const today = Math.floor(bar.at / day)
    if (today !== started) {
      started = today
      value = 0
      volume = 0
    }
    value += ((bar.high + bar.low + bar.close) / 3) * bar.volume
    volume += bar.volume
    return volume > 0 ? value / volume : null
  })
}

export type Bands = Readonly<{ upper: Values; middle: Values; lower: Values }>

/** Bollinger bands: the moving average, and `width` population standard deviations around it. */
export function bollinger(values: readonly number[], length: number, width: number): Bands {
  const middle = sma(values, length)
  const spread = middle.map((mean, at) => {
    if (mean === null) return null
    let squares = 0
    for (let each = at - length + 1; each <= at; each++) squares += (values[each]! - mean) ** 2
    return Math.sqrt(squares / length) * width
  })
  const shifted = (sign: 1 | -1) =>
    middle.map((mean, at) => (mean === null ? null : mean + sign * spread[at]!))
  return { upper: shifted(1), middle, lower: shifted(-1) }
}

/** Relative strength index, with Wilder's averages of gains and losses. */
export function rsi(values: readonly number[], length: number): Values {
  const changes = values.slice(1).map((value, at) => value - values[at]!)
  const gains = smoothed(
    changes.map((change) => Math.max(change, 0)),
    length,
    1 / length,
  )
  const losses = smoothed(
    changes.map((change) => Math.max(-change, 0)),
    length,
    1 / length,
  )
  const strengths = gains.map((gain, at) => {
    const sum = gain === null ? null : gain + losses[at]!
    return sum === null ? null : sum === 0 ? 50 : (100 * gain!) / sum
  })
  return values.length === 0 ? [] : [null, ...strengths]
}

export type Macd = Readonly<{ line: Values; signal: Values; histogram: Values }>

/** Moving average convergence divergence: the fast average minus the slow one, its own average, and
 *  the difference of both. */
export function macd(
  values: readonly number[],
  { fast, slow, signal: length }: Readonly<{ fast: number; slow: number; signal: number }>,
): Macd {
  const quick = ema(values, fast)
  const line = ema(values, slow).map((value, at) =>
    value === null || quick[at] === null ? null : quick[at]! - value,
  )
  const known = line.filter((value) => value !== null)
  const empty: Values = line.slice(known.length).map(() => null)
  const signal = [...empty, ...ema(known, length)]
  const histogram = line.map((value, at) =>
    value === null || signal[at] === null ? null : value - signal[at]!,
  )
  return { line, signal, histogram }
}

/** Average true range, with Wilder's average. The range of a bar includes the close before it. */
export function atr(bars: readonly Bar[], length: number): Values {
  const ranges = bars.map(({ high, low }, at) => {
    const before = bars[at - 1]?.close ?? low
    return Math.max(high, at === 0 ? high : before) - Math.min(low, before)
  })
  return smoothed(ranges, length, 1 / length)
}
