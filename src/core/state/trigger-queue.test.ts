// Against a plain list of waves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Waiting } from '../queues/work-queue.ts'
import type { Trigger } from './trigger.ts'
import { TriggerHeap } from './trigger-heap.ts'
import { byTurn, TriggerQueue } from './trigger-queue.ts'

const step = fc.record({
  what: fc.constantFrom('add', 'delete', 'take'),
  ids: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 }),
})
type Step = Readonly<{ what: string; ids: readonly number[] }>

/** Many are at equal distance. */
const distanceOf = ({ id }: { id: number }) => (id * 7) % 5

test('waves are processed in order, each by distance, and every trigger once', () => {
  const check = (steps: readonly Step[], many: number) => {
    const waiting = new Waiting()
    const queue = new TriggerQueue(waiting)
    const triggers = Array.from({ length: 10 + many }, (_, id) => ({ id, wave: 0 }) as Trigger)
    let model: number[] = []
    const add = (wave: readonly Trigger[]) => {
      const heap = new TriggerHeap()
      for (const trigger of wave) heap.append(distanceOf(trigger), trigger.id, trigger)
      queue.add(heap)
      const sorted = wave.toSorted((a, b) => distanceOf(a) - distanceOf(b) || a.id - b.id)
      model.push(...sorted.map(({ id }) => id))
    }
    const act = ({ what, ids }: Step) => {
      const chosen = ids.map((id) => triggers[id]!)
      if (what === 'add') add(chosen.filter(({ id }) => !model.includes(id)))
      else if (what === 'take') assert.equal(queue.take()?.id, model.shift())
      else {
        for (const trigger of chosen)
          assert.equal(queue.delete(trigger), model.includes(trigger.id))
        model = model.filter((id) => !ids.includes(id))
      }
      assert.deepEqual([queue.size, waiting.count], [model.length, model.length])
    }
    const ids = (all: readonly Trigger[]) => all.map(({ id }) => id)
    add(triggers.slice(10))
    for (const each of steps) act(each)
    assert.deepEqual(ids(queue.all()), model)
    assert.deepEqual(ids(triggers.filter(({ wave }) => wave !== 0).sort(byTurn)), model)
    while (model.length > 0) act({ what: 'take', ids: [] })
    assert.equal(queue.take(), undefined)
  }
  const steps = fc.array(step, { maxLength: 80, size: 'max' })
  fc.assert(fc.property(steps, fc.constant(0), check), { numRuns: 500 })
  fc.assert(fc.property(steps, fc.constant(3_000), check), { numRuns: 5 })
})
