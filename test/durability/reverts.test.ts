import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runRevertRounds } from '../programs/torture/revert-rounds.ts'

test('after a revert the same requests have the same effect, also after a kill', async () => {
  const say = () => undefined
  const { wrong } = await runRevertRounds({ rounds: 2, requests: 250, seed: 9, say })
  assert.deepEqual(wrong, [])
})
