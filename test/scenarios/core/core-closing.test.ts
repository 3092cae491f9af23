// docs/rules/core.md, CORE-7, through both engines: what goes when one of several markets stops
// trading, and what does not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, ETH, given, orderOf, type Scene } from '../../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11 }

/** An order that waits, and its id. */
function waiting(scene: Scene, market: number, price: number): number {
  const { order } = scene.bid('A', 100, price, { market }).one('OrderPlaced')
  return order
}

test('waiting orders of the market end by id, those of other markets are released (CORE-7)', () => {
  const scene = given({ market: { speedBumpMs: 1_000 }, markets: ['BTC', 'ETH'], funds })
  // The slot that was freed last is reused first, so ids and slots run in opposite directions.
  const ended = [1, 2, 3].map(() => scene.bid('B', 100, 50_000, { tif: 'ALO' }).one('OrderPlaced'))
  for (const { order } of ended) scene.cancel('B', order).accepted()
  const first = waiting(scene, BTC, 59_000)
  const other = waiting(scene, ETH, 29_000)
  const second = waiting(scene, BTC, 59_001)
  const rests = scene.bid('B', 100, 58_000, { tif: 'ALO' }).one('OrderPlaced').order
  const third = waiting(scene, BTC, 59_002)
  const outcome = scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  assert.deepEqual(
    outcome.all('OrderCancelled').map(({ order, reason }) => [order, reason]),
    [first, second, third].map((order) => [order, 'market_closed']),
  )
  scene.wait(1_000).emits({ type: 'OrderRested', order: other, market: ETH })
  assert.deepEqual(scene.account('B').orders, [rests])
})

test('deferred actions of other markets are not touched (CORE-7)', () => {
  const scene = given({ market: { speedBumpMs: 200 }, markets: ['BTC', 'ETH'], funds })
  const order = scene.bid('A', 100, 29_000, { market: ETH, tif: 'ALO' }).one('OrderPlaced').order
  const own = { account: scene.id('A'), proof: null }
  const place = { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 29_500), market: ETH }
  const change = { market: ETH, order, clientOrderId: null, price: 28_000, size: 50 }
  scene
    .run({
      type: 'Batch',
      account: own.account,
      actions: [place, { type: 'EditOrder', ...own, ...change }],
    })
    .includes({ type: 'ActionDeferred' })
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  scene.wait(200).includes({ type: 'OrderPlaced', parent: order, price: 28_000 })
})

test('a lost feed ends waiting orders, not resting ones (CORE-7, PRICE-5)', () => {
  const market = { speedBumpMs: 5_000, staleAfterMs: 10_000 }
  const scene = given({ market, markets: ['BTC', 'ETH'], funds })
  const rests = scene.bid('A', 100, 58_000, { tif: 'ALO' }).one('OrderPlaced').order
  scene.wait(58_000).includes({ type: 'FeedHealthChanged', market: BTC, health: 'stale' })
  scene.tick(ETH, 30_000).includes({ type: 'FeedHealthChanged', market: ETH, health: 'live' })
  const order = waiting(scene, BTC, 59_000)
  const other = waiting(scene, ETH, 29_000)
  scene
    .wait(2_001)
    .emits(
      { type: 'FeedHealthChanged', market: BTC, health: 'cancel_only' },
      { type: 'OrderCancelled', order, reason: 'market_closed' },
    )
  assert.deepEqual(scene.account('A').orders, [rests, other])
})
