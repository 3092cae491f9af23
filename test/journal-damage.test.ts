import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDamageRounds } from './support/damage-rounds.ts'

test('damage is rejected or without effect, and a torn tail is cut cleanly', async () => {
  const { refused, harmless, cut, wrong } = await runDamageRounds(300, 7)
  assert.deepEqual(wrong, [])
  // All three must have happened, or the rounds prove nothing.
  assert.ok(refused > 50 && harmless > 20 && cut > 50, `${refused} ${harmless} ${cut}`)
})
