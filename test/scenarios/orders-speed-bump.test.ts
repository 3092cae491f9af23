// docs/rules/orders.md, ORDER-3, through both engines: every order that takes waits, so that makers
// always have a moment to follow the price.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../support/rule-table.ts'
import { BTC, codeOf, freeTiers, given, levelAt, type Scene } from '../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, M: 10 ** 11 }
const bumped = { tiers: freeTiers, funds, markets: ['BTC'], market: { speedBumpMs: 200 } }

const plan = { market: BTC, side: 'bid', size: 3_000, slippagePpm: 10_000, durationSeconds: 60 }
const twap = (scene: Scene, more: Record<string, unknown> = {}) => {
  const wish = { ...plan, reduceOnly: false, clientOrderId: null, ...more }
  return scene.own('A', 'PlaceTwap', wish).one('AlgoPlaced').order
}
const cancelTwap = (scene: Scene, order: number) => {
  return scene.own('A', 'CancelTwap', { market: BTC, order, clientOrderId: null })
}
const maker = (scene: Scene, size: number, price: number) => {
  return scene.ask('M', size, price, { tif: 'ALO' }).one('OrderPlaced').order
}

/** Time goes on while the feed is alive. */
const live = (scene: Scene, seconds: number) => {
  for (let left = seconds; left > 0; left -= 1) {
    scene.now += 1_000
    scene.mark(BTC, 60_000)
  }
}

test('case 91: a stop or TWAP cannot pick off a maker that follows the price (ORDER-3)', () => {
  const row = worked('orders', 91)
  const [speedBumpMs = 0, size = 0, price = 0, stopPrice = 0, limitPrice, moved = 0, soon = 0] =
    row.given()
  const ways: Readonly<Record<string, (scene: Scene) => unknown>> = {
    order: (scene) => {
      scene.mark(BTC, moved)
      scene.bid('A', size, price, { tif: 'IOC' }).accepted()
    },
    stop: (scene) => {
      scene.stop('A', 'bid', levelAt(stopPrice, { size, limitPrice: limitPrice ?? null }))
      const fired = { type: 'OrderPlaced', origin: 'trigger', waiting: true } as const
      scene.mark(BTC, moved).includes({ type: 'StopTriggered' }, fired)
    },
    twap: (scene) => {
      scene.mark(BTC, moved)
      twap(scene, { size: 3 * size })
      scene.run({ type: 'Tick' }).includes({ type: 'OrderPlaced', origin: 'algo', waiting: true })
    },
  }
  const lotsOf = (way: string, follows: boolean) => {
    const scene = given({ ...bumped, market: { speedBumpMs } })
    const order = maker(scene, size, price)
    ways[way]?.(scene)
    scene.wait(soon)
    if (follows) scene.cancel('M', order).emits({ type: 'OrderCancelled', order, reason: 'owner' })
    scene.wait(speedBumpMs - soon)
    return scene.position('A')?.lots ?? 0
  }
  for (const way of Object.keys(ways)) {
    assert.equal(lotsOf(way, false), size, `${way}: a maker who stays is met`)
    row.says(speedBumpMs, lotsOf(way, true))
  }
})

test('the worst price is that of the moment in which the wait began (ORDER-3, TRIG-3)', () => {
  const scene = given(bumped)
  scene.stop('A', 'bid', levelAt(60_100, { size: 100 }))
  scene.mark(BTC, 60_100).includes({ type: 'OrderPlaced', waiting: true, price: 60_400 })
  scene.mark(BTC, 61_000)
  maker(scene, 100, 60_401)
  scene.wait(200).emits({ type: 'OrderCancelled', price: 60_400, reason: 'expired' })
})

test('a reduce-only stop that fired is cut with its position while it waits (TRIG-3)', () => {
  const scene = given({ ...bumped, market: { speedBumpMs: 0 } })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.run({ type: 'ChangeMarket', market: BTC, change: { speedBumpMs: 200 } })
  scene.stop('A', 'ask', levelAt(59_900), { reduceOnly: true })
  const { order } = scene.mark(BTC, 59_900).one('OrderPlaced')
  scene.run({ type: 'ChangeMarket', market: BTC, change: { speedBumpMs: 0 } })
  scene.sells('A', 'B', 400, 59_900)
  assert.deepEqual(scene.account('A').orders, [order])
  scene.bid('B', 1_000, 59_900, { tif: 'ALO' })
  scene.wait(200).includes({ type: 'Traded', takerOrder: order, lots: 600 })
  assert.equal(scene.position('A'), undefined)
})

