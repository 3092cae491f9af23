import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CurvePoint,
  drawdowns,
  maxDrawdown,
  periodOf,
  profitBy,
  profitSince,
  rangeStart,
} from './profit-curve.ts'

const day = 86_400_000
const hour = day / 24
const point = (at: number, profit: number, equity = 1_000 + profit): CurvePoint => ({
  ...{ at, profit, equity },
})

test('a range of days begins at midnight UTC, and one day is 24 hours', () => {
  const now = 20 * day + 5 * hour + 61_000
  assert.equal(rangeStart('7d', now), 14 * day)
  assert.equal(rangeStart('30d', now), -9 * day)
  assert.equal(rangeStart('1d', now), 19 * day + 5 * hour)
  assert.equal(rangeStart('all', now), 0)
})

test('the profit of a range begins with 0, also for an account that is younger', () => {
  const profits = (points: readonly CurvePoint[]) => points.map(({ profit }) => profit)
  const points = [point(day, 40), point(2 * day, 30), point(3 * day, 70)]
  assert.deepEqual(profits(profitSince(points, day)), [0, -10, 30])
  assert.deepEqual(profits(profitSince(points, 0)), [40, 30, 70])
  assert.deepEqual(profitSince([], 0), [])
})

test('profit by day adds up to the profit, and midnight ends a day', () => {
  const points = [
    point(10 * day, 0),
    point(10 * day + hour, 5),
    point(11 * day, -20),
    point(11 * day + 2 * hour, -15),
    point(14 * day + 1, 100),
  ]
  const days = profitBy(points, day)
  assert.deepEqual(
    days.map(({ at, value }) => [at / day, value]),
    [
      [10, -20],
      [11, 5],
      [12, 0],
      [13, 0],
      [14, 115],
    ],
  )
  assert.equal(
    days.reduce((sum, { value }) => sum + value, 0),
    points.at(-1)!.profit,
  )
  assert.deepEqual(profitBy([], day, -day), [])
  assert.deepEqual(profitBy([point(9 * day + 5, 3)], day, 8 * day), [
    { at: 8 * day, value: 0 },
    { at: 9 * day, value: 3 },
  ])
})

test('periods are hours in a day, days otherwise, and longer where points are', () => {
  const points = [point(0, 0), point(3 * day, 1)]
  assert.equal(periodOf('1d', points), hour)
  assert.equal(periodOf('all', points), 3 * day)
  assert.equal(periodOf('30d', [point(0, 0), point(4 * hour, 0)]), day)
  assert.equal(periodOf('7d', []), day)
})

test('a drawdown is measured from the highest profit, whatever is deposited', () => {
  // A deposit of 9,000 between the second and the third point.
  const points = [point(0, 0), point(1, 200), point(2, 50, 10_050), point(3, 300, 10_300)]
  assert.deepEqual(
    drawdowns(points).map(({ amount }) => amount),
    [0, 0, 150, 0],
  )
  const { amount, share } = maxDrawdown(points)
  assert.deepEqual([amount, share], [150, 150 / 1_200])
})

test('an account that only lost has its loss as drawdown, one that only won has none', () => {
  assert.deepEqual(maxDrawdown([point(1, -100), point(2, -250)]).amount, 250)
  assert.equal(maxDrawdown([point(1, -100), point(2, -250)]).share, 0.25)
  assert.deepEqual(maxDrawdown([point(1, 1), point(2, 2)]), { amount: 0, share: 0 })
  assert.deepEqual(maxDrawdown([]), { amount: 0, share: 0 })
})
