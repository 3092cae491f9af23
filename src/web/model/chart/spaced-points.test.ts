import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingTimes, rangeWithZero } from './spaced-points.ts'

const points = (...times: number[]) => times.map((at) => ({ at }))

test('hours without a point are missing, those at the ends are not', () => {
  assert.deepEqual(missingTimes(points(50, 21, 10), 10), [30, 40])
  assert.deepEqual(missingTimes(points(10), 10), [])
  assert.deepEqual(missingTimes([], 10), [])
  assert.deepEqual(missingTimes(points(0, 1_000_000), 10), [])
})

test('the axis contains zero, and has a range even if all values are equal', () => {
  assert.deepEqual(rangeWithZero(2, 5, 1), [0, 5])
  assert.deepEqual(rangeWithZero(-3, -2, 1), [-3, 0])
  assert.deepEqual(rangeWithZero(0, 0, 1), [0, 1])
  assert.deepEqual(rangeWithZero(-0.1, -0.1, 1), [-1, 0])
  assert.deepEqual(rangeWithZero(-0.1, 0.2, 1), [-0.5, 0.5])
})
