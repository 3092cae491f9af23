// ORDER-12, the core against its twin, with a bound that a small world can reach.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Coverage } from '../programs/differential/coverage/coverage.ts'
import { describeFailure } from '../programs/differential/report.ts'
import { runWorld } from '../programs/differential/run-world.ts'
import { boundFor } from '../support/trial-rules.ts'

test('core and twin agree on which orders may rest on a full side', (t) => {
  boundFor(t, { levelsPerSide: 3 })
  const coverage = new Coverage()
  for (const seed of [7, 9, 16]) {
    const options = { seed, commands: 1_000, views: 100, invariants: 100, cuts: 1 }
    const result = runWorld(options, coverage)
    const { failure } = result
    if (failure !== null) assert.fail(describeFailure({ seed, ...result, failure }))
  }
  const refused = coverage.counts.get('rejection BOOK_SIDE_FULL') ?? 0
  assert.ok(refused >= 10, `only ${refused} orders met a full side`)
})
