// A share of `npm run x torture/cluster` with real nodes: leaders and databases are killed and
// paused while clients trade. With any timing, nothing acknowledged may be lost, doubled or undone,
// and all nodes reach the same state.

import assert from 'node:assert/strict'
import type { NodeBlow } from '../programs/torture/nodes/node-blows.ts'
import { runNodeRounds } from '../programs/torture/nodes/node-rounds.ts'
import { test } from '../support/postgres/database-tests.ts'

const rounds: readonly NodeBlow[] = [
  'killLeader',
  'killPrimary',
  'killLeader',
  'killLeader',
  'killPrimary',
  'pauseLeader',
  'killLeader',
  'killPrimary',
  'killLeader',
]

test('with leaders and databases killed or paused nothing acknowledged is lost', async () => {
  // Long enough that a slow machine does not end it.
  const times = { leaseMs: 6_000, pauseMs: 6_500, hurries: true }
  const many = { nodes: 3, followers: 1, orderTraders: 3 } as const
  const report = await runNodeRounds({ rounds, seed: 1, ...times, ...many })
  assert.deepEqual(report.wrong, [])
  assert.ok(report.known >= 20 * rounds.length)
})
