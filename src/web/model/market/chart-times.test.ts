import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chartSeconds, isDaily, markText, pointText } from './chart-times.ts'

// The hour from 01:00 to 02:00 of 2026-11-01 passes twice in New York.
const hour = 3_600_000
const start = Date.UTC(2026, 10, 1)
const hours = Array.from({ length: 24 }, (_, at) => start + at * hour)
const zone = process.env.TZ
before(() => {
  process.env.TZ = 'America/New_York'
})
after(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

test('times rise through the hour that autumn repeats', () => {
  assert.equal(new Date(start).getHours(), 20, 'this machine knows the time of New York')
  const times = hours.map(chartSeconds)
  assert.ok(times.every((time, at) => at === 0 || time === times[at - 1]! + 3_600))
})

test('marks have the time of the reader, and the day where it begins', () => {
  const marks = hours.slice(0, 8).map((ms, at) => markText(chartSeconds(ms), at === 0, false))
  assert.deepEqual(marks, [
    ...['31 20:00', '21:00', '22:00', '23:00', 'Nov', '01:00', '01:00', '02:00'],
  ])
  assert.equal(markText(chartSeconds(start + 28 * hour), false, false), '23:00')
  assert.equal(markText(chartSeconds(start + 29 * hour), false, false), '2')
  assert.equal(markText(chartSeconds(Date.UTC(2027, 0, 1, 5)), true, false), '2027')
  assert.equal(markText(chartSeconds(start + 61_000), false, false), '20:01:01')
})

test('days are days of UTC', () => {
  assert.deepEqual(
    ['1h', '1d', '1w', '1M'].map((name) => isDaily(name as '1d')),
    [...[false, true, true, true]],
  )
  assert.equal(markText(chartSeconds(start), true, true), 'Nov')
  assert.equal(pointText(chartSeconds(start), true), '1 Nov 2026')
  assert.equal(pointText(chartSeconds(start), false), '31 Oct 2026 20:00')
})
