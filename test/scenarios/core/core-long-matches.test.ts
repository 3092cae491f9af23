// docs/rules/core.md, CORE-5, through both engines: a match that uses its units stops and goes on
// in the next command, and what a command does once its units are used.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BTC,
  codeOf,
  ETH,
  freeTiers,
  given,
  levelAt,
  type Outcome,
  orderOf,
  type Scene,
  type Setting,
} from '../../support/scene.ts'
import { boundFor } from '../../support/trial-rules.ts'

const rich = 10 ** 12
const funds = { A: rich, B: rich, C: rich, D: rich }
const BEST = 60_000

/** Asks of B, 100 lots each, at the best price; a match stops after the third that it has met. */
function wall(
  t: Parameters<typeof boundFor>[0],
  asks: number,
  setting: Setting = {},
  limits: Parameters<typeof boundFor>[1] = {},
): Scene {
  boundFor(t, { commandUnits: 3, ...limits })
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, ...setting })
  for (let n = 0; n < asks; n++) scene.ask('B', 100, BEST, { tif: 'ALO' }).accepted()
  return scene
}

const tick = { type: 'Tick' } as const
const traded = (outcome: Outcome) => outcome.all('Traded').length

test('a match that has used its units goes on in the next command (CORE-5)', (t) => {
  const scene = wall(t, 7)
  const first = scene.bid('A', 750, BEST)
  const { order } = first.one('OrderPlaced')
  const match = { type: 'Traded', takerOrder: order } as const
  first.emits(
    { type: 'OrderPlaced', order, waiting: false, size: 750 },
    { ...match, takerRemaining: 650 },
    { ...match, takerRemaining: 550 },
    { ...match, takerRemaining: 450 },
  )
  // It waits: it is open, and not in the book.
  assert.deepEqual(scene.account('A').orders, [order])
  assert.deepEqual(scene.book().bids, [])
  assert.ok(scene.view.hasWorkLeft)
  const second = scene.run(tick)
  assert.deepEqual([traded(second), second.types().length], [3, 3])
  scene
    .run(tick)
    .emits({ ...match, takerRemaining: 50 }, { type: 'OrderRested', order, remaining: 50 })
  assert.ok(!scene.view.hasWorkLeft)
  assert.equal(scene.held('A')[0], 700)
})

test('the rest of a match that stopped counts as open (CORE-5)', (t) => {
  const scene = wall(t, 7)
  scene.bid('A', 750, BEST)
  // 300 lots held and 450 open, at the leverage of the market.
  assert.equal(scene.position('A')?.requirement, (750 * BEST * 10) / 50)
})

test('a match that has used its units and crosses nothing more is over (CORE-5)', (t) => {
  const scene = wall(t, 3)
  scene.ask('B', 100, BEST + 1, { tif: 'ALO' })
  const types = scene.bid('A', 400, BEST).types()
  assert.deepEqual(types, ['OrderPlaced', 'Traded', 'Traded', 'Traded', 'OrderRested'])
})

test('a match that has used its units and is filled is over (CORE-5)', (t) => {
  const scene = wall(t, 4)
  assert.equal(traded(scene.bid('A', 300, BEST)), 3)
  assert.deepEqual(scene.account('A').orders, [])
  scene.run(tick).emits()
})

test('a market order that stops keeps its worst price, and its rest ends (CORE-5)', (t) => {
  const scene = wall(t, 4)
  assert.equal(traded(scene.take('A', 'bid', 500)), 3)
  scene
    .mark(BTC, 59_000)
    .includes({ type: 'Traded' }, { type: 'OrderCancelled', reason: 'expired' })
})

test('a match goes on before the next command, which may cancel the rest (CORE-5)', (t) => {
  const scene = wall(t, 9)
  const { order } = scene.bid('A', 900, BEST).one('OrderPlaced')
  const outcome = scene.cancel('A', order).accepted()
  outcome.includes({ type: 'OrderCancelled', order, reason: 'owner', remaining: 300 })
  assert.equal(traded(outcome), 3)
  assert.equal(outcome.types().at(-1), 'OrderCancelled')
  scene.run(tick).emits()
  assert.equal(scene.held('A')[0], 600)
})

test('a release is checked for the remaining size (CORE-5)', (t) => {
  const scene = wall(t, 9)
  const { order } = scene.bid('A', 900, BEST).one('OrderPlaced')
  const outcome = scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen: true })
  assert.equal(traded(outcome), 3)
  const rejection = codeOf('TRADING_DISABLED')
  const ended = { type: 'OrderCancelled', order, reason: 'refused', rejection } as const
  scene.run(tick).emits({ ...ended, remaining: 300 })
})

test('the rest may be worth less than the smallest order (CORE-5)', (t) => {
  const scene = wall(t, 4)
  assert.equal(traded(scene.bid('A', 301, BEST)), 3)
  scene.run(tick).emits({ type: 'Traded', lots: 1, takerRemaining: 0 })
})

