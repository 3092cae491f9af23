// Against a Map of triggers. Longs and shorts share the pool of rows, where each row keeps its
// place: a row may change sides, and a place in one heap must not be read as one in the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PositionPool } from '../pools/position-pool.ts'
import { LiquidationIndex } from './liquidation-index.ts'

const rowCount = 20
const numbers = (one: number, other: number) => one - other

const step = fc.record({
  row: fc.integer({ min: 1, max: rowCount }),
  long: fc.boolean(),
  trigger: fc.oneof(
    fc.integer({ min: 1, max: 15 }),
    fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  ),
  removes: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

test('at a mark exactly the rows with a passed trigger are reached', () => {
  const check = (steps: readonly Step[]) => {
    const positions = new PositionPool()
    for (let row = 1; row <= rowCount; row++) positions.take(row, 1)
    const [longs, shorts] = [new LiquidationIndex(1), new LiquidationIndex(-1)]
    const model = new Map<number, Readonly<{ long: boolean; trigger: number }>>()
    for (const { row, long, trigger, removes } of steps) {
      const known = model.get(row)
      if (known !== undefined && (removes || known.long !== long)) {
        const index = known.long ? longs : shorts
        index.remove(positions, row)
        model.delete(row)
      }
      if (!removes) {
        const index = long ? longs : shorts
        index.put(positions, row, trigger)
        model.set(row, { long, trigger })
      }
      for (const mark of [1, 5, 8, 15]) {
        const reached = (index: LiquidationIndex) => index.reached(mark).toSorted(numbers)
        const rows = [...model].toSorted(([one], [other]) => one - other)
        const expected = (side: boolean) => {
          return rows
            .filter(
              ([, { long: is, trigger: at }]) => is === side && (side ? mark <= at : mark >= at),
            )
            .map(([each]) => each)
        }
        assert.deepEqual(reached(longs), expected(true))
        assert.deepEqual(reached(shorts), expected(false))
      }
    }
  }
  fc.assert(fc.property(fc.array(step, { maxLength: 60, size: 'max' }), check), { numRuns: 500 })
})

test('removing an unknown row changes nothing', () => {
  const positions = new PositionPool()
  for (let row = 1; row <= 2; row++) positions.take(row, 1)
  const longs = new LiquidationIndex(1)
  longs.put(positions, 1, 5)
  longs.remove(positions, 2)
  assert.deepEqual(longs.reached(5), [1])
  longs.remove(positions, 1)
  longs.remove(positions, 1)
  assert.deepEqual([longs.reached(5), longs.count], [[], 0])
})
