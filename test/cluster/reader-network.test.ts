// The network of a reader fails for a moment, on each of its connections: nothing is lost, no read
// goes back, and every read is the state of its entry. The program torture/readers does it a
// hundred times, also to the leader.

import assert from 'node:assert/strict'
import { runNetworkRounds } from '../programs/readers/network/network-rounds.ts'
import { test } from '../support/postgres/database-tests.ts'

test('a network failure around a reader loses nothing and makes no read older', async () => {
  const rounds = [
    { pair: 'reader–database', fault: 'reset' },
    { pair: 'reader–leader', fault: 'cut' },
    { pair: 'reader–leader', fault: 'reset' },
    { pair: 'client–reader', fault: 'cut' },
  ] as const
  // The leader keeps its lease, however long the machine is stalled.
  const report = await runNetworkRounds({ rounds, seed: 4, leaseMs: 60_000, strikeMsMax: 200 })
  assert.deepEqual(report.wrong, [])
  assert.ok(report.known >= rounds.length, 'clients traded')
  assert.ok(report.checked > 0 && report.reads.bounded > 0, 'clients read')
})
