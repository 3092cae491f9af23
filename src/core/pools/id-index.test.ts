// Against a Map. Ids are few and a multiple of the capacity apart, so that they collide, wrap
// around the end of the table and leave gaps in the middle of a run of probes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { IdIndex } from './id-index.ts'

const capacity = 8
const id = fc
  .tuple(fc.constantFrom(1, 2, 6, 7, 8), fc.nat(4))
  .map(([first, round]) => first + round * capacity)

test('an id is found until it is removed, whatever collides with it', () => {
  const steps = fc.array(fc.tuple(id, fc.boolean()), { maxLength: 60, size: 'max' })
  const check = (history: readonly (readonly [number, boolean])[]) => {
    const index = new IdIndex(capacity)
    const model = new Map<number, number>()
    history.forEach(([key, adds], at) => {
      if (adds && !model.has(key)) {
        index.set(key, at + 1)
        model.set(key, at + 1)
      } else if (!adds) {
        index.remove(key)
        model.delete(key)
      }
      assert.equal(index.size, model.size)
      for (let each = 1; each <= 6 * capacity; each++)
        assert.equal(index.get(each), model.get(each) ?? 0)
    })
  }
  fc.assert(fc.property(steps, check), { numRuns: 1_000 })
})

test('the table grows before it is full, and large ids keep their slots', () => {
  const index = new IdIndex()
  const base = 2 ** 40
  for (let at = 1; at <= 10_000; at++) index.set(base + at * 3, at)
  for (let at = 1; at <= 10_000; at += 2) index.remove(base + at * 3)
  for (let at = 1; at <= 10_000; at++) assert.equal(index.get(base + at * 3), at % 2 === 1 ? 0 : at)
  assert.equal(index.size, 5_000)
})
