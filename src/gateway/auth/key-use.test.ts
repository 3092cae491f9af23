import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyUseMemory } from './key-use.ts'

test('the last use of a key is reported, and with too many keys forgotten', () => {
  const use = keyUseMemory(3)
  for (const [at, prefix] of ['a', 'b', 'c', 'a'].entries()) use.used(prefix, at)
  assert.deepEqual(['a', 'b', 'c', 'd'].map(use.lastUsedAt), [3, 1, 2, null])
  use.used('d', 4)
  assert.deepEqual(['a', 'b', 'c', 'd'].map(use.lastUsedAt), [null, null, null, 4])
})
