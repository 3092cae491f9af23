// Finding orders by id, against a Map. Few orders are open, among them some whose ids are a
// multiple of the places apart: they displace each other from the young places, while these grow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OrderPool } from './order-pool.ts'

/** The distance between ids, and which open order ends next: 0 is the oldest, 1 none. */
const step = fc.tuple(fc.constantFrom(1, 1, 1, 2, 63, 64, 128), fc.double({ min: 0, max: 1 }))

test('an open order is found by its id, however old it is', () => {
  const check = (first: number, steps: readonly (readonly [number, number])[]) => {
    const pool = new OrderPool()
    const model = new Map<number, number>()
    let id = first
    for (const [apart, ends] of steps) {
      id += apart
      model.set(id, pool.take(id))
      const gone = [...model.keys()][Math.floor(ends * 2 * model.size)]
      if (gone !== undefined) {
        pool.release(model.get(gone)!)
        model.delete(gone)
        assert.equal(pool.slotOf(gone), 0)
      }
      assert.equal(pool.count, model.size)
      for (const [live, slot] of model) assert.equal(pool.slotOf(live), slot)
      assert.equal(pool.slotOf(id + 64), 0)
      assert.equal(pool.slotOf(0), 0)
    }
  }
  const first = fc.constantFrom(0, 2 ** 31 - 20, 2 ** 40)
  const steps = fc.array(step, { maxLength: 300, size: 'max' })
  fc.assert(fc.property(first, steps, check), { numRuns: 200 })
})

test('a hundred thousand open orders are found, and ids between them are not', () => {
  const pool = new OrderPool()
  for (let id = 2; id <= 200_000; id += 2) assert.equal(pool.take(id), id / 2)
  for (let id = 2; id <= 200_000; id += 2) {
    assert.equal(pool.slotOf(id), id / 2)
    assert.equal(pool.slotOf(id - 1), 0)
  }
  assert.equal(pool.count, 100_000)
})
