// Against a plain list of ids.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Waiting } from '../due/work-queue.ts'
import type { Trigger } from './trigger.ts'
import { TriggerQueue } from './trigger-queue.ts'

const step = fc.record({ what: fc.constantFrom('add', 'delete', 'take'), id: fc.nat(9) })

test('who waits is served in the order in which he came, and nobody twice', () => {
  const check = (steps: readonly Readonly<{ what: string; id: number }>[], many: number) => {
    const waiting = new Waiting()
    const queue = new TriggerQueue(waiting)
    const triggers = Array.from({ length: 10 + many }, (_, id) => ({ id, place: 0 }) as Trigger)
    const model: number[] = []
    const crowd = triggers.slice(10)
    queue.addAll(
      crowd,
      crowd.map((_, at) => many - 1 - at),
    )
    for (let id = 9 + many; id >= 10; id--) model.push(id)
    const act = (what: string, id: number) => {
      const at = model.indexOf(id)
      if (what === 'add') {
        if (at < 0) queue.addAll([triggers[id]!], [0])
        if (at < 0) model.push(id)
      } else if (what === 'delete') {
        assert.equal(queue.delete(triggers[id]!), at >= 0)
        if (at >= 0) model.splice(at, 1)
      } else assert.equal(queue.take()?.id, model.shift())
      assert.deepEqual([queue.size, waiting.count], [model.length, model.length])
    }
    for (const { what, id } of steps) act(what, id)
    assert.deepEqual(
      queue.all().map(({ id }) => id),
      model,
    )
    while (model.length > 0) act('take', 0)
    assert.equal(queue.take(), undefined)
  }
  const steps = fc.array(step, { maxLength: 80, size: 'max' })
  fc.assert(fc.property(steps, fc.constant(0), check), { numRuns: 500 })
  fc.assert(fc.property(steps, fc.constant(3_000), check), { numRuns: 5 })
})
