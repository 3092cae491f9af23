// A share of `npm run x torture/cluster` with writers that only lead and append: faults that
// `nodes.test.ts` does not have, and those between two appends, which are more frequent here.

import assert from 'node:assert/strict'
import { runChainRounds } from '../support/postgres/chain-rounds.ts'
import { test } from '../support/postgres/database-tests.ts'

const rounds = ['pauseLeader', 'cancelCommit', 'cutLeader', 'passByPrimary'] as const

test('writers are paused, cut off or replaced, and no acknowledged frame is lost', async () => {
  const report = await runChainRounds({ rounds, seed: 1 })
  assert.ok(report.acknowledged > 5 * rounds.length)
})
