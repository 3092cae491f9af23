// A share of the search for a key with a policy that costs its owner more than its limit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchThefts } from '../programs/adversary/stolen/search-thefts.ts'
import { playStolen, takesTooMuch } from '../programs/adversary/stolen/stolen-world.ts'
import { plotOf, textOf } from '../programs/adversary/stolen/theft.ts'
import { ownEdition as edition } from '../support/venue/edition.ts'

test('whatever a thief tries with a limited key, the loss stays within its limit', () => {
  const { tooMuch, nearest } = searchThefts({ edition, seed: 1, searches: 60, turns: 200 })
  assert.deepEqual(tooMuch, [])
  // Something was taken: the search found losses.
  assert.ok(nearest > 0.3 && nearest <= 1, `${nearest} of the sum`)
})

test('two orders that fit a position do not flip it back and forth', () => {
  const text = '18009995-19009988-17009995-16009995-14009995-14019959'
  const plot = plotOf(text)
  assert.equal(textOf(plot), text)
  for (const seed of [6588, 7142])
    assert.ok(!takesTooMuch(playStolen({ edition, seed, turns: 200, plot })), `seed ${seed}`)
})
