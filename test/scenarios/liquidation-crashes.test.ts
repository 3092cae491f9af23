// Crashes of small crowds, drawn at random, through both engines. A world of the differential run
// comes to a liquidation now and then; here every one does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '../../src/core/events/event-fields.ts'
import { crashed, crashSeeds } from '../support/histories/crash.ts'

test('crashes end for both engines alike (LIQ-1, LIQ-2, LIQ-3, LIQ-4, LIQ-5, LIQ-6)', () => {
  const counts = new Map<EventType, number>()
  for (const seed of crashSeeds) {
    for (const [type, count] of crashed(seed).counts)
      counts.set(type, (counts.get(type) ?? 0) + count)
  }
  const often = ['LiquidationStepped', 'BackstopTookOver', 'InsurancePaid', 'Deleveraged'] as const
  for (const type of often) assert.ok((counts.get(type) ?? 0) >= 20, `${type}: ${counts.get(type)}`)
})
