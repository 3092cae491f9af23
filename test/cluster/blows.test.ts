// A share of `npm run torture:cluster`: one of each of the blows that leaders and databases have to
// survive most often.

import assert from 'node:assert/strict'
import { type BlowName, runChainRounds } from '../support/postgres/chain-rounds.ts'
import { test } from '../support/postgres/database-tests.ts'

const rounds: readonly BlowName[] = [
  'killLeader',
  'killPrimary',
  'pauseLeader',
  'cancelCommit',
  'cutLeader',
]

test('whoever is killed, paused or cut off, nothing acknowledged is lost or doubled', async () => {
  const report = await runChainRounds({ rounds, seed: 1 })
  assert.ok(report.acknowledged > 5 * rounds.length)
})
