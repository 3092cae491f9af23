// The everyday size of the differential run: every kind of world once, every rule met at least once
// would need more commands than a test run has time for, so here only the comparison counts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Coverage } from './support/differential/coverage.ts'
import { describeFailure, describeRepro, reproOf } from './support/differential/report.ts'
import { runWorld } from './support/differential/run-world.ts'
import { profiles } from './support/differential/world.ts'

const COMMANDS = 12_000
const strides = { views: 20, invariants: 5 }

for (let seed = 0; seed < profiles.length; seed++) {
  test(`the core and its naive twin agree in world ${seed} (${profiles[seed]})`, () => {
    const commands = Math.ceil(COMMANDS / profiles.length)
    const result = runWorld({ seed, commands, cuts: 1, ...strides }, new Coverage())
    const { failure } = result
    if (failure === null) return
    const failed = { seed, ...result, failure }
    assert.fail(`${describeFailure(failed)}\n${describeRepro(reproOf(failed, 300))}`)
  })
}
