// docs/rules/margin.md where one micro-dollar or one more position decides.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, ETH, freeTiers, given } from '../../support/scene.ts'

test('a flip that would start below maintenance is refused with its margin (MARGIN-4)', () => {
  const funds = { A: 10 ** 7, B: 10 ** 12 }
  const market = { impactValue: 1_000_000 }
  const scene = given({ markets: ['BTC'], market, tiers: freeTiers, funds })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  scene.buys('A', 'B', 100, 60_000)
  // The book was at 60,700 when the last tick came.
  const { order } = scene.bid('B', 100, 60_700, { tif: 'ALO' }).one('OrderPlaced')
  scene.later(250).tick(BTC, 60_000)
  scene.cancel('B', order)
  scene.bid('B', 200, 60_000, { tif: 'ALO' }).accepted()
  // The short has 1,200,000, and 700,000 less at the book.
  scene.ask('A', 200, 60_000).refused('IMMEDIATE_LIQUIDATION', 500_000, 600_000)
  assert.deepEqual(scene.held('A'), [100, 60_000_000])
})

test('reducing is limited at guarded prices, also with another position (MARGIN-5)', () => {
  const funds = { A: 200_000_000, B: 10 ** 12 }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.buys('A', 'B', 10, 30_000, ETH)
  scene.later(1_000).tick(BTC, 48_000)
  scene.bid('B', 1_000, 30_000, { tif: 'ALO' }).accepted()
  // Of 80,000,000 guarded, ETH keeps its 300,000 of 6,180,000 maintenance.
  scene
    .ask('A', 1_000, 30_000, { tif: 'IOC', reduceOnly: true })
    .includes({ type: 'OrderCancelled', price: 40_389, remaining: 1_000 })
})
