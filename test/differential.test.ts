// The everyday size of the differential run: every kind of world once. Meeting every rule would
// need more commands than a test run has time for, so only the comparison is checked here.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Coverage } from './programs/differential/coverage/coverage.ts'
import { describeFailure, describeRepro, reproOf } from './programs/differential/report.ts'
import { everydayWorlds, runWorld } from './programs/differential/run-world.ts'
import { profiles } from './programs/differential/world.ts'

for (const world of everydayWorlds) {
  const { seed } = world
  test(`the core and its naive twin agree in world ${seed} (${profiles[seed]})`, () => {
    const result = runWorld(world, new Coverage())
    const { failure } = result
    if (failure === null) return
    const failed = { seed, ...result, failure }
    assert.fail(`${describeFailure(failed)}\n${describeRepro(reproOf(failed, 300))}`)
  })
}

test('--seed S --seeds N plays N worlds from S on', () => {
  const program = fileURLToPath(new URL('./differential.js', import.meta.url))
  const short = ['--commands', '60', '--workers', '1', '--cuts', '0', '--json']
  const played = (...flags: readonly string[]) => {
    const { first, worlds } = JSON.parse(
      execFileSync(process.execPath, [program, ...flags, ...short], { encoding: 'utf8' }),
    ) as Readonly<{ first: number; worlds: number }>
    return [first, worlds]
  }
  assert.deepEqual(played('--seed', '7', '--seeds', '3'), [7, 3])
  assert.deepEqual(played('--seed', '7'), [7, 1])
})
