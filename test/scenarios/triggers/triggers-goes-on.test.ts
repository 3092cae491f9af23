// docs/rules/triggers.md, TRIG-3, through both engines: triggers by ticks, and fired stops that go
// on until their position is closed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, levelAt, type Scene } from '../../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, C: 10 ** 11 }
const free = { tiers: freeTiers, funds, markets: ['BTC'] }

/** A is long, and its stop for all of it fires at this mark; the id of its order. */
function fired(scene: Scene, mark: number, size = 1_000, more: Record<string, unknown> = {}) {
  scene.buys('A', 'B', size, 60_100)
  scene.stop('A', 'ask', levelAt(mark), { reduceOnly: true, ...more }).accepted()
  return scene.mark(BTC, mark).one('OrderPlaced').order
}

const traded = (lots: number) => ({ type: 'Traded', lots }) as const

test('case 269: the rest of a fired stop runs again with each tick (TRIG-3, TRIG-8)', () => {
  const row = worked('triggers', 269)
  const [
    leverageMax,
    size = 0,
    mark = 0,
    near = 0,
    price = 0,
    far = 0,
    low = 0,
    next = 0,
    last = 0,
  ] = row.given()
  const scene = given({ ...free, market: { leverageMax } })
  scene.buys('A', 'B', size, mark + 100)
  scene.bid('B', near, price)
  scene.bid('B', far, low)
  scene.mark(BTC, mark + 1)
  scene.stop('A', 'ask', levelAt(mark), { reduceOnly: true })
  const outcome = scene.mark(BTC, mark)
  const { lots, takerRemaining } = outcome.one('Traded')
  scene.mark(BTC, next).emits({ type: 'MarkUpdated' })
  const end = scene.mark(BTC, last).includes({ type: 'Traded', lots: far, takerRemaining: 0 })
  row.says(lots, takerRemaining, price, low, end.one('Traded').lots)
  assert.deepEqual(scene.account('A').orders, [])
})

test('a fired stop that goes on is placed once, with its time (TRIG-3, ORDER-14)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 1_000, 60_100)
  scene.stop('A', 'ask', levelAt(59_900), { reduceOnly: true })
  const time = scene.now + 600_000
  scene
    .mark(BTC, 59_900)
    .emits(
      { type: 'MarkUpdated' },
      { type: 'StopTriggered' },
      { type: 'ExpirySet', time },
      { type: 'OrderPlaced', tif: 'IOC', price: 59_601, waiting: false },
    )
  for (let n = 0; n < 3; n++) scene.mark(BTC, 59_900).emits({ type: 'MarkUpdated' })
})

test('where prices do not stand, each tick that would release it runs it (TRIG-3)', () => {
  const scene = given({ ...free, pricesMayStand: false })
  scene.seen(BTC, 60_000)
  scene.ask('B', 1_000, 60_000, { tif: 'ALO' })
  scene.bid('A', 1_000, 60_000)
  scene.seen(BTC, 60_000).includes(traded(1_000))
  scene.stop('A', 'ask', levelAt(59_900), { reduceOnly: true })
  scene.seen(BTC, 59_900).includes({ type: 'OrderPlaced', waiting: false })
  scene.bid('B', 400, 59_900, { tif: 'ALO' })
  scene.later(100).seen(BTC, 59_900, 101).lacks('Traded')
  scene.seen(BTC, 59_900, 100).includes(traded(400))
  scene.bid('B', 600, 59_900, { tif: 'ALO' })
  scene.later(2_000).seen(BTC, 59_900, 1_001).lacks('Traded')
  scene.seen(BTC, 59_900).includes(traded(600))
})

test('a fired stop outlives a stale feed, a halt, a start and ten seconds (TRIG-3, CORE-7)', () => {
  const scene = given(free)
  const order = fired(scene, 59_900)
  const lives = () => assert.deepEqual(scene.account('A').orders, [order])
  scene.wait(10_001).emits({ type: 'FeedHealthChanged', health: 'stale' })
  lives()
  scene.wait(50_000).emits({ type: 'FeedHealthChanged', health: 'cancel_only' })
  lives()
  scene.revive(BTC)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' }).emits({ type: 'MarketModeSet' })
  scene.mark(BTC, 59_900).emits({ type: 'MarkUpdated' })
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  scene.run({ type: 'EngineStarted' })
  lives()
  scene.bid('B', 1_000, 59_900, { tif: 'ALO' })
  // Rejected while the market is stale, without an event.
  for (let n = 0; n < 4; n++) scene.mark(BTC, 59_900).lacks('OrderCancelled')
  scene.mark(BTC, 59_900).includes({ ...traded(1_000), takerOrder: order })
})