test('a fired stop-loss outlives the turn of a liquidation and still runs (LIQ-2)', () => {
  const scene = given({ ...bumped, funds: { ...funds, A: 70_000_000 } })
  scene.run({ type: 'SetClockFrozen', frozen: true })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.run({ type: 'SetClockFrozen', frozen: false })
  scene.stop('A', 'ask', levelAt(59_200, { size: 1_000 }), { reduceOnly: true })
  const open = scene.bid('A', 100, 58_000, { tif: 'ALO' }).one('OrderPlaced').order
  scene
    .mark(BTC, 59_200)
    .includes({ type: 'StopTriggered' }, { type: 'OrderPlaced', waiting: true })
  const outcome = scene.mark(BTC, 59_050)
  outcome.includes(
    { type: 'LiquidationStarted' },
    { type: 'OrderCancelled', order: open, reason: 'liquidation' },
    { type: 'LiquidationStepped' },
  )
  scene.bid('B', 5_000, 59_000, { tif: 'ALO' })
  scene.wait(200).includes({ type: 'Traded', lots: 1_000, price: 59_000 })
})

test('CancelTwap ends the slice that waits, and then the TWAP (TRIG-6)', () => {
  const scene = given(bumped)
  maker(scene, 5_000, 60_000)
  const id = twap(scene)
  const { order } = scene.run({ type: 'Tick' }).one('OrderPlaced')
  cancelTwap(scene, id).emits(
    { type: 'OrderCancelled', order, reason: 'owner', remaining: 1_000 },
    { type: 'AlgoEnded', algo: id, reason: 'owner', filled: 0 },
  )
  live(scene, 31)
  assert.equal(scene.position('A'), undefined)
})

test('a TWAP is finished when the order of its last slice has ended (TRIG-6)', () => {
  const scene = given(bumped)
  maker(scene, 5_000, 60_000)
  const id = twap(scene)
  live(scene, 59)
  assert.equal(scene.position('A')?.lots, 2_000)
  scene.wait(1_000).includes({ type: 'AlgoStepped', step: 3 }).lacks('AlgoEnded')
  assert.deepEqual(scene.account('A').algos, [id])
  scene.wait(199).lacks('AlgoEnded')
  scene
    .wait(1)
    .emits(
      { type: 'Traded', lots: 1_000, takerRemaining: 0 },
      { type: 'AlgoFilled', filled: 3_000 },
      { type: 'AlgoEnded', algo: id, reason: 'finished', filled: 3_000 },
    )
})

test('a last slice that its owner cancels is the end of the TWAP, too (TRIG-6)', () => {
  const scene = given(bumped)
  maker(scene, 5_000, 60_000)
  const id = twap(scene)
  live(scene, 59)
  const { order } = scene.wait(1_000).one('OrderPlaced')
  scene
    .cancel('A', order)
    .emits(
      { type: 'OrderCancelled', order, reason: 'owner' },
      { type: 'AlgoEnded', algo: id, reason: 'finished', filled: 2_000 },
    )
})

test('a slice that was refused at its release is made up by the next one (TRIG-6)', () => {
  const scene = given(bumped)
  maker(scene, 5_000, 60_000)
  twap(scene)
  scene.run({ type: 'Tick' })
  scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen: true })
  const rejection = codeOf('TRADING_DISABLED')
  scene.wait(200).emits({ type: 'OrderCancelled', reason: 'refused', rejection })
  scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen: false })
  live(scene, 29)
  scene.wait(800).includes({ type: 'AlgoStepped', step: 2, lots: 2_000 })
})

test('a settled market ends TWAPs and their waiting slices (TRIG-6, MARKET-4)', () => {
  const scene = given(bumped)
  maker(scene, 5_000, 60_000)
  const id = twap(scene)
  const { order } = scene.run({ type: 'Tick' }).one('OrderPlaced')
  scene
    .run({ type: 'SettleMarket', market: BTC, price: 60_000 })
    .includes(
      { type: 'OrderCancelled', order, reason: 'market_closed' },
      { type: 'AlgoEnded', algo: id, reason: 'market_closed' },
    )
})

test('a liquidation ends a reduce-only TWAP with the slice that waits (TRIG-6, LIQ-2)', () => {
  const scene = given({ ...bumped, funds: { ...funds, A: 70_000_000 } })
  scene.run({ type: 'SetClockFrozen', frozen: true })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.run({ type: 'SetClockFrozen', frozen: false })
  scene.bid('B', 1, 59_900, { tif: 'ALO', size: 200 })
  const id = twap(scene, { side: 'ask', reduceOnly: true })
  const { order } = scene.run({ type: 'Tick' }).one('OrderPlaced')
  scene
    .mark(BTC, 59_050)
    .includes(
      { type: 'LiquidationStarted' },
      { type: 'OrderCancelled', order, reason: 'liquidation' },
      { type: 'AlgoEnded', algo: id, reason: 'liquidation' },
      { type: 'LiquidationStepped' },
    )
})
