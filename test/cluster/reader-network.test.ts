// The network of a node that reads fails for a moment, at each of its ends: nothing is lost,
// nothing older is read, and every read is what the state was at its entry. The program
// torture/readers does it a hundred times, also to the leader.

import assert from 'node:assert/strict'
import { test } from '../support/postgres/database-tests.ts'
import { runNetworkRounds } from '../support/readers/network/network-rounds.ts'

test('a network that fails around a reader loses nothing and makes nothing older', async () => {
  const rounds = [
    { pair: 'reader–database', fault: 'reset' },
    { pair: 'reader–leader', fault: 'cut' },
    { pair: 'reader–leader', fault: 'reset' },
    { pair: 'client–reader', fault: 'cut' },
  ] as const
  // The leader keeps its lease, however long the machine stands still.
  const report = await runNetworkRounds({ rounds, seed: 4, leaseMs: 60_000, strikeMsMax: 200 })
  assert.deepEqual(report.wrong, [])
  assert.ok(report.known >= rounds.length, 'people traded')
  assert.ok(report.checked > 0 && report.reads.asked > 0, 'people read')
})
