import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from './random.ts'

test('a seed always means the same numbers, another seed others', () => {
  const draw = (seed: number) => {
    const random = new Random(seed)
    return Array.from({ length: 5 }, () => random.below(1_000))
  }
  assert.deepEqual(draw(1), draw(1))
  assert.notDeepEqual(draw(1), draw(2))
})

test('weights decide how often a name is drawn', () => {
  const random = new Random(3)
  const counts = { often: 0, seldom: 0, never: 0 }
  for (let i = 0; i < 10_000; i++) counts[random.weighted({ often: 9, seldom: 1, never: 0 })]++
  assert.equal(counts.never, 0)
  assert.ok(counts.often > 8_800 && counts.often < 9_200)
})
