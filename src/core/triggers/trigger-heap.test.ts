// Against a plain list of stops. Prices of a small range, halves included on the reading side: a
// mid may lie between two ticks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TriggerHeap } from './trigger-heap.ts'

const numbers = (one: number, other: number) => one - other

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ push: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ doubled: fc.integer({ min: 1, max: 26 }) }) },
  { weight: 1, arbitrary: fc.record({ odd: fc.boolean() }) },
)
type Step = Readonly<{ push?: number; doubled?: number; odd?: boolean }>

for (const sign of [1, -1]) {
  const word = sign > 0 ? 'up' : 'down'
  test(`a price takes out exactly the stops that it reaches, ${word}`, () => {
    const check = (steps: readonly Step[]) => {
      const heap = new TriggerHeap(sign)
      let model: (readonly [stop: number, id: number])[] = []
      steps.forEach(({ push, doubled, odd }, id) => {
        if (push !== undefined) {
          heap.push(push, id)
          model.push([push, id])
        } else if (doubled !== undefined) {
          const reached = model.filter(([stop]) => stop * 2 * sign <= doubled * sign)
          const taken: number[] = []
          heap.takeReached(doubled, taken)
          assert.deepEqual(
            taken.toSorted(numbers),
            reached.map(([, each]) => each),
          )
          model = model.filter((each) => !reached.includes(each))
        } else {
          heap.keepOnly((each) => (each % 2 === 1) === odd)
          model = model.filter(([, each]) => (each % 2 === 1) === odd)
        }
        assert.equal(heap.ids.length, model.length)
      })
      const rest: number[] = []
      heap.takeReached(sign > 0 ? 100 : 0, rest)
      assert.equal(rest.length, model.length)
    }
    fc.assert(fc.property(fc.array(step, { maxLength: 60, size: 'max' }), check), {
      numRuns: 1_000,
    })
    fc.assert(fc.property(fc.array(step, { maxLength: 600, size: 'max' }), check), {
      numRuns: 50,
    })
  })
}
