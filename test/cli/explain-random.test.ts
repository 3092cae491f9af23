// Explanations of drawn histories, in which liquidations, rebates and flips are common: each number
// that is computed anew must be the one that the core recorded.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainLiquidation } from '../../src/cli/offline/explain/explain-liquidation.ts'
import { explainFill } from '../../src/cli/offline/explain/explain-order.ts'
import { findEvents } from '../../src/cli/offline/explain/find-events.ts'
import { DiskHistory } from '../support/disk-history.ts'

const fillsMax = 40

test('what is computed anew is what was recorded, for fills and liquidations', async () => {
  let [fills, liquidations, steps] = [0, 0, 0]
  // Seeds whose histories are rich in what this is about.
  for (const seed of [13, 16]) {
    const history = new DiskHistory(seed)
    await history.open()
    await history.run(700, 20)
    const always = () => true
    const { found } = await findEvents(history.folder, {
      Filled: always,
      LiquidationStarted: always,
    })
    for (const { seq, events, at } of found) {
      const event = events[at]!
      if (event.type === 'Filled' && fills++ > fillsMax && event.cause === 'normal') continue
      const told =
        event.type === 'Filled'
          ? await explainFill(history.folder, event.history)
          : await explainLiquidation(history.folder, `${seq}`)
      if (event.type === 'LiquidationStarted') liquidations += 1
      steps += told.steps.filter(({ rule }) => rule === 'LIQ-3').length
      for (const step of told.steps)
        assert.ok(step.agrees, `seed ${seed}, seq ${seq}: ${JSON.stringify(step)}`)
    }
    await history.end()
  }
  assert.ok(fills > 20 && liquidations > 2 && steps > 2, `${fills} ${liquidations} ${steps}`)
})
