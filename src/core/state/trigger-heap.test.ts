// Against a plain list. Keys of a small range, so that many are equal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Trigger } from './trigger.ts'
import { TriggerHeap } from './trigger-heap.ts'

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ push: fc.integer({ min: -12, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ bound: fc.integer({ min: -13, max: 13 }) }) },
  { weight: 1, arbitrary: fc.record({ odd: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({}) },
)
type Step = Readonly<{ push?: number; bound?: number; odd?: boolean }>
type Entry = Readonly<{ key: number; id: number }>

const byKey = (one: Entry, other: Entry) => one.key - other.key || one.id - other.id

test('a bound moves exactly those up to it, and the first has the least key', () => {
  const check = (steps: readonly Step[]) => {
    const heap = new TriggerHeap()
    let model: Entry[] = []
    // Ids fall, so that the first to arrive is not the first by id.
    steps.forEach(({ push, bound, odd }, at) => {
      const id = steps.length - at
      if (push !== undefined) {
        heap.push(push, { id } as Trigger)
        model.push({ key: push, id })
      } else if (bound !== undefined) {
        const reached = model.filter(({ key }) => key <= bound)
        assert.equal(heap.reaches(bound), reached.length > 0)
        const other = new TriggerHeap()
        heap.moveUpTo(bound, other, (key) => -key)
        other.settle()
        const moved = reached.map(({ key, id }) => ({ key: -key, id }))
        for (const { id } of moved.sort(byKey)) assert.equal(other.pop()?.id, id)
        assert.equal(other.pop(), undefined)
        model = model.filter(({ key }) => key > bound)
      } else if (odd !== undefined) {
        heap.keepOnly((each) => (each.id % 2 === 1) === odd)
        model = model.filter((each) => (each.id % 2 === 1) === odd)
      } else {
        const first = model.sort(byKey).shift()
        assert.equal(heap.pop()?.id, first?.id)
      }
      assert.equal(heap.size, model.length)
    })
    for (const { id } of model.sort(byKey)) assert.equal(heap.pop()?.id, id)
    assert.equal(heap.pop(), undefined)
  }
  const few = fc.array(step, { maxLength: 60, size: 'max' })
  const many = fc.array(step, { maxLength: 600, size: 'max' })
  fc.assert(fc.property(few, check), { numRuns: 1_000 })
  fc.assert(fc.property(many, check), { numRuns: 50 })
})
