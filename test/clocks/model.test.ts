// A share of `npm run x torture/clocks`: no text has two effects on one timeline, and no client
// whose clock is right is locked out for longer than a clock was wrong.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClockModel } from '../support/clocks/clock-model.ts'

// Enough for a burst or two.
const commands = 50_000

for (const seed of [9, 35])
  test(`no clock gives a text a second effect or locks a client out (seed ${seed})`, async () => {
    const { wrong, counts } = await new ClockModel(seed).run(commands)
    assert.deepEqual(wrong, [])
    // The run had replays to detect.
    for (const what of [
      'done',
      'EXPIRED',
      'REPLAYED',
      'node off',
      'window',
      'reverts',
      'failovers',
      'bursts',
    ])
      assert.ok((counts[what] ?? 0) > 0, `${what}: ${JSON.stringify(counts)}`)
  })
