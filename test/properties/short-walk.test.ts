// ORDER-2's bound on the orders that a check looks at, the core against its twin, with bounds that
// a small world reaches all the time.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { firstRules } from '../../src/core/rules/first-rules.ts'
import { Coverage } from '../programs/differential/coverage/coverage.ts'
import { describeFailure } from '../programs/differential/report.ts'
import { runWorld } from '../programs/differential/run-world.ts'
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

test('a FOK order that needs more makers than are looked at is refused with the bound', () => {
  const scene = threeAsks(rich)
  const wish = (size: number) => scene.bid('taker', size, 60_030, { tif: 'FOK' })
  wish(21).refused('TOO_MANY_ORDERS_TO_CHECK', 2, 20, 21)
  wish(20).includes({ type: 'Traded' }, { type: 'Traded' })
})

test('a FOK order at the speed bump is refused with the bound when its time has come', () => {
  const scene = given({ markets: ['BTC'], market: { speedBumpMs: 200 }, funds: rich })
  for (const price of [60_010, 60_020, 60_030])
    scene.ask('maker', 10, price, { tif: 'ALO' }).accepted()
  scene.bid('taker', 21, 60_030, { tif: 'FOK' }).accepted()
  scene.wait(200).includes({ type: 'OrderCancelled', reason: 'refused', rejection: 1_018 })
})

/** The taker is short ten lots; then come two lots at a time for sale, and enough behind them. */
function shortBehindWall(wall: number) {
  const scene = given({ markets: ['BTC'], market: { speedBumpMs: 0 }, funds: rich })
  scene.bid('maker', 10, 60_000).accepted()
  scene.ask('taker', 10, 60_000).includes({ type: 'Traded' })
  for (let at = 0; at < wall; at++) scene.ask('maker', 2, 60_010).accepted()
  scene.ask('maker', 30, 60_020).accepted()
  return scene
}

test('a FOK order that only reduces is checked against as many orders as any other', () => {
  for (const reduceOnly of [false, true])
    shortBehindWall(1)
      .bid('taker', 10, 60_020, { tif: 'FOK', reduceOnly })
      .includes({ type: 'Traded', lots: 2 }, { type: 'Traded', price: 60_020, lots: 8 })
  const wish = (tif: string) =>
    shortBehindWall(4).bid('taker', 10, 60_020, { tif, reduceOnly: true })
  wish('FOK').refused('TOO_MANY_ORDERS_TO_CHECK', 2, 4, 10)
  wish('IOC').includes({ type: 'Traded', price: 60_020, lots: 2 })
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
  wish().emits({ type: 'OrderPlaced' }, { type: 'OrderCancelled', reason: 'expired' })
  setLimits({ ordersWalked: 3 })
  wish().includes({ type: 'Traded', price: 60_020 }, { type: 'Traded', price: 60_030 })
})

test('makers beyond the walk are checked when they are met, and not before', () => {
  // Enough for thirty lots at the prices of the book, not for the last ten at the limit.
  for (const tif of ['IOC', 'GTC'])
    threeAsks({ ...rich, taker: 450_000 })
      .bid('taker', 30, 62_500, { tif })
      .includes({ type: 'Traded' }, { type: 'Traded' }, { type: 'Traded' })
})

test('an order that turns the position round is not refused for a wall of small orders', () => {
  const scene = shortBehindWall(3)
  scene
    .take('taker', 'bid', 20, { slippagePpm: 50_000 })
    .includes({ type: 'Traded', lots: 2 }, { type: 'Traded', lots: 14 })
})

test('beyond the walk an order takes what its account can pay for, and no more', () => {
  // Ten lots need 120,020 and a little for the fee.
  const scene = threeAsks({ ...rich, taker: 320_000 })
  scene
    .bid('taker', 30, 60_030, { tif: 'GTC' })
    .includes({ type: 'Traded' }, { type: 'Traded' }, { type: 'OrderCancelled', reason: 'margin' })
})

test('makers behind own orders are checked though nothing was taken', () => {
  const scene = given({
    markets: ['BTC'],
    market: { speedBumpMs: 0 },
    funds: { ...rich, taker: 130_000 },
  })
  for (const price of [60_010, 60_020, 60_030]) scene.ask('taker', 2, price).accepted()
  scene.bid('taker', 1_000, 60_030).includes({ type: 'OrderCancelled', reason: 'margin' })
})

test('a market order behind its own orders finds the price of others', () => {
  const scene = given({ markets: ['BTC'], market: { speedBumpMs: 0 }, funds: rich })
  for (const price of [60_010, 60_020]) scene.ask('taker', 10, price).accepted()
  scene.take('taker', 'bid', 10, { slippagePpm: 50_000 }).refused('NO_REASONABLE_PRICE', 63_000)
  scene.ask('maker', 10, 60_030).accepted()
  scene.take('taker', 'bid', 10, { slippagePpm: 50_000 }).includes({ type: 'Traded' })
})
