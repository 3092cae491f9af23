// docs/rules/orders.md, ORDER-3 and ORDER-10, where prices have a time of observation: no order
// takes at a price that its owner may know to be old.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, ETH, freeTiers, given, levelAt, orderOf, type Scene } from '../../support/scene.ts'
import { boundFor } from '../../support/trial-rules.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, M: 10 ** 11 }
const venue = {
  ...{ tiers: freeTiers, funds, markets: ['BTC'], market: { speedBumpMs: 200 } },
  pricesMayStand: false,
}

/** A venue with a price of now, and an ask of M at it. */
function quoted(change: Record<string, unknown> = {}): Scene {
  const scene = given({ ...venue, ...change })
  scene.seen(BTC, 60_000).accepted()
  scene.ask('M', 100, 60_000, { tif: 'ALO' }).accepted()
  return scene
}

const ended = (order: number) =>
  ({ type: 'OrderCancelled', order, reason: 'refused', rejection: 119 }) as const

test('a taker is released by a price observed after it arrived (ORDER-3)', () => {
  const scene = quoted()
  const { order } = scene.bid('A', 100, 60_000).one('OrderPlaced')
  scene.wait(200).emits()
  assert.equal(scene.view.hasWorkLeft, false)
  // Observed a millisecond before it came.
  scene.seen(BTC, 60_000, 201).lacks('Traded')
  scene.seen(BTC, 60_000, 200).includes({ type: 'Traded', takerOrder: order, lots: 100 })
})

test('a price that is not fresh releases nothing (ORDER-3, PRICE-1)', () => {
  const scene = quoted()
  scene.bid('A', 100, 60_000)
  scene.later(2_000).seen(BTC, 60_000, 1_001).lacks('Traded')
  scene.seen(BTC, 60_000, 1_000).includes({ type: 'Traded' })
})

test('a tick before the end of the speed bump releases nothing (ORDER-3)', () => {
  const scene = quoted()
  scene.bid('A', 100, 60_000)
  scene.later(199).seen(BTC, 60_000).lacks('Traded')
  scene.wait(1).lacks('Traded')
  scene.seen(BTC, 60_000).includes({ type: 'Traded' })
})

test('one that does not cross rests when its speed bump is over (ORDER-3)', () => {
  const scene = quoted()
  const { order } = scene.bid('A', 100, 59_999).one('OrderPlaced')
  scene.wait(200).emits({ type: 'OrderRested', order })
})

test('without a speed bump only crossing orders wait, for a tick (ORDER-3)', () => {
  const scene = quoted({ market: { speedBumpMs: 0 } })
  scene.bid('A', 100, 59_999).includes({ type: 'OrderPlaced', waiting: false })
  const { order } = scene.bid('A', 100, 60_000).emits({ type: 'OrderPlaced', waiting: true })
    .events[0] as unknown as { order: number }
  scene.seen(BTC, 60_000).includes({ type: 'Traded', takerOrder: order })
})

test('ten seconds after its speed bump an order that still waits ends (ORDER-3)', () => {
  const scene = quoted({ market: { speedBumpMs: 200, staleAfterMs: 60_000 } })
  const { order } = scene.bid('A', 100, 60_000).one('OrderPlaced')
  scene.wait(10_199).emits()
  scene.wait(1).emits(ended(order))
})

test('a price that stands releases by time, and a tick without a time any order (ORDER-3)', () => {
  const scene = quoted({ pricesMayStand: true })
  scene.bid('A', 50, 60_000)
  scene.wait(200).lacks('Traded')
  scene.mark(BTC, 60_000).includes({ type: 'Traded', lots: 50 })
  scene.bid('A', 50, 60_000)
  scene.wait(200).includes({ type: 'Traded', lots: 50 })
})

test('the checks run at the mark of the tick that releases, in order of id (ORDER-3)', () => {
  const scene = quoted({ market: { speedBumpMs: 200, bandNearPpm: 10_000 } })
  const first = scene.bid('A', 60, 60_500).one('OrderPlaced').order
  const second = scene.bid('B', 60, 60_500).one('OrderPlaced').order
  scene.wait(200)
  const far = { reason: 'refused', rejection: 1_004 }
  const outcome = scene.seen(BTC, 59_000).all('OrderCancelled')
  assert.deepEqual(
    outcome.map(({ order, reason }) => [order, reason]),
    [
      [first, far.reason],
      [second, far.reason],
    ],
  )
})

test('a stale market ends waiting orders and kept actions (PRICE-5, ORDER-10)', () => {
  const scene = quoted({ market: { speedBumpMs: 5_000, staleAfterMs: 4_500 } })
  const own = { account: scene.id('A'), proof: null }
  const stop = {
    market: BTC,
    side: 'bid',
    reduceOnly: false,
    level: levelAt(61_000, { size: 100 }),
  }
  const actions = [
    { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 60_000) },
    { type: 'PlaceStop', ...own, ...stop },
  ]
  const batch = scene.run({ type: 'Batch', account: own.account, actions })
  const { order } = batch.one('OrderPlaced')
  scene
    .wait(4_501)
    .emits(
      { type: 'FeedHealthChanged', health: 'stale' },
      ended(order),
      { type: 'StopPlaced' },
      { type: 'OrderCancelled', reason: 'refused', rejection: 119 },
    )
  assert.deepEqual(scene.account('A').orders, [])
})

