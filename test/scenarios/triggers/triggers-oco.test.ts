// docs/rules/triggers.md, TRIG-14, through both engines: of two stops, or of an order and a stop,
// one happens.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstRules } from '../../../src/core/rules/first-rules.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, levelAt, type Scene } from '../../support/scene.ts'
import { setLimits } from '../../support/trial-rules.ts'

type More = Readonly<Record<string, unknown>>

const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
const bumped = { tiers: freeTiers, funds, markets: ['BTC'], market: { speedBumpMs: 200 } }
const free = { ...bumped, market: { speedBumpMs: 0 } }

const stop = (side: 'bid' | 'ask', price: number, size: number, more: More = {}) => {
  const { reduceOnly = false, up, ...level } = more
  const turned = up === undefined ? {} : { up }
  return { side, reduceOnly, level: levelAt(price, { size, ...level }), ...turned }
}
const order = (side: 'bid' | 'ask', price: number, size: number, more: More = {}) => ({
  side,
  price,
  size,
  reduceOnly: false,
  clientOrderId: null,
  ...more,
})
const oco = (scene: Scene, legs: readonly unknown[], more: More = {}) =>
  scene.own('A', 'PlaceOco', { market: BTC, legs, ...more })

/** A bid at 59,000 and a bid stop at 61,000, of 300 each: orders 1 and 2. */
function pair(more: More = {}, rules: More = free): Scene {
  const scene = given(rules)
  oco(scene, [order('bid', 59_000, 300), stop('bid', 61_000, 300)], more).emits(
    ...(more.expireTime === undefined ? [] : [{ type: 'ExpirySet', order: 1 } as const]),
    { type: 'OrderPlaced', order: 1, tif: 'ALO', size: 300 },
    ...(more.expireTime === undefined ? [] : [{ type: 'ExpirySet', order: 2 } as const]),
    { type: 'StopPlaced', order: 2, size: 300 },
    { type: 'OcoLinked', first: 1, second: 2 },
    { type: 'OrderRested', order: 1 },
  )
  comesBack(scene)
  return scene
}

function comesBack(scene: Scene): void {
  const back = decodeState(encodeState(scene.state))
  assert.equal(stateHash(back), stateHash(scene.state))
  assert.deepEqual(back.oco, scene.state.oco)
}

test('case 263: two stops, and one fires (TRIG-8, TRIG-14)', () => {
  const row = worked('triggers', 263)
  const [size = 0, high = 0, other = 0, low = 0, mark = 0] = row.given()
  const scene = given(bumped)
  oco(scene, [stop('bid', high, size), stop('ask', low, other)]).emits(
    { type: 'StopPlaced', order: 1 },
    { type: 'StopPlaced', order: 2 },
    { type: 'OcoLinked', first: 1, second: 2 },
  )
  const outcome = scene
    .mark(BTC, mark)
    .includes(
      { type: 'StopTriggered', order: 1 },
      { type: 'OrderCancelled', order: 2, reason: 'oco', remaining: other },
      { type: 'OrderPlaced', order: 3, parent: 1, waiting: true },
    )
  row.says(outcome.one('OrderPlaced').size)
  assert.equal(scene.state.oco.size + scene.state.triggers.size, 0)
})

test('case 264: an order fills in part, and the stop is for the rest (TRIG-8, TRIG-14)', () => {
  const row = worked('triggers', 264)
  const [size = 0, price = 0, same = 0, above = 0, filled = 0, mark = 0] = row.given()
  const scene = given(bumped)
  oco(scene, [order('bid', price, size), stop('bid', above, same)]).accepted()
  scene.ask('B', filled, price)
  const cut = scene.wait(500).one('StopReduced')
  const outcome = scene.mark(BTC, mark)
  const gone = outcome.one('OrderCancelled')
  assert.deepEqual([cut.order, gone.order, gone.reason], [2, 1, 'oco'])
  row.says(cut.size, gone.remaining, outcome.one('OrderPlaced').size)
})

test('an order that is filled ends the stop (TRIG-14)', () => {
  const scene = pair()
  scene.ask('B', 100, 59_000).includes({ type: 'StopReduced', order: 2, size: 200 })
  scene.ask('B', 200, 59_000).includes({ type: 'OrderCancelled', order: 2, reason: 'oco' })
  assert.equal(scene.state.oco.size + scene.state.triggers.size, 0)
})

test('an edit keeps the link and cuts the stop, one that crosses changes nothing (TRIG-14)', () => {
  const scene = pair()
  scene.ask('B', 10, 60_500)
  const edit = (id: number, price: number, size: number) => {
    const ref = { order: id, clientOrderId: null }
    return scene.own('A', 'EditOrder', { market: BTC, ...ref, price, size })
  }
  edit(1, 60_500, 300).includes({ type: 'OrderCancelled', reason: 'post_only_rejected' })
  edit(1, 58_900, 250).emits(
    { type: 'OrderCancelled', order: 1, reason: 'replaced' },
    { type: 'OrderPlaced', order: 5 },
    { type: 'OrderRested', order: 5 },
    { type: 'StopReduced', order: 2, size: 250 },
  )
  edit(5, 58_900, 400).lacks('StopReduced')
  comesBack(scene)
  scene
    .cancel('A', 2)
    .emits(
      { type: 'OrderCancelled', order: 2, reason: 'owner' },
      { type: 'OrderCancelled', order: 6, reason: 'oco' },
    )
})

