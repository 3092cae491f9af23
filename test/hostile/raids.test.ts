// The raids by hand, each of which was profitable before its rule existed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHeld, playRaids } from '../programs/adversary/raids/all.ts'
import { stopMost } from '../programs/adversary/raids/stop.ts'
import { ownEdition } from '../support/venue/edition.ts'

const rows = [...playRaids(ownEdition)]

for (const row of rows)
  test(`raid: ${row.raid}, ${row.way}`, () => {
    assert.ok(isHeld(row), `${row.found} of ${row.most}`)
  })

test('a bid within the slippage of a triggered stop gets almost all of that slippage', () => {
  const most = Math.max(...rows.filter(({ most }) => most === stopMost).flatMap((row) => row.found))
  assert.ok(most > 0.9 * stopMost, String(most))
})