test('a match that stopped waits for a tick once its price is old (CORE-5, ORDER-3)', (t) => {
  const begun = () => {
    const scene = wall(t, 9, { pricesMayStand: false })
    scene.seen(BTC, BEST)
    const { order } = scene.bid('A', 900, BEST).one('OrderPlaced')
    assert.equal(traded(scene.later(100).seen(BTC, BEST)), 3)
    return { scene, order }
  }
  // Fresh for 1,000 ms.
  assert.equal(traded(begun().scene.wait(1_000)), 3)
  const { scene } = begun()
  scene.wait(1_001).emits()
  assert.equal(traded(scene.seen(BTC, BEST)), 3)
  // 10,000 ms after it stopped it ends.
  const stopped = begun()
  stopped.scene.wait(1_001).emits()
  stopped.scene.wait(8_998).emits()
  const rejection = codeOf('ORACLE_NOT_AVAILABLE')
  stopped.scene
    .wait(1)
    .emits({ type: 'OrderCancelled', order: stopped.order, reason: 'refused', rejection })
})

test('an order that comes when the units are used runs before left releases (CORE-5)', (t) => {
  const scene = wall(t, 5, {}, { releasesPerCommand: 1 })
  scene.list('ETH', { speedBumpMs: 200 }).accepted()
  const eth = { market: ETH }
  scene.bid('D', 100, 20_000, eth)
  const left = scene.bid('D', 100, 20_000, eth).one('OrderPlaced').order
  scene.stop('A', 'bid', levelAt(60_100, { size: 300 })).accepted()
  scene.stop('C', 'bid', levelAt(60_100, { size: 200 })).accepted()
  // One of the two releases, and both stops; the order of the first uses the units.
  const outcome = scene.later(200).mark(BTC, 60_100)
  assert.deepEqual([traded(outcome), outcome.all('OrderRested').length], [3, 1])
  const [one, other] = outcome.all('OrderPlaced')
  assert.deepEqual([one?.waiting, other?.waiting], [false, true])
  scene
    .run(tick)
    .emits(
      { type: 'Traded', takerOrder: other!.order, takerRemaining: 100 },
      { type: 'Traded', takerOrder: other!.order, takerRemaining: 0 },
    )
  scene.run(tick).emits({ type: 'OrderRested', order: left, market: ETH })
})

test('orders that run next do so in order of id, while units are left (CORE-5)', (t) => {
  const scene = wall(t, 9)
  for (const [name, size] of [
    ['A', 300],
    ['C', 300],
    ['D', 100],
  ] as const)
    scene.stop(name, 'bid', levelAt(60_100, { size })).accepted()
  const takers = (outcome: Outcome) => outcome.all('Traded').map(({ taker }) => taker)
  const [a, c, d] = [scene.id('A'), scene.id('C'), scene.id('D')]
  assert.deepEqual(takers(scene.mark(BTC, 60_100)), [a, a, a])
  assert.deepEqual(takers(scene.run(tick)), [c, c, c])
  assert.deepEqual(takers(scene.run(tick)), [d])
  assert.ok(!scene.view.hasWorkLeft)
})

test('an order that crosses nothing runs also when the units are used (CORE-5)', (t) => {
  const scene = wall(t, 3)
  scene.stop('A', 'bid', levelAt(60_100, { size: 300 })).accepted()
  scene.stop('C', 'bid', levelAt(60_100, { size: 200, limitPrice: 59_900 })).accepted()
  scene
    .mark(BTC, 60_100)
    .includes({ type: 'OrderPlaced', waiting: false, price: 59_900 }, { type: 'OrderRested' })
})

test('a slice that comes when the units are used runs next (CORE-5)', (t) => {
  const scene = wall(t, 9, { market: { staleAfterMs: 60_000 } })
  const twap = { market: BTC, side: 'bid', reduceOnly: false, slippagePpm: 10_000 }
  const plan = { ...twap, size: 600, durationSeconds: 60, clientOrderId: null }
  scene.own('A', 'PlaceTwap', plan).accepted()
  scene.own('C', 'PlaceTwap', plan).accepted()
  assert.equal(traded(scene.run(tick)), 2)
  // The second slices are due together: collected fills and a match of two orders use the units.
  const outcome = scene.wait(30_000)
  assert.deepEqual(
    outcome.all('OrderPlaced').map(({ waiting }) => waiting),
    [false, true],
  )
  assert.equal(traded(outcome), 2)
  assert.equal(traded(scene.run(tick)), 2)
})

test('the order of a fired stop that goes on and stops waits for the next tick (CORE-5)', (t) => {
  boundFor(t, { commandUnits: 3 })
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 1_000, BEST)
  for (let n = 0; n < 9; n++) scene.bid('B', 100, 59_850, { tif: 'ALO' })
  scene.stop('A', 'ask', levelAt(59_900), { reduceOnly: true }).accepted()
  // A unit for each of two bids, and one for itself, which the first fill makes ORDER-7 cut.
  assert.equal(traded(scene.mark(BTC, 59_900)), 2)
  scene.run(tick).emits()
  assert.equal(traded(scene.mark(BTC, 59_900)), 2)
})