test('a cancel of one leg and its expiry end both (TRIG-14)', () => {
  pair()
    .cancel('A', 1)
    .emits(
      { type: 'OrderCancelled', order: 1, reason: 'owner' },
      { type: 'OrderCancelled', order: 2, reason: 'oco' },
    )
  const scene = pair({ expireTime: given(free).now + 5_000 })
  scene
    .wait(5_000)
    .includes(
      { type: 'OrderCancelled', order: 1, reason: 'expired' },
      { type: 'OrderCancelled', order: 2, reason: 'oco' },
    )
  const stops = given(free)
  const expireTime = stops.now + 5_000
  oco(stops, [stop('bid', 61_000, 1), stop('ask', 59_000, 1)], { expireTime }).accepted()
  stops
    .wait(5_000)
    .includes(
      { type: 'OrderCancelled', order: 1, reason: 'expired' },
      { type: 'OrderCancelled', order: 2, reason: 'oco' },
    )
})

test('a reduce-only order that goes with its position takes its stop along (TRIG-14)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  const only = { reduceOnly: true }
  oco(scene, [order('ask', 62_000, 100, only), stop('ask', 58_000, 100, only)]).accepted()
  scene
    .sells('A', 'C', 100, 60_000)
    .includes(
      { type: 'OrderCancelled', order: 3, reason: 'reduce_only' },
      { type: 'OrderCancelled', order: 4, reason: 'oco' },
    )
})

test('any other end dissolves the link (TRIG-14)', () => {
  const scene = pair()
  scene.ask('A', 10, 59_000).includes({ type: 'OrderCancelled', reason: 'self_trade_prevented' })
  assert.deepEqual([...scene.state.triggers.keys()], [2])
  const all = { market: null, excludeReduceOnly: true }
  const held = given(free)
  held.buys('A', 'B', 100, 60_000)
  const keeps = stop('ask', 58_000, 100, { reduceOnly: true })
  oco(held, [stop('bid', 62_000, 100), keeps]).accepted()
  held.own('A', 'CancelAllOrders', all).includes({ type: 'OrderCancelled', reason: 'owner' })
  assert.deepEqual([...held.state.triggers.keys()], [4])
  held.bid('B', 100, 57_000)
  held.mark(BTC, 58_000).includes({ type: 'StopTriggered', order: 4 }).lacks('OrderCancelled')
})

test('legs that do not go together are refused, and so is one that would take (TRIG-14)', () => {
  const scene = given(free)
  const rests = order('bid', 59_000, 300)
  oco(scene, [rests, rests]).refused('INVALID_ORDER_TYPE')
  oco(scene, [rests]).refused('INVALID_ORDER_TYPE')
  const with_ = (other: unknown) => oco(scene, [rests, other])
  with_(stop('ask', 58_000, 300)).refused('INVALID_STOP_ORDER_SIDE')
  with_(stop('bid', 61_000, 299)).refused('INVALID_STOP_ORDER_AMOUNT', 299, 300)
  with_(stop('bid', 61_000, 300, { reduceOnly: true })).refused('INVALID_STOP_ORDER_REDUCE_ONLY')
  with_(stop('bid', 60_000, 300)).refused('INVALID_STOP_TICK', 60_000, 60_000)
  scene.ask('B', 10, 60_500)
  const takes = order('bid', 60_600, 300)
  oco(scene, [takes, stop('bid', 61_000, 300)]).refused('WOULD_TAKE', 60_600, 60_500)
  oco(scene, [stop('bid', 61_000, 300), takes]).refused('WOULD_TAKE', 60_600, 60_500)
  assert.equal(scene.state.triggers.size + scene.state.oco.size, 0)
  with_(stop('bid', 59_500, 300, { up: false })).accepted()
})

test('the second leg is checked as if the first was placed (TRIG-14)', () => {
  const scene = given(free)
  const name = { clientOrderId: 'one' }
  const [rests, stops] = [order('bid', 59_000, 10, name), stop('bid', 61_000, 10, name)]
  oco(scene, [rests, stops]).refused('DUPLICATE_CLIENT_ORDER_ID')
  oco(scene, [stops, rests]).refused('DUPLICATE_CLIENT_ORDER_ID')
  const { ordersPerAccount, trailingPerAccount } = firstRules.limits
  setLimits({ ordersPerAccount: 1, trailingPerAccount: 1 })
  oco(scene, [rests, stop('bid', 61_000, 10)]).refused('OPEN_ORDER_LIMIT_REACHED', 1, 1)
  oco(scene, [stops, order('bid', 59_000, 10)]).refused('OPEN_ORDER_LIMIT_REACHED', 1, 1)
  setLimits({ ordersPerAccount })
  const trail = { distance: 500, ppm: null, activation: null }
  const trails = [stop('bid', 0, 10, { trail }), stop('ask', 0, 10, { trail })]
  oco(scene, trails).refused('OPEN_ORDER_LIMIT_REACHED', 1, 1)
  setLimits({ trailingPerAccount })
  oco(scene, trails).accepted()
  oco(scene, [rests, stop('bid', 61_000, 10)]).accepted()
})

test('a leg cannot be a quote (ORDER-17, TRIG-14)', () => {
  const scene = given(free)
  const named = order('bid', 59_000, 300, { clientOrderId: 'q' })
  oco(scene, [named, stop('bid', 61_000, 300)]).accepted()
  const account = scene.id('A')
  const own = { account, proof: null, market: BTC, side: 'bid', clientOrderId: 'q' } as const
  const quote = { type: 'Quote', ...own, price: 58_000, size: 10 } as const
  scene
    .run({ type: 'Batch', account, actions: [quote] as never, proof: null })
    .includes({ type: 'CommandRejected', rejection: 'DUPLICATE_CLIENT_ORDER_ID' })
})
