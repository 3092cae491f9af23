// ORDER-2's bound on the orders that a check looks at, the core against its twin, with bounds that
// a small world reaches all the time.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { firstRules } from '../../src/core/rules/first-rules.ts'
import { Coverage } from '../support/differential/coverage.ts'
import { describeFailure } from '../support/differential/report.ts'
import { runWorld } from '../support/differential/run-world.ts'
import { BTC, given } from '../support/scene.ts'
import { setLimits } from '../support/trial-rules.ts'

const { ordersWalked } = firstRules.limits

after(() => {
  setLimits({ ordersWalked })
})

for (const most of [1, 2, 3])
  test(`core and twin agree on orders whose checks look at ${most} of the other side`, () => {
    setLimits({ ordersWalked: most })
    for (const seed of [most, most + 10]) {
      const options = { seed, commands: 1_000, views: 100, invariants: 100, cuts: 1 }
      const result = runWorld(options, new Coverage())
      const { failure } = result
      if (failure !== null) assert.fail(describeFailure({ seed, ...result, failure }))
    }
  })

beforeEach(() => {
  setLimits({ ordersWalked: 2 })
})

/** Three asks of ten lots each, one behind the other. */
function threeAsks(funds: Readonly<Record<string, number>>) {
  const scene = given({ markets: ['BTC'], market: { speedBumpMs: 0 }, funds })
  for (const price of [60_010, 60_020, 60_030]) scene.ask('maker', 10, price).accepted()
  return scene
}

const rich = { taker: 10 ** 11, maker: 10 ** 11 }

test('a FOK order that needs more makers than are looked at expires', () => {
  const scene = threeAsks(rich)
  scene
    .bid('taker', 21, 60_030, { tif: 'FOK' })
    .tells({ type: 'OrderPlaced' }, { type: 'OrderCancelled', reason: 'expired' })
  scene.bid('taker', 20, 60_030, { tif: 'FOK' }).includes({ type: 'Traded' }, { type: 'Traded' })
})

test('a maker that cannot pay has been looked at all the same', () => {
  const scene = given({
    markets: ['BTC'],
    market: { speedBumpMs: 0 },
    funds: { ...rich, weak: 130_000 },
  })
  scene.ask('weak', 10, 60_010).accepted()
  for (const price of [60_020, 60_030]) scene.ask('maker', 10, price).accepted()
  scene.mark(BTC, 61_500)
  const wish = () => scene.bid('taker', 20, 60_030, { tif: 'FOK' })
  wish().tells({ type: 'OrderPlaced' }, { type: 'OrderCancelled', reason: 'expired' })
  setLimits({ ordersWalked: 3 })
  wish().includes({ type: 'Traded', price: 60_020 }, { type: 'Traded', price: 60_030 })
})

test('an IOC order takes more than was looked at when it can pay that much at its limit', () => {
  const scene = threeAsks(rich)
  scene
    .bid('taker', 30, 60_030, { tif: 'IOC' })
    .includes({ type: 'Traded' }, { type: 'Traded' }, { type: 'Traded' })
})

test('what was not looked at counts as open, at the price of the order', () => {
  // Enough for thirty lots at the prices of the book, not for the last ten at the limit.
  const wish = (scene: ReturnType<typeof threeAsks>) =>
    scene.bid('taker', 30, 62_500, { tif: 'IOC' })
  const scene = threeAsks({ ...rich, taker: 450_000 })
  wish(scene).refused('INSUFFICIENT_BALANCE', 612_400, 442_198)
  setLimits({ ordersWalked: 3 })
  wish(scene).includes({ type: 'Traded' }, { type: 'Traded' }, { type: 'Traded' })
})

test('a market order behind its own orders finds the price of others', () => {
  const scene = given({ markets: ['BTC'], market: { speedBumpMs: 0 }, funds: rich })
  for (const price of [60_010, 60_020]) scene.ask('taker', 10, price).accepted()
  scene.take('taker', 'bid', 10, { slippagePpm: 50_000 }).refused('NO_REASONABLE_PRICE', 63_000)
  scene.ask('maker', 10, 60_030).accepted()
  scene.take('taker', 'bid', 10, { slippagePpm: 50_000 }).includes({ type: 'Traded' })
})