test('a fired stop ends by its owner, found as a stop and as an order (TRIG-3, ORDER-8)', () => {
  for (const type of ['CancelStop', 'CancelOrder'] as const) {
    const scene = given(free)
    const order = fired(scene, 59_900)
    const ref = { market: BTC, order, clientOrderId: null }
    scene.own('A', type, ref).emits({ type: 'OrderCancelled', order, reason: 'owner' })
  }
})

test('cancels that spare protection spare a fired stop (TRIG-3, TRIG-7, ORDER-8)', () => {
  const scene = given(free)
  const order = fired(scene, 59_900)
  const time = scene.now + 5_000
  scene.own('A', 'CancelAllOrders', { market: null, excludeReduceOnly: true })
  scene.own('A', 'ScheduleCancel', { time, keepProtective: true })
  scene.wait(5_000).emits({ type: 'AllOrdersCancelled', count: 0 })
  assert.deepEqual(scene.account('A').orders, [order])
  scene.own('A', 'ScheduleCancel', { time: time + 5_000, keepProtective: false })
  scene.wait(5_000).includes({ type: 'OrderCancelled', order, reason: 'scheduled' })
})

test('a fired stop ends at its own time, or after ten minutes (TRIG-3, ORDER-14)', () => {
  for (const [more, ms] of [
    [(scene: Scene) => ({ expireTime: scene.now + 5_000 }), 5_000],
    [() => ({}), 600_000],
  ] as const) {
    const scene = given(free)
    const order = fired(scene, 59_900, 1_000, more(scene))
    scene.wait(ms - 1).lacks('OrderCancelled')
    scene.wait(1).includes({ type: 'OrderCancelled', order, reason: 'expired' })
  }
})

test('a fired stop is cut with its position, and ends when that closes or flips (TRIG-3)', () => {
  const scene = given(free)
  const order = fired(scene, 59_900)
  scene.sells('A', 'B', 400, 59_900).includes({ type: 'OrderReduced', order, remaining: 600 })
  scene
    .sells('A', 'B', 600, 59_900)
    .includes({ type: 'OrderCancelled', order, reason: 'reduce_only' })
  const again = given(free)
  const turned = fired(again, 59_900)
  again
    .sells('A', 'B', 1_500, 59_900)
    .includes({ type: 'OrderCancelled', order: turned, reason: 'reduce_only' })
})

test('a fired stop ends with its market (TRIG-3, MARKET-4)', () => {
  const scene = given(free)
  const order = fired(scene, 59_900)
  scene
    .run({ type: 'SettleMarket', market: BTC, price: 60_000 })
    .includes({ type: 'OrderCancelled', order, reason: 'market_closed' })
})

test('of two fired stops of a position the first runs, then the other (TRIG-3)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 1_000, 60_100)
  for (const size of [400, 300])
    scene.stop('A', 'ask', levelAt(59_900, { size }), { reduceOnly: true })
  const [first, second] = scene.mark(BTC, 59_900).all('OrderPlaced')
  assert.deepEqual([first?.waiting, second?.waiting], [false, true])
  scene.bid('B', 300, 59_900, { tif: 'ALO' })
  scene
    .mark(BTC, 59_900)
    .emits({ type: 'MarkUpdated' }, { ...traded(300), takerOrder: first!.order })
  scene.bid('B', 1_000, 59_900, { tif: 'ALO' })
  scene
    .mark(BTC, 59_900)
    .includes(
      { ...traded(100), takerOrder: first!.order },
      { ...traded(300), takerOrder: second!.order },
    )
})

