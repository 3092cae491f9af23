import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goldenNames, reachedBy, readGolden } from './golden.ts'

test('there are golden journals', () => {
  assert.ok(goldenNames().length > 0)
})

for (const name of goldenNames())
  test(`the history ${name} still reaches the state of its version`, async () => {
    const { reached, breaches } = await reachedBy(name)
    assert.deepEqual(reached, readGolden(name))
    assert.deepEqual(breaches, [])
  })
