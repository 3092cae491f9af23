import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runKillRounds } from '../programs/torture/kill-rounds.ts'

test('an exchange killed under load has lost, doubled and undone nothing', async () => {
  const say = () => undefined
  const report = await runKillRounds({ kills: 3, seed: 5, traders: 3, loadMsMax: 300, say })
  assert.deepEqual(report.wrong, [])
  assert.ok(report.known > 20, `${report.known} known outcomes`)
})
