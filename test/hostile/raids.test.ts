// The raids that paid on the second edition, by hand.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAYS_FROM } from '../support/adversary/judge.ts'
import { cadenceProfit, phases, ways } from '../support/adversary/raids/cadence.ts'
import { awaysPpm, stopRaid } from '../support/adversary/raids/stop.ts'
import { ownEdition } from '../support/venue/edition.ts'

/** How far from the mark a fired market stop may go, as a part of it. */
const stopSlip = 0.005

for (const way of ways)
  for (const kind of ['fast', 'seconds', 'pair', 'quiet'] as const)
    test(`sources of kind ${kind}: a ring that ${way} does not pay`, () => {
      for (let phase = 0; phase < phases; phase += 5) {
        const profit = cadenceProfit(ownEdition, { kind, way, phase })
        assert.ok(profit < PAYS_FROM, `phase ${phase}: ${profit}`)
      }
    })

test('a bid far below the mark takes no more from a fired stop than the stop allows', () => {
  const parts = awaysPpm.map((awayPpm) => stopRaid(ownEdition, awayPpm).part)
  const most = Math.max(...parts)
  assert.ok(most <= stopSlip && most > stopSlip * 0.9, String(most))
})
