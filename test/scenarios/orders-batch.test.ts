// Batches of docs/rules/orders.md through both engines; the rest is in orders.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BTC,
  codeOf,
  freeTiers,
  given,
  levelAt,
  type Outcome,
  orderOf,
  type Scene,
} from '../support/scene.ts'

const free = { tiers: freeTiers, funds: { A: 10 ** 11, B: 10 ** 11 } }
const bumped = { ...free, market: { speedBumpMs: 200 } }

function batchOf(scene: Scene, ...actions: readonly Record<string, unknown>[]): Outcome {
  const account = scene.id('A')
  const own = { account, proof: null, market: BTC }
  return scene.run({
    type: 'Batch',
    account,
    actions: actions.map((each) => ({ ...own, ...each })),
  })
}
const bidOf = (size: number, price: number, more: Record<string, unknown> = {}) => {
  return { type: 'PlaceOrder', ...orderOf('bid', size, price), ...more }
}
const cancelOf = (order: number) => ({ type: 'CancelOrder', order, clientOrderId: null })

test('a batch has 1 to 10 actions, all of its account (ORDER-10)', () => {
  const scene = given(free)
  batchOf(scene).refused('LIMIT_REACHED', 10)
  batchOf(scene, ...Array(11).fill(bidOf(100, 59_000))).refused('LIMIT_REACHED', 10)
  batchOf(scene, bidOf(100, 59_000, { account: scene.id('B') })).refused('UNSUPPORTED_OPERATION')
  assert.equal(batchOf(scene, ...Array(10).fill(bidOf(100, 59_000))).all('OrderRested').length, 10)
})

test('a refused action does not stop the next (ORDER-10)', () => {
  const scene = given(free)
  batchOf(
    scene,
    bidOf(0, 59_000),
    cancelOf(7),
    bidOf(100, 59_000, { market: 9 }),
    bidOf(100, 59_000),
  ).emits(
    { type: 'BatchActionStarted', index: 0 },
    { type: 'CommandRejected', rejection: 'INVALID_AMOUNT' },
    { type: 'BatchActionStarted', index: 1 },
    { type: 'CommandRejected', rejection: 'ORDER_NOT_FOUND', first: 7 },
    { type: 'BatchActionStarted', index: 2 },
    { type: 'CommandRejected', rejection: 'BOOK_NOT_FOUND', first: 9 },
    { type: 'BatchActionStarted', index: 3 },
    { type: 'OrderPlaced', order: 1 },
    { type: 'OrderRested', order: 1 },
  )
})

test('a delayed batch cancels immediately, delays orders, and defers the rest (ORDER-10)', () => {
  const scene = given(bumped)
  scene.bid('A', 100, 59_000, { tif: 'ALO' })
  const edit = { type: 'EditOrder', order: 2, clientOrderId: null, price: 58_900, size: 90 }
  batchOf(scene, cancelOf(1), bidOf(100, 59_100, { tif: 'ALO' }), bidOf(100, 59_200), edit).emits(
    { type: 'BatchActionStarted', index: 0 },
    { type: 'OrderCancelled', order: 1 },
    { type: 'BatchActionStarted', index: 1 },
    { type: 'OrderPlaced', order: 2, waiting: true },
    { type: 'BatchActionStarted', index: 2 },
    { type: 'OrderPlaced', order: 3, waiting: true },
    { type: 'BatchActionStarted', index: 3 },
    { type: 'ActionDeferred', action: 4, account: scene.id('A') },
  )
  scene
    .wait(200)
    .emits(
      { type: 'OrderRested', order: 2 },
      { type: 'OrderRested', order: 3 },
      { type: 'OrderCancelled', order: 2, reason: 'replaced' },
      { type: 'OrderPlaced', order: 5, parent: 2 },
      { type: 'OrderRested', order: 5, remaining: 90 },
    )
})

test('a waiting TOB order that is refused ends with the price it had (ORDER-3)', () => {
  for (const frozen of [false, true]) {
    const scene = given(bumped)
    batchOf(scene, bidOf(100, 60_020, { tif: 'TOB' }), bidOf(100, 59_000))
    scene.ask('B', 100, 60_010, { tif: 'ALO' })
    scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen })
    const outcome = scene.wait(200)
    if (frozen)
      outcome.emits(
        { type: 'OrderCancelled', order: 1, reason: 'refused', price: 60_020 },
        { type: 'OrderCancelled', order: 2, reason: 'refused', price: 59_000 },
      )
    else
      outcome.emits(
        { type: 'OrderRested', order: 1, price: 60_009 },
        { type: 'OrderRested', order: 2, price: 59_000 },
      )
  }
})

