import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyUseMemory } from './key-use.ts'

test('when a key was last used is told, and with too many keys forgotten rather than kept', () => {
  const use = keyUseMemory(3)
  for (const [at, prefix] of ['a', 'b', 'c', 'a'].entries()) use.used(prefix, at)
  assert.deepEqual(['a', 'b', 'c', 'd'].map(use.lastUsedAt), [3, 1, 2, null])
  use.used('d', 4)
  assert.deepEqual(['a', 'b', 'c', 'd'].map(use.lastUsedAt), [null, null, null, 4])
})
