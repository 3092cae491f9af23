import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder, matches, nextSorting, sortingOf } from './shown-rows.ts'

test('a filter matches rows that contain all of its words', () => {
  const text = 'BTC Buy Stop market 100,200'
  for (const filter of ['', ' ', 'btc', 'BUY btc', 'stop 100,2 ']) assert.ok(matches(text, filter))
  for (const filter of ['eth', 'btc sell', '100200']) assert.ok(!matches(text, filter), filter)
})

test('a column sorts descending, then ascending, then no longer', () => {
  const first = nextSorting(null, 'Size')
  assert.deepEqual(sortingOf(first), { column: 'Size', down: true })
  const second = nextSorting(sortingOf(first), 'Size')
  assert.deepEqual(sortingOf(second), { column: 'Size', down: false })
  assert.equal(sortingOf(nextSorting(sortingOf(second), 'Size')), null)
  assert.equal(nextSorting(sortingOf(second), 'Price'), '-Price')
  for (const damaged of [undefined, null, 5, {}, '']) assert.equal(sortingOf(damaged), null)
})

test('rows keep their places, and new ones come last', () => {
  assert.deepEqual(
    inOrder([1, 2, 3, 4], (row) => row, [3, 9, 1]),
    [3, 1, 2, 4],
  )
})
