// Against a sorted array. Few ids and times, so that ties, and removals at every place, are common.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Expiry, ExpiryQueue } from './expiry-queue.ts'

const id = fc.integer({ min: 1, max: 40 })
const step = fc.record({ id, at: fc.nat(8) }, { noNullPrototype: true })

const byTime = (one: Expiry, other: Expiry) => one.at - other.at || one.id - other.id
const plain = (expiry: Expiry | undefined) => expiry && { id: expiry.id, at: expiry.at }

/** An order keeps its place; a stop is found by its id. */
const isOrder = ({ id }: Expiry) => id % 3 !== 0
const places = new Map<number, number>()

function join(queue: ExpiryQueue, expiry: Expiry): void {
  const { id, at } = expiry
  if (isOrder(expiry)) places.set(id, queue.add(id, at))
  else queue.addById(id, at)
}

function leave(queue: ExpiryQueue, expiry: Expiry): void {
  if (isOrder(expiry)) queue.delete(places.get(expiry.id)!)
  else queue.deleteById(expiry.id)
}

test('the first item is always the next to expire, whatever was removed', () => {
  const check = (steps: readonly Expiry[]) => {
    const queue = new ExpiryQueue()
    let model: readonly Expiry[] = []
    for (const each of steps) {
      // An item in the queue is removed, another one is added.
      const present = model.find((one) => one.id === each.id)
      if (present === undefined) join(queue, each)
      else {
        if (isOrder(present)) assert.equal(queue.timeAt(places.get(present.id)!), present.at)
        leave(queue, present)
      }
      const others = model.filter((one) => one !== present)
      model = (present === undefined ? [...others, each] : others).toSorted(byTime)
      assert.deepEqual(plain(queue.first()), model[0])
      assert.equal(queue.size, model.length)
    }
    const byId = model.toSorted((one, other) => one.id - other.id)
    assert.deepEqual(queue.all().map(plain), byId)
    for (const each of model) {
      assert.deepEqual(plain(queue.first()), each)
      leave(queue, each)
    }
  }
  const steps = fc.array(step, { maxLength: 150, size: 'max' })
  fc.assert(fc.property(steps, check), { numRuns: 500 })
})
