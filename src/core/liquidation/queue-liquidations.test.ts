import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BTC, ETH, freeTiers, given } from '../../../test/support/scene.ts'
import { ratioFloor } from '../../units/wide.ts'
import { ratioPpb } from './queue-liquidations.ts'

// Equity up to a thousand times the maintenance below zero, where the fund would long have paid,
// and maintenance on both sides of the bound above which the division is a wide one.
test('the health ratio divided by hand is that of one wide division', () => {
  const maintenance = fc.oneof(
    fc.integer({ min: 1, max: 1_000 }),
    fc.integer({ min: 1, max: 2 ** 40 }),
    fc.integer({ min: 2 ** 43 - 5, max: 2 ** 43 + 5 }),
    fc.integer({ min: 2 ** 43, max: 2 ** 52 }),
  )
  const share = fc.double({ min: -1_000, max: 1, noNaN: true })
  fc.assert(
    fc.property(maintenance, share, (needed, part) => {
      const equity = Math.floor(Math.max(-(2 ** 52), needed * part))
      assert.equal(ratioPpb(equity, needed), ratioFloor([equity, 1_000_000_000], [needed]))
    }),
    { numRuns: 2_000 },
  )
})

// What a bench divides its time by.
test('a deposit gives each position of the account its trigger anew, once', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 10, B: 10 ** 12 } })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.buys('A', 'B', 100, 30_000, ETH)
  scene.mark(BTC, 60_000)
  const before = scene.state.counters.indexUpdates
  scene.deposit('A', 1)
  scene.mark(BTC, 60_000)
  assert.equal(scene.state.counters.indexUpdates - before, 2)
})
