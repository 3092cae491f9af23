import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deed } from '../programs/torture/restart-play.ts'
import { runRestartRounds } from '../programs/torture/restart-rounds.ts'

const bound = { timeout: 400_000 }

/** Before each of five kills; `npm run x torture/restart` has two hundred of everything. */
const deeds: readonly (readonly Deed[])[] = [
  ['trade', 'scenario', 'scenario'],
  ['bots', 'path'],
  ['snapshot', 'scenario', 'freeze'],
  ['price', 'revert', 'advance'],
  ['trade', 'path', 'resume', 'scenario'],
]

test('killing and restarting a sandbox changes nothing', bound, async () => {
  const say = () => undefined
  const report = await runRestartRounds({ restarts: 5, seed: 11, waitMsMax: 600, say, deeds })
  assert.deepEqual(report.wrong, [])
  assert.deepEqual([report.restarts, report.compared], [5, 1])
  assert.ok(report.firstTicks >= 4 * 6 && report.pathTicks > 0)
})