test('an action that cannot be kept for the release is refused immediately (ORDER-10)', () => {
  const scene = given(bumped)
  scene.bid('A', 100, 59_000, { tif: 'ALO' })
  const edit = { type: 'EditOrder', order: 1, clientOrderId: null, price: 58_900, size: 90 }
  const tpsl = { type: 'SetPositionTpsl', side: 'bid', takeProfit: levelAt(61_000) }
  const wrong = [
    { ...edit, price: 0.5 },
    { ...edit, size: Number.NaN },
    { ...edit, order: 1.5 },
    { ...edit, clientOrderId: '' },
    { ...tpsl, side: 'long' },
    { ...tpsl, takeProfit: levelAt(61_000, { size: 0.5 }) },
    { ...tpsl, takeProfit: levelAt(61_000, { triggerBy: 'index' }) },
  ]
  const outcome = batchOf(scene, bidOf(100, 59_100), ...wrong, edit, tpsl)
  const refusals = outcome.all('CommandRejected').map(({ rejection, first }) => [rejection, first])
  assert.deepEqual(refusals, Array(wrong.length).fill(['INVALID_PARAMETER', 0]))
  assert.equal(outcome.all('ActionDeferred').length, 2)
})

test('an order refused at its release is published as ended (ORDER-10, ORDER-17)', () => {
  const scene = given(bumped)
  scene.bid('A', 100, 59_000, { tif: 'ALO', clientOrderId: 'taken' })
  const quote = { type: 'Quote', side: 'ask', price: 60_100, size: 50, clientOrderId: 'fresh' }
  const edit = { type: 'EditOrder', order: 1, clientOrderId: null, price: 58_900, size: 90 }
  const level = levelAt(61_000, { size: 20, clientOrderId: 'taken' })
  const levels = { takeProfit: [levelAt(62_000), levelAt(63_000)], stopLoss: levelAt(58_000) }
  batchOf(
    scene,
    bidOf(100, 59_100),
    quote,
    { ...quote, size: 0, clientOrderId: 'other' },
    edit,
    { type: 'PlaceStop', side: 'bid', reduceOnly: false, level },
    { type: 'SetPositionTpsl', side: 'bid', ...levels },
    cancelOf(2),
  ).accepted()
  scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen: true })
  const outcome = scene.wait(200)
  const rejection = codeOf('TRADING_DISABLED')
  const placed = [...outcome.all('OrderPlaced'), ...outcome.all('StopPlaced')]
  const ended = outcome.all('OrderCancelled').filter(({ order }) => order > 8)
  assert.deepEqual(
    placed.map(({ order }) => order),
    ended.map(({ order }) => order),
  )
  assert.ok(ended.every((each) => each.reason === 'refused' && each.rejection === rejection))
  outcome.includes(
    { type: 'OrderPlaced', side: 'ask', price: 60_100, clientOrderId: 'fresh', parent: 0 },
    { type: 'OrderPlaced', side: 'bid', price: 58_900, clientOrderId: null, parent: 1 },
    { type: 'StopPlaced', orderType: 'stop_market', size: 20, clientOrderId: null },
    { type: 'StopPlaced', orderType: 'take_profit_market', side: 'ask', stopPrice: 62_000 },
    { type: 'StopPlaced', orderType: 'take_profit_market', side: 'ask', stopPrice: 63_000 },
    { type: 'StopPlaced', orderType: 'stop_loss_market', side: 'ask', stopPrice: 58_000 },
  )
  assert.equal(placed.length, 6)
  assert.equal(scene.state.triggers.size, 0)
  assert.deepEqual(scene.account('A').orders, [1])
})

test('an order removed before its release is published as ended (ORDER-10, CORE-7)', () => {
  const endedBy = (end: (scene: Scene) => Outcome) => {
    const scene = given(bumped)
    scene.bid('A', 100, 59_000, { tif: 'ALO' })
    const quote = { type: 'Quote', side: 'ask', price: 60_100, size: 50, clientOrderId: 'q' }
    const edit = { type: 'EditOrder', order: 1, clientOrderId: null, price: 58_900, size: 90 }
    const stop = { type: 'PlaceStop', side: 'ask', reduceOnly: true, level: levelAt(58_000) }
    batchOf(scene, bidOf(100, 59_100), quote, edit, stop, cancelOf(2)).accepted()
    const outcome = end(scene)
    const placed = [...outcome.all('OrderPlaced'), ...outcome.all('StopPlaced')]
    const ends = outcome.all('OrderCancelled').filter(({ order }) => order > 6)
    assert.deepEqual(
      placed.map(({ order }) => order),
      ends.map(({ order }) => order),
    )
    assert.ok(ends.every(({ rejection }) => rejection === 0))
    const later = scene.wait(200)
    assert.deepEqual(later.all('OrderPlaced'), [])
    return [ends.map(({ reason }) => reason), later.all('StopPlaced').length]
  }
  const closed = 'market_closed'
  const all = (excludeReduceOnly: boolean) => (scene: Scene) =>
    scene.own('A', 'CancelAllOrders', { market: null, excludeReduceOnly }).accepted()
  const mode = (scene: Scene) =>
    scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  const settled = (scene: Scene) => scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  // An edit is published as long as its order is open; a stop that only reduces is spared.
  assert.deepEqual(endedBy(all(false)), [['owner', 'owner'], 0])
  assert.deepEqual(endedBy(all(true)), [['owner'], 1])
  assert.deepEqual(endedBy(mode), [[closed, closed, closed], 0])
  assert.deepEqual(endedBy(settled), [[closed, closed], 0])
})
