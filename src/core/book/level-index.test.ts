// The index against a sorted array. Keys are few enough to repeat and many enough for several
// blocks; histories grow, shrink and turn round, so that blocks fill, split, merge and are removed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LevelIndex } from './level-index.ts'

/** An index and its model: levels are keys plus a shift. */
class TwoIndexes {
  readonly index = new LevelIndex()
  readonly model: number[] = []
  private static readonly shift = 5_000

  toggle(key: number): void {
    const place = this.model.findIndex((each) => each >= key)
    const at = place < 0 ? this.model.length : place
    const found = this.index.levelOf(key)
    if (this.model[at] === key) {
      assert.equal(found, key + TwoIndexes.shift)
      this.index.remove(key)
      this.model.splice(at, 1)
    } else {
      assert.equal(found, 0)
      const next = this.index.insert(key, key + TwoIndexes.shift)
      assert.equal(next, at === this.model.length ? 0 : this.model[at]! + TwoIndexes.shift)
      this.model.splice(at, 0, key)
    }
    assert.equal(this.index.count, this.model.length)
  }

  check(keys: readonly number[]): void {
    const there = new Set(this.model)
    for (const key of keys)
      assert.equal(this.index.levelOf(key), there.has(key) ? key + TwoIndexes.shift : 0)
  }
}

const all = Array.from({ length: 601 }, (_, at) => at - 300)

test('a key is found until it is removed, and knows its next higher one', () => {
  // A run toggles keys from a start in steps of one: up, down, or back and forth at one place.
  const run = fc.record({
    from: fc.integer({ min: -300, max: 300 }),
    step: fc.constantFrom(1, 1, -1, -1, 0, 7, -7),
    length: fc.integer({ min: 1, max: 150 }),
  })
  const check = (runs: readonly { from: number; step: number; length: number }[]) => {
    const two = new TwoIndexes()
    for (const { from, step, length } of runs) {
      for (let n = 0; n < length; n++) {
        const key = from + n * step
        if (Math.abs(key) <= 300) two.toggle(key)
      }
      two.check(all)
    }
  }
  const runs = fc.array(run, { minLength: 1, maxLength: 30, size: 'max' })
  fc.assert(fc.property(runs, check), { numRuns: 150 })
})

test('five thousand keys are added and removed in a bad order, odd ones first', () => {
  const two = new TwoIndexes()
  const keys = Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 5_000)
  for (const key of keys) two.toggle(key)
  two.check(keys)
  for (const key of keys) if (key % 2 === 1) two.toggle(key)
  two.check(keys)
  for (const key of keys.toReversed()) if (key % 2 === 0) two.toggle(key)
  assert.equal(two.index.count, 0)
  two.check(keys)
})
