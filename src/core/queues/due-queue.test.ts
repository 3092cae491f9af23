// Against a sorted array. Times, kinds and ids of a small range, so that every tie is common.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Due, DueQueue } from './due-queue.ts'

const few = fc.nat(3)
const due = fc.record({ at: few, kind: few, id: few }, { noNullPrototype: true })

function sorted(all: readonly Due[]): readonly Due[] {
  return all.toSorted((one, other) => {
    return one.at - other.at || one.kind - other.kind || one.id - other.id
  })
}

test('items are ordered by time, then kind, then id', () => {
  const check = (steps: readonly (Due | null)[]) => {
    const queue = new DueQueue()
    let model: readonly Due[] = []
    for (const step of steps) {
      if (step !== null) {
        queue.push(step)
        model = sorted([...model, step])
      } else if (model.length > 0) {
        queue.pop()
        model = model.slice(1)
      }
      assert.deepEqual(queue.first(), model[0])
      assert.equal(queue.entries.length, model.length)
    }
  }
  const steps = fc.array(fc.option(due, { freq: 2 }), { maxLength: 60, size: 'max' })
  fc.assert(fc.property(steps, check), { numRuns: 1_000 })
})

test('after a removal the rest is in order', () => {
  const check = (all: readonly Due[], odd: boolean) => {
    const queue = new DueQueue()
    for (const each of all) queue.push(each)
    const isKept = ({ id }: Due) => (id % 2 === 1) === odd
    queue.keepOnly(isKept)
    const given: Due[] = []
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      given.push(first)
      queue.pop()
    }
    assert.deepEqual(given, sorted(all.filter(isKept)))
  }
  fc.assert(fc.property(fc.array(due, { maxLength: 100, size: 'max' }), fc.boolean(), check))
})

test('emptying a queue returns all items in order', () => {
  const check = (all: readonly Due[]) => {
    const queue = new DueQueue()
    for (const each of all) queue.push(each)
    const given: Due[] = []
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      given.push(first)
      queue.pop()
    }
    assert.deepEqual(given, sorted(all))
  }
  fc.assert(fc.property(fc.array(due, { maxLength: 100, size: 'max' }), check))
})
