import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bar, heikinAshi } from './bars.ts'
import { atr, bollinger, ema, macd, rsi, sma, type Values, vwap } from './indicators.ts'

const near = (found: number | null | undefined, expected: number, within = 1e-9) =>
  assert.ok(found != null && Math.abs(found - expected) <= within, `${found} is not ${expected}`)

const rounded = (values: Values, places: number) =>
  values.filter((value) => value !== null).map((value) => value.toFixed(places))

const bar = (at: number, high: number, low: number, close: number, volume = 1): Bar => ({
  at,
  open: close,
  high,
  low,
  close,
  volume,
})

/** Closes of a published example of the ten-day averages. */
const closes = [
  22.27, 22.19, 22.08, 22.17, 22.18, 22.13, 22.23, 22.43, 22.24, 22.29, 22.15, 22.39, 22.38, 22.61,
  23.36, 24.05, 23.75, 23.83, 23.95, 23.63,
]

test('moving averages equal the published example', () => {
  assert.deepEqual(rounded(sma(closes, 10), 2), [
    ...['22.22', '22.21', '22.23', '22.26', '22.30', '22.42', '22.61', '22.77', '22.91', '23.08'],
    '23.21',
  ])
  assert.deepEqual(rounded(ema(closes, 10), 2), [
    ...['22.22', '22.21', '22.24', '22.27', '22.33', '22.52', '22.80', '22.97', '23.13', '23.28'],
    '23.34',
  ])
})

test('the first values are unknown, and a series that is too short has none', () => {
  assert.deepEqual(sma([1, 2, 3], 2), [null, 1.5, 2.5])
  assert.deepEqual(ema([1, 2], 3), [null, null])
  assert.deepEqual(rsi([], 14), [])
  assert.deepEqual(rsi([1], 14), [null])
})

/** The example of the book that introduced the index, fourteen days. */
const rsiCloses = [
  44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931,
  46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439,
]

test('the relative strength index equals the published example', () => {
  const found = rounded(rsi(rsiCloses, 14), 2)
  assert.deepEqual(found, ['70.53', '66.32', '66.55', '69.41', '66.36', '57.97'])
})

test('an index without losses is 100, without changes 50', () => {
  near(rsi([1, 2, 3, 4], 3).at(-1), 100)
  near(rsi([4, 3, 2, 1], 3).at(-1), 0)
  near(rsi([2, 2, 2, 2], 3).at(-1), 50)
})

test('bands are standard deviations of the window around its mean', () => {
  const { upper, middle, lower } = bollinger([2, 4, 4, 4, 5, 5, 7, 9], 8, 2)
  near(middle.at(-1), 5)
  near(upper.at(-1), 9)
  near(lower.at(-1), 1)
})

test('the convergence line is the difference of two averages, with an average of itself', () => {
  const values = [1, 2, 4, 7, 11, 16, 22]
  const { line, signal, histogram } = macd(values, { fast: 2, slow: 3, signal: 2 })
  // Averages by hand: of two 3/2, 19/6, 103/18, 499/54, 2227/162, 9355/486; of three 7/3, 14/3,
  // 47/6, 143/12, 407/24.
  near(line[2], 19 / 6 - 7 / 3)
  near(line[6], 9355 / 486 - 407 / 24)
  near(signal[3], (19 / 6 - 7 / 3 + 103 / 18 - 14 / 3) / 2)
  near(histogram[3], line[3]! - signal[3]!)
  assert.deepEqual([line[1], signal[2], histogram[2]], [null, null, null])
})

test('the true range includes the close before, and its average is smoothed', () => {
  const bars = [bar(0, 10, 8, 9), bar(1, 12, 11, 11), bar(2, 11, 7, 8), bar(3, 9, 8.5, 9)]
  // Ranges 2, 3 (from the close at 9), 4 (from 11 down), 1.
  const found = atr(bars, 3)
  assert.deepEqual(found.slice(0, 2), [null, null])
  near(found[2], 3)
  near(found[3], 3 + (1 - 3) / 3)
})

test('the volume-weighted price starts again each UTC day', () => {
  const day = 86_400_000
  const found = vwap([bar(0, 3, 3, 3, 1), bar(60_000, 6, 6, 6, 2), bar(day, 9, 9, 9, 5)])
  near(found[0], 3)
  near(found[1], 5)
  near(found[2], 9)
  assert.deepEqual(vwap([bar(0, 3, 3, 3, 0)]), [null])
})

test('a Heikin-Ashi bar opens in the middle of the one before and closes at its own mean', () => {
  const bars: Bar[] = [
    { at: 0, open: 10, high: 14, low: 8, close: 12, volume: 1 },
    { at: 1, open: 12, high: 13, low: 11, close: 11, volume: 1 },
  ]
  const [first, second] = heikinAshi(bars)
  assert.deepEqual([first!.open, first!.close, first!.high, first!.low], [11, 11, 14, 8])
  assert.deepEqual([second!.open, second!.close], [11, 11.75])
  assert.deepEqual([second!.high, second!.low], [13, 11])
})
