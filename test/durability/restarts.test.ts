import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runRestartRounds } from '../support/torture/restart-rounds.ts'

test('a sandbox that is killed and started again has changed nothing by it', async () => {
  const say = () => undefined
  const report = await runRestartRounds({ restarts: 5, seed: 11, waitMsMax: 600, say })
  assert.deepEqual(report.wrong, [])
  assert.equal(report.restarts, 5)
  assert.ok(report.firstTicks > 0 && report.pathTicks > 0)
})
