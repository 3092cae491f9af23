// A share of `npm run x torture/cluster` with writers that only lead and append: what
// `nodes.test.ts` does not deal, and what comes between two appends more often here than there.

import assert from 'node:assert/strict'
import { runChainRounds } from '../support/postgres/chain-rounds.ts'
import { test } from '../support/postgres/database-tests.ts'

const rounds = ['pauseLeader', 'cancelCommit', 'cutLeader', 'passByPrimary'] as const

test('whoever is paused, cut off or passed by, nothing acknowledged is lost', async () => {
  const report = await runChainRounds({ rounds, seed: 1 })
  assert.ok(report.acknowledged > 5 * rounds.length)
})
