import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sandboxTokenOf } from './sandbox-token.ts'

test('the token of a sandbox is read from the fragment once and kept', () => {
  const kept = new Map<string, string>()
  const storage = {
    get: (name: string) => kept.get(name) ?? null,
    set: (name: string, value: string) => void kept.set(name, value),
    remove: (name: string) => void kept.delete(name),
  }
  assert.equal(sandboxTokenOf('', storage), undefined)
  assert.equal(sandboxTokenOf('#elsewhere', storage), undefined)
  assert.equal(sandboxTokenOf('#sandbox-token=one_two-3', storage), 'one_two-3')
  assert.equal(sandboxTokenOf('', storage), 'one_two-3')
  assert.equal(sandboxTokenOf('#sandbox-token=another', storage), 'another')
})
