// The search itself; the rule that uses it is in test/tidy.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circlesIn } from './import-circles.ts'

const graph = (names: Readonly<Record<string, string>>) =>
  new Map(Object.entries(names).map(([name, named]) => [name, [...named]]))

test('two ways to the same place are not a circle', () => {
  assert.deepEqual(circlesIn(graph({ a: 'bc', b: 'd', c: 'd', d: '' })), [])
})

test('a circle is found from any start, without the names that only lead to it', () => {
  assert.deepEqual(circlesIn(graph({ a: 'b', b: 'c', c: 'd', d: 'b' })), [['b', 'c', 'd']])
  assert.deepEqual(circlesIn(graph({ d: 'b', c: 'd', b: 'c', a: 'b' })), [['d', 'b', 'c']])
})

test('each circle is found, a name that names itself too', () => {
  assert.deepEqual(circlesIn(graph({ a: 'ab', b: 'a', c: 'd', d: 'c' })), [
    ['a'],
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('unknown names end a path', () => {
  assert.deepEqual(circlesIn(graph({ a: 'xy' })), [])
})
