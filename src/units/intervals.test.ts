import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { intervalEnd, intervalLength, intervalStart, intervals } from './intervals.ts'

const day = 86_400_000
// Up to the year 2200: leap years, and the centuries without one.
const moment = fc.integer({ min: 0, max: 84_000 * day })

test('an interval begins at or before its moments and ends after them, without a gap', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...intervals), (ms, interval) => {
      const start = intervalStart(interval, ms)
      const end = intervalEnd(interval, start)
      assert.ok(start <= ms && ms < end)
      assert.equal(intervalStart(interval, end), end)
      assert.equal(intervalStart(interval, end - 1), start)
    }),
  )
})

test('weeks begin on Monday and months on their first day, as the calendar says', () => {
  fc.assert(
    fc.property(moment, (ms) => {
      const date = new Date(ms)
      const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
      assert.equal(intervalStart('1M', ms), month)
      const sinceMonday = (date.getUTCDay() + 6) % 7
      assert.equal(intervalStart('1w', ms), (Math.floor(ms / day) - sinceMonday) * day)
    }),
    { numRuns: 500 },
  )
  assert.equal(intervalStart('1M', Date.UTC(2024, 1, 29, 23)), Date.UTC(2024, 1, 1))
  assert.equal(intervalEnd('1M', Date.UTC(2024, 1, 1)), Date.UTC(2024, 2, 1))
})

test('an interval is as long as its name says', () => {
  const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: day, w: 7 * day }
  for (const interval of intervals) {
    const count = Number(interval.slice(0, -1))
    const ms = interval === '1M' ? 31 * day : count * units[interval.slice(-1)]!
    assert.equal(intervalLength(interval), ms, interval)
  }
})
