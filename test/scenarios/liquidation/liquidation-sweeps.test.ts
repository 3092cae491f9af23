// docs/rules/liquidation.md where an account has lost what its open orders were reserved with.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Scene } from '../../support/scene.ts'

const rich = 10 ** 13

/** A is short and shows bids of two million with little money. F is A's friend. */
function shown(): Scene {
  const [balance = 0, short = 0, , bids = 0, lots = 0, price = 0] = worked(
    'liquidation',
    205,
  ).given()
  const funds = { A: balance, F: rich, T: rich }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds })
  scene.sells('A', 'F', -short, 60_000)
  for (let n = 0; n < bids; n++) scene.bid('A', lots, price, { tif: 'ALO' }).accepted()
  return scene
}

/** A buys back from its friend, far above the mark. */
function lose(scene: Scene) {
  scene.ask('F', 100_000, 84_000, { tif: 'ALO' }).accepted()
  return scene.bid('A', 100_000, 84_000, { tif: 'IOC', reduceOnly: true })
}

const required = (scene: Scene) => {
  return scene.account('A').positions.reduce((sum, { requirement }) => sum + requirement, 0)
}

test('case 205: after a loss by a close the newest orders end, until it can carry (LIQ-8)', () => {
  const row = worked('liquidation', 205)
  const scene = shown()
  const before = scene.balance('A')
  const open = scene.account('A').orders
  const outcome = lose(scene)
  const swept = outcome.all('OrderCancelled')
  assert.deepEqual(
    swept.map(({ order, reason }) => [order, reason]),
    open
      .slice(-2)
      .reverse()
      .map((order) => [order, 'margin']),
  )
  const freed = 2 * 1_992_000_000
  const after = required(scene)
  row.says(
    ...[before - scene.balance('A'), scene.account('A').equity, after + freed],
    ...[swept.length, after],
  )
})

test('attack: bids that can no longer be paid for are cancelled before a hit (LIQ-8)', () => {
  const scene = shown()
  lose(scene)
  const left = scene.account('A').orders.length
  // A seller to the bids that are shown gets all of their size.
  for (let n = 0; n < left; n++) {
    const outcome = scene.ask('T', 166_000, 59_000, { tif: 'IOC' })
    outcome.lacks('OrderCancelled').includes({ type: 'Traded', lots: 166_000 })
  }
  assert.deepEqual(scene.account('A').orders, [])
})

test('reduce-only orders are not swept, and waiting ones are (LIQ-8)', () => {
  const scene = given({
    markets: ['BTC', 'ETH'],
    tiers: freeTiers,
    funds: { A: 3 * 10 ** 9, F: rich },
  })
  scene.buys('A', 'F', 1_000, 30_000, ETH)
  scene.ask('A', 1_000, 40_000, { market: ETH, reduceOnly: true, tif: 'ALO' }).accepted()
  scene.sells('A', 'F', 50_000, 60_000)
  scene.bid('A', 100_000, 50_000, { tif: 'ALO' }).accepted()
  scene.run({ type: 'ChangeMarket', market: ETH, change: { speedBumpMs: 1_000 } }).accepted()
  scene.bid('A', 1_000, 29_000, { market: ETH }).accepted()
  scene.ask('F', 50_000, 63_500, { tif: 'ALO' }).accepted()
  const outcome = scene.bid('A', 50_000, 63_500, { tif: 'IOC', reduceOnly: true })
  assert.deepEqual(
    outcome.all('OrderCancelled').map(({ market, reason }) => [market, reason]),
    [
      [ETH, 'margin'],
      [BTC, 'margin'],
    ],
  )
  assert.equal(scene.account('A').orders.length, 1)
})
