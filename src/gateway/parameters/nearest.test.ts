import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestOnGrid } from './nearest.ts'

test('the values below and above on the grid are named', () => {
  assert.deepEqual(nearestOnGrid('100.3', { value: 5, scale: 1 }), [200, 201])
  assert.deepEqual(nearestOnGrid('0.0004', { value: 1, scale: 3 }), [1])
  assert.deepEqual(nearestOnGrid('7', { value: 1, scale: 0 }), [7])
})

test('a text that is not a positive decimal has no neighbours', () => {
  for (const text of ['-1', 'x', '', '1e5', '.5', '99999999999999999'])
    assert.deepEqual(nearestOnGrid(text, { value: 1, scale: 2 }), [], text)
})