test('a start ends waiting orders (PRICE-5)', () => {
  const scene = quoted()
  const { order } = scene.bid('A', 100, 60_000).one('OrderPlaced')
  scene
    .run({ type: 'EngineStarted' })
    .emits({ type: 'EngineStarted' }, { type: 'FeedHealthChanged' }, ended(order))
})

test('releases beyond a tick’s maximum run in the next command while it is fresh (CORE-3)', (t) => {
  boundFor(t, { releasesPerCommand: 2 })
  const left = (age: number) => {
    const scene = quoted()
    for (let n = 0; n < 3; n++) scene.bid('A', 10, 60_000)
    scene.wait(200)
    scene.wait(0)
    assert.equal(scene.seen(BTC, 60_000).all('Traded').length, 2)
    assert.ok(scene.view.hasWorkLeft)
    return scene.wait(age)
  }
  left(1_000).emits({ type: 'Traded', lots: 10 })
  left(1_001).lacks('Traded')
})

test('once the units of a command are used no release begins (CORE-5)', (t) => {
  const scene = quoted()
  for (let n = 0; n < 3; n++) scene.bid('A', 10, 60_000)
  scene.wait(200)
  // Collecting the fills and the match use one each.
  boundFor(t, { commandUnits: 3 })
  assert.equal(scene.seen(BTC, 60_000).all('Traded').length, 2)
  assert.equal(scene.run({ type: 'Tick' }).all('Traded').length, 1)
})

test('a batch is released market by market, and its kept actions at the end (ORDER-10)', () => {
  const scene = quoted({ markets: ['BTC', 'ETH'] })
  scene.seen(ETH, 30_000)
  scene.ask('M', 100, 30_000, { tif: 'ALO', market: ETH })
  const own = { account: scene.id('A'), proof: null }
  const stop = {
    market: BTC,
    side: 'bid',
    reduceOnly: false,
    level: levelAt(61_000, { size: 100 }),
  }
  const actions = [
    { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 60_000) },
    { type: 'PlaceStop', ...own, ...stop },
    { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 30_000), market: ETH },
    { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 59_000), tif: 'ALO' },
  ]
  scene.run({ type: 'Batch', account: own.account, actions }).includes({ type: 'ActionDeferred' })
  scene.wait(200).emits({ type: 'OrderRested', price: 59_000 })
  scene.seen(BTC, 60_000).includes({ type: 'Traded', market: BTC }).lacks('StopPlaced')
  scene
    .seen(ETH, 30_000)
    .includes({ type: 'Traded', market: ETH }, { type: 'StopPlaced', stopPrice: 61_000 })
})

test('kept actions are due when the last order of their batch has ended (ORDER-10)', () => {
  const scene = quoted()
  const own = { account: scene.id('A'), proof: null }
  const stop = {
    market: BTC,
    side: 'bid',
    reduceOnly: false,
    level: levelAt(61_000, { size: 100 }),
  }
  const actions = [
    { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 60_000) },
    { type: 'PlaceStop', ...own, ...stop },
  ]
  const batch = scene.run({ type: 'Batch', account: own.account, actions })
  scene.wait(200).emits()
  scene.cancel('A', batch.one('OrderPlaced').order).emits({ type: 'OrderCancelled' })
  scene.wait(0).emits({ type: 'StopPlaced' })
})

test('where prices may not stand, nothing is released before a tick (CORE-1, PRICE-1)', () => {
  const scene = given(venue)
  scene.mark(BTC, 60_000).refused('INVALID_TIME', 0, 0, scene.now)
  scene.ask('M', 100, 60_000, { tif: 'ALO' })
  scene.bid('A', 100, 60_000)
  scene.wait(200).emits()
  scene.seen(BTC, 60_000).includes({ type: 'Traded' })
})

test('a taker ends after a thousand orders of its owner (ORDER-5)', (t) => {
  boundFor(t, { ownOrdersMet: 2 })
  const scene = given({ tiers: freeTiers, funds })
  for (let n = 0; n < 3; n++) scene.ask('A', 10, 60_000)
  scene.ask('M', 100, 60_001)
  scene
    .bid('A', 100, 60_001)
    .emits(
      { type: 'OrderPlaced' },
      { type: 'OrderCancelled', order: 1, reason: 'self_trade_prevented' },
      { type: 'OrderCancelled', order: 2, reason: 'self_trade_prevented' },
      { type: 'OrderCancelled', order: 5, reason: 'self_trade_prevented' },
    )
  assert.deepEqual(scene.account('A').orders, [3])
})
