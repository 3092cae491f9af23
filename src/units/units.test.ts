import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvariantViolation } from './invariant.ts'
import { lots, microTicks, ppb, ppm, quote, type Ticks, ticks, timeMs } from './units.ts'

const signed = { lots, quote, microTicks, ppm, ppb }
const all = { ...signed, ticks, timeMs }

test('every quantity is a safe integer', () => {
  for (const [name, make] of Object.entries(all)) {
    assert.equal(make(42), 42, name)
    assert.equal(make(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER, name)
    for (const wrong of [0.5, 2 ** 53, -(2 ** 53), Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => make(wrong), InvariantViolation, `${name} of ${wrong}`)
    }
  }
})

test('sizes, money, millionths of a tick and rates may be negative', () => {
  for (const [name, make] of Object.entries(signed)) assert.equal(make(-7), -7, name)
})

test('a price is above zero', () => {
  for (const wrong of [0, -0, -1]) assert.throws(() => ticks(wrong), InvariantViolation)
})

test('a time is not negative', () => {
  assert.equal(timeMs(0), 0)
  assert.throws(() => timeMs(-1), InvariantViolation)
})

test('no quantity is minus zero', () => {
  for (const make of [...Object.values(signed), timeMs]) assert.ok(Object.is(make(-0), 0))
})

test('a quantity is a number, but a number or another quantity is not that quantity', () => {
  const plain: number = ticks(3)
  // @ts-expect-error A size is not a price.
  const fromLots: Ticks = lots(3)
  // @ts-expect-error The sum of two prices is a plain number until someone checks it.
  const fromSum: Ticks = ticks(1) + ticks(2)
  assert.deepEqual([plain, fromLots, fromSum], [3, 3, 3])
})