test('a fired stop that comes when the units are used runs next (CORE-5, TRIG-3)', (t) => {
  boundFor(t, { commandUnits: 3 })
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 200, BEST)
  for (let n = 0; n < 9; n++) scene.bid('B', 100, 59_850, { tif: 'ALO' })
  scene.stop('C', 'ask', levelAt(59_900, { size: 300 })).accepted()
  const half = levelAt(59_900, { size: 100 })
  scene.stop('A', 'ask', half, { reduceOnly: true }).accepted()
  scene.stop('A', 'ask', half, { reduceOnly: true }).accepted()
  const [, first, second] = scene.mark(BTC, 59_900).all('OrderPlaced')
  assert.deepEqual([first?.waiting, second?.waiting], [true, true])
  scene.run(tick).includes({ type: 'Traded', takerOrder: first!.order, takerRemaining: 0 })
  // The one behind it waits for a tick.
  scene.run(tick).emits()
  scene.mark(BTC, 59_900).includes({ type: 'Traded', takerOrder: second!.order })
})

function batchOf(scene: Scene, ...actions: readonly Record<string, unknown>[]): Outcome {
  const account = scene.id('A')
  const own = { account, proof: null, market: BTC }
  return scene.run({ type: 'Batch', account, actions: actions.map((one) => ({ ...own, ...one })) })
}

const bidOf = (size: number, price: number, tif: string) => {
  return { type: 'PlaceOrder', ...orderOf('bid', size, price), tif }
}

test('a FOK order that would match when the units are used is rejected (ORDER-1)', (t) => {
  const scene = wall(t, 9)
  const outcome = batchOf(
    scene,
    bidOf(300, BEST, 'GTC'),
    bidOf(100, BEST, 'FOK'),
    bidOf(100, 59_000, 'FOK'),
  )
  assert.equal(traded(outcome), 3)
  const numbers = { first: 0, second: 0, third: 100 }
  outcome.includes(
    { type: 'BatchActionStarted', index: 1 },
    { type: 'CommandRejected', rejection: 'TOO_MANY_ORDERS_TO_CHECK', ...numbers },
    { type: 'BatchActionStarted', index: 2 },
    { type: 'OrderPlaced', waiting: false, price: 59_000 },
    { type: 'OrderCancelled', reason: 'expired' },
  )
  scene.run(tick).emits()
})

test('a FOK order does not stop (CORE-5)', (t) => {
  const scene = wall(t, 7)
  assert.equal(traded(scene.bid('A', 700, BEST, { tif: 'FOK' })), 7)
})

test('the rest of a batch is delayed when the units are used (ORDER-10)', (t) => {
  const scene = wall(t, 7)
  const old = scene.bid('A', 100, 50_000).one('OrderPlaced').order
  const [taker, quoted, deferred] = [old + 1, old + 2, old + 3]
  const stop = { type: 'PlaceStop', side: 'bid', reduceOnly: false }
  batchOf(
    scene,
    bidOf(750, BEST, 'GTC'),
    bidOf(100, 58_000, 'ALO'),
    { ...stop, level: levelAt(70_000, { size: 100 }) },
    { type: 'CancelOrder', order: old, clientOrderId: null },
    { type: 'CancelOrder', order: taker, clientOrderId: null },
  ).emits(
    { type: 'BatchActionStarted', index: 0 },
    { type: 'OrderPlaced', order: taker, waiting: false },
    { type: 'Traded' },
    { type: 'Traded' },
    { type: 'Traded' },
    { type: 'BatchActionStarted', index: 1 },
    { type: 'OrderPlaced', order: quoted, waiting: true },
    { type: 'BatchActionStarted', index: 2 },
    { type: 'ActionDeferred', action: deferred },
    { type: 'BatchActionStarted', index: 3 },
    { type: 'OrderCancelled', order: old },
    { type: 'BatchActionStarted', index: 4 },
    { type: 'ActionDeferred', action: deferred + 1 },
  )
  assert.deepEqual(scene.run(tick).types(), ['Traded', 'Traded', 'Traded'])
  // No order of the batch waits any more: what was kept follows.
  scene
    .run(tick)
    .emits(
      { type: 'Traded', takerOrder: taker, takerRemaining: 50 },
      { type: 'OrderRested', order: taker },
      { type: 'OrderRested', order: quoted },
      { type: 'StopPlaced' },
      { type: 'OrderCancelled', order: taker, reason: 'owner', remaining: 50 },
    )
})

test('a batch that stays within its units is not delayed (ORDER-10)', (t) => {
  const scene = wall(t, 3)
  batchOf(scene, bidOf(100, BEST, 'GTC'), bidOf(100, 58_000, 'GTC')).includes({
    type: 'OrderRested',
    price: 58_000,
  })
})