test('LIQ-2 keeps a fired stop, and a limit stop does not go on (TRIG-3, LIQ-2)', () => {
  const scene = given({ ...free, funds: { ...funds, A: 70_000_000 } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.stop('A', 'ask', levelAt(59_200, { size: 1_000 }), { reduceOnly: true })
  const { order } = scene.mark(BTC, 59_200).one('OrderPlaced')
  scene.mark(BTC, 59_050).includes({ type: 'LiquidationStarted' }).lacks('OrderReduced')
  assert.deepEqual(scene.account('A').orders, [order])
  const limited = given(free)
  limited.buys('A', 'B', 100, 60_000)
  limited.stop('A', 'ask', levelAt(59_900, { limitPrice: 59_900 }), { reduceOnly: true })
  limited.mark(BTC, 59_900).includes({ type: 'OrderRested' })
})

test('a slippage is of a market stop, and up to ten percent (TRIG-2)', () => {
  const scene = given(free)
  const stop = (change: Record<string, unknown>) =>
    scene.stop('A', 'bid', levelAt(61_000, { size: 100, ...change }))
  stop({ slippagePpm: 100_001 }).refused('INVALID_AMOUNT', 100_001)
  stop({ slippagePpm: -1 }).refused('INVALID_AMOUNT', -1)
  stop({ slippagePpm: 0.5 }).refused('INVALID_AMOUNT', 0)
  stop({ slippagePpm: 1_000, limitPrice: 61_000 }).refused('INVALID_AMOUNT', 1_000)
  stop({ slippagePpm: 100_000 }).accepted()
  stop({ slippagePpm: 0 }).accepted()
  scene.buys('A', 'B', 100, 60_000)
  const stopLoss = levelAt(59_000, { slippagePpm: 100_001 })
  const set = { market: BTC, side: 'bid', stopLoss }
  scene.own('A', 'SetPositionTpsl', set).refused('INVALID_AMOUNT', 100_001)
  scene.bid('A', 100, 59_500, { stopLoss }).refused('INVALID_AMOUNT', 100_001)
})

test('a last price far from the mark fires nothing (TRIG-3)', () => {
  const byLast = { triggerBy: 'last', size: 100 }
  for (const [slippagePpm, reach] of [
    [null, 300],
    [1_000, 60],
  ] as const) {
    for (const off of [reach, reach + 1]) {
      const scene = given(free)
      scene.stop('A', 'ask', levelAt(59_990, { ...byLast, slippagePpm })).accepted()
      scene.sells('B', 'C', 100, 60_000 - off)
      const outcome = scene.mark(BTC, 60_000)
      assert.equal(outcome.all('StopTriggered').length, off === reach ? 1 : 0)
    }
  }
})

test('a mid far from the mark fires nothing, with a limit price neither (TRIG-3)', () => {
  const levels = [
    [{}, 600],
    [{ slippagePpm: 1_000 }, 120],
    [{ limitPrice: 57_600 }, 600],
  ] as const
  for (const [change, reach] of levels)
    for (const off of [reach, reach + 1]) {
      const scene = given({ ...free, market: { impactValue: 1_000_000 } })
      scene.buys('A', 'B', 100, 60_000)
      const level = levelAt(59_990, { triggerBy: 'mid', ...change })
      scene.stop('A', 'ask', level, { reduceOnly: true }).accepted()
      scene.ask('C', 100, 60_001, { tif: 'ALO' }).accepted()
      scene.bid('C', 100, 59_999 - off, { tif: 'ALO' }).accepted()
      const outcome = scene.later(1_000).mark(BTC, 60_000)
      assert.equal(outcome.all('StopTriggered').length, off === reach ? 1 : 0)
    }
})

test('triggers of one tick: mark before last before mid, then the nearest (TRIG-3)', () => {
  const scene = given({ ...free, market: { impactValue: 1_000_000 } })
  const stop = (stopPrice: number, triggerBy: string) =>
    scene.stop('A', 'bid', levelAt(stopPrice, { size: 100, triggerBy })).one('StopPlaced').order
  const mid = stop(60_050, 'mid')
  const last = stop(60_060, 'last')
  const nearer = stop(60_055, 'last')
  const mark = stop(60_100, 'mark')
  scene.buys('B', 'C', 100, 60_080)
  scene.bid('B', 100, 60_060, { tif: 'ALO' })
  scene.ask('C', 100, 60_070, { tif: 'ALO' })
  const outcome = scene.later(1_000).mark(BTC, 60_100).all('StopTriggered')
  assert.deepEqual(
    outcome.map(({ order }) => order),
    [mark, nearer, last, mid],
  )
})
