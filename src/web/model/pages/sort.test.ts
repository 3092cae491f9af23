import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortedBy } from './sort.ts'

const rows = [
  { name: 'b', value: 2 },
  { name: 'a', value: Number.NaN },
  { name: 'd', value: 2 },
  { name: 'c', value: -1 },
]
const names = (descending: boolean, by: 'name' | 'value') =>
  sortedBy(rows, (row) => row[by], descending)
    .map(({ name }) => name)
    .join('')

test('rows without a number are last in both directions, and equal rows keep their order', () => {
  assert.equal(names(true, 'value'), 'bdca')
  assert.equal(names(false, 'value'), 'cbda')
})

test('names are sorted as text', () => {
  assert.equal(names(false, 'name'), 'abcd')
  assert.equal(names(true, 'name'), 'dcba')
})
