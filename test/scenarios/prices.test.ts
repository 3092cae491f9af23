// docs/rules/prices.md through both engines: oracle, mark, basis, last trade, feed health.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../support/rule-table.ts'
import { BTC, given, levelAt, paramsOf, type Scene, START } from '../support/scene.ts'

const rich = { A: 10 ** 12, B: 10 ** 12 }

/** A bid and an ask of A's that nobody takes. */
function quoted(scene: Scene, bid: number, ask: number): void {
  scene.own('A', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  scene.bid('A', 100, bid, { tif: 'ALO' }).accepted()
  scene.ask('A', 100, ask, { tif: 'ALO' }).accepted()
}

function markOf(scene: Scene, oracle: number, external: number | null = null): number {
  const micro = external === null ? null : external * 1_000_000
  return scene.tick(BTC, oracle, { jump: true, external: micro }).one('MarkUpdated').mark
}

test('the oracle moves 20 ppm a millisecond, 20 % at once, and then catches up (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  const tick = (ms: number, ticks: number) => {
    const { oracle, catchingUp } = scene.later(ms).tick(BTC, ticks).one('MarkUpdated')
    return [oracle, catchingUp]
  }
  assert.deepEqual(tick(1_000, 60_500), [60_500_000_000, false])
  assert.deepEqual(tick(0, 60_501), [60_500_000_000, true])
  assert.deepEqual(tick(1, 60_501), [60_501_000_000, false])
  assert.deepEqual(tick(1_000, 50_000), [59_290_980_000, true])
  assert.deepEqual(tick(1_000_000, 90_000), [71_149_176_000, true])
  assert.deepEqual(tick(100_000, 71_000), [71_000_000_000, false])
})

test('a jump is not clamped and does not catch up (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  const mark = { mark: 90_000, oracle: 90_000_000_000, catchingUp: false } as const
  scene.mark(BTC, 90_000).includes({ type: 'MarkUpdated', ...mark })
})

test('a price that cannot be one is refused, and so is one for a settled market (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.tick(2, 60_000).refused('BOOK_NOT_FOUND', 2)
  scene.tick(BTC, 0).refused('INVALID_PRICE', 0)
  scene.tick(BTC, 60_000, { price: 10 ** 15 + 1 }).refused('INVALID_PRICE', 10 ** 15 + 1)
  scene.tick(BTC, 60_000, { price: 0.5 }).refused('INVALID_PRICE', 0)
  scene.tick(BTC, 60_000, { external: -4 }).refused('INVALID_PRICE', -4)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  scene.tick(BTC, 60_000).refused('UNSUPPORTED_OPERATION')
})

test('in a halted market ticks still move oracle, mark and health (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  scene.mark(BTC, 61_000).tells({ type: 'MarkUpdated', mark: 61_000 })
})

test('the mark is the median of oracle with basis, book, and price elsewhere (PRICE-2)', () => {
  const scene = given({ markets: ['BTC'], funds: rich })
  quoted(scene, 60_010, 60_021)
  assert.equal(markOf(scene, 60_000, 60_020), 60_015)
  assert.equal(markOf(scene, 60_000, 60_012), 60_012)
  assert.equal(markOf(scene, 60_018, 60_019), 60_018)
})

test('the last trade counts for 60 seconds, then the middle of the book does (PRICE-2)', () => {
  const scene = given({ markets: ['BTC'], funds: rich })
  scene.buys('B', 'A', 100, 60_028)
  quoted(scene, 60_010, 60_030)
  scene.later(60_000)
  assert.equal(markOf(scene, 60_000, 60_100), 60_028)
  scene.later(1)
  assert.equal(markOf(scene, 60_000, 60_100), 60_020)
})

test('a book with an empty side or a spread above 5 % says nothing (PRICE-2)', () => {
  const scene = given({ markets: ['BTC'], funds: rich })
  quoted(scene, 57_600, 60_600)
  assert.equal(markOf(scene, 60_000, 59_000), 59_100)
  quoted(scene, 57_599, 60_600)
  assert.equal(markOf(scene, 60_000, 59_000), 60_000)
  scene.own('A', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  scene.bid('A', 100, 59_100)
  assert.equal(markOf(scene, 60_000, 59_000), 60_000)
})

test('the price elsewhere counts for 5 seconds (PRICE-2)', () => {
  const scene = given({ markets: ['BTC'], funds: rich })
  quoted(scene, 60_010, 60_021)
  markOf(scene, 60_000, 60_020)
  scene.later(5_000)
  assert.equal(markOf(scene, 60_000), 60_015)
  scene.later(1)
  assert.equal(markOf(scene, 60_000), 60_000)
})

test('the mark stays within 1 ÷ leverageMax of the oracle, at most 20 % (PRICE-2)', () => {
  const scene = given({ markets: ['BTC'], funds: rich })
  quoted(scene, 62_000, 62_100)
  assert.equal(markOf(scene, 60_000, 70_000), 61_200)
  scene.run({ type: 'ChangeMarket', market: BTC, change: { leverageMax: 100 } })
  assert.equal(markOf(scene, 60_000, 70_000), 60_600)
})

test('the mark is rounded half up to ticks (PRICE-2)', () => {
  const scene = given({ markets: ['BTC'] })
  assert.equal(markOf(scene, 60_000.5), 60_001)
  assert.equal(markOf(scene, 60_000.499999), 60_000)
})

test('the basis goes a step of the way each 3 seconds, and a jump resets it (PRICE-3)', () => {
  const scene = given({ markets: ['BTC'], funds: rich })
  quoted(scene, 60_100, 60_101)
  let basis = 0n
  const step = () => {
    basis += ((100_500_000n - basis) * 85_046_051n) / 2n ** 32n
  }
  const told = (ms: number) => scene.later(ms).tick(BTC, 60_000).one('MarkUpdated').basis
  assert.equal(told(2_999), 0)
  step()
  assert.equal(BigInt(told(1)), basis)
  for (let n = 0; n < 2; n++) step()
  assert.equal(BigInt(told(6_000)), basis)
  for (let n = 0; n < 200; n++) step()
  assert.equal(BigInt(told(10 ** 6)), basis)
  assert.equal(scene.mark(BTC, 60_000).one('MarkUpdated').basis, 0)
})

test('a forced transfer is no last trade (PRICE-4)', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 70_000_000, B: 10 ** 11, C: 10 ** 11 } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.stop('C', 'ask', levelAt(59_500, { triggerBy: 'last', size: 100 })).accepted()
  scene.mark(BTC, 58_800).includes({ type: 'BackstopTookOver' }).lacks('StopTriggered')
  scene.sells('B', 'C', 100, 59_500).includes({ type: 'StopTriggered', price: 59_500 })
})

test('a feed is stale 10,001 ms after its last tick and lost after 60,001 ms (PRICE-5)', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 10 ** 11 } })
  scene.wait(10_000).lacks('FeedHealthChanged')
  scene.wait(1).tells({ type: 'FeedHealthChanged', market: BTC, health: 'stale' })
  scene.bid('A', 100, 59_000).accepted()
  scene.wait(49_999).lacks('FeedHealthChanged')
  scene.wait(1).tells({ type: 'FeedHealthChanged', market: BTC, health: 'cancel_only' })
  scene.bid('A', 100, 59_000).refused('TRADING_DISABLED')
})

test('a feed that was lost is live again with its fifth good tick in a row (PRICE-5)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.wait(60_001)
  const ticks = (count: number) => {
    for (let n = 0; n < count; n++) scene.later(10_000).mark(BTC, 60_000).lacks('FeedHealthChanged')
  }
  ticks(4)
  // Clamped: the count starts anew.
  scene.tick(BTC, 66_000).lacks('FeedHealthChanged')
  ticks(4)
  // Too late: this one is the first again.
  scene.later(10_001).mark(BTC, 60_000).lacks('FeedHealthChanged')
  ticks(3)
  scene
    .later(10_000)
    .mark(BTC, 60_000)
    .includes({ type: 'FeedHealthChanged', health: 'live' }, { type: 'MarkUpdated' })
})

test('after a start every live market is stale until five good ticks (PRICE-5)', () => {
  const scene = given({ markets: ['BTC', 'ETH'] })
  scene.run({ type: 'SettleMarket', market: 2, price: 30_000 })
  scene
    .run({ type: 'EngineStarted' })
    .tells({ type: 'EngineStarted', markets: 1 }, { type: 'FeedHealthChanged', health: 'stale' })
  for (let n = 0; n < 4; n++) scene.mark(BTC, 60_000).lacks('FeedHealthChanged')
  scene.mark(BTC, 60_000).includes({ type: 'FeedHealthChanged', health: 'live' })
})

test('where prices stood still with the engine, a start changes nothing (PRICE-5)', () => {
  const scene = given({ markets: ['BTC', 'ETH'] })
  scene
    .run({ type: 'EngineStarted', pricesStand: true })
    .tells({ type: 'EngineStarted', markets: 2 })
  scene.run({ type: 'EngineStarted', pricesStand: false }).includes({ type: 'FeedHealthChanged' })
})

test('a tick tells of health, then the mark, then triggers, then liquidations (PRICE-6)', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 70_000_000, B: 10 ** 11, C: 10 ** 11 } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.stop('C', 'ask', levelAt(59_500, { size: 100 })).accepted()
  scene.run({ type: 'EngineStarted' })
  for (let n = 0; n < 4; n++) scene.mark(BTC, 60_000)
  const types = scene.mark(BTC, 59_150).types()
  const order = ['FeedHealthChanged', 'MarkUpdated', 'StopTriggered', 'LiquidationStarted'] as const
  assert.deepEqual(
    types.filter((type) => order.some((one) => one === type)),
    order,
  )
})

test('case 13: a tick far away (PRICE-7)', () => {
  const row = worked('prices', 13)
  const [oracle = 0, price = 0, ms = 0] = row.given()
  const scene = given({ markets: [] })
  const listing = {
    type: 'ListMarket',
    params: paramsOf('BTC'),
    oracle: oracle * 1_000_000,
  } as const
  scene.run(listing)
  const told = scene.later(ms).tick(BTC, price).one('MarkUpdated')
  assert.ok(told.catchingUp)
  const moved = told.oracle - oracle * 1_000_000
  row.says(20, ms, moved / oracle, told.oracle / 1_000_000)
})

test('cases 14 to 16: the median, and one step of the basis (PRICE-7)', () => {
  const [plain, outside, stepped] = [14, 15, 16].map((id) => worked('prices', id))
  const [oracle = 0, basis = 0, bid = 0, ask = 0] = plain!.given()
  const scene = given({ markets: ['BTC'], funds: rich })
  quoted(scene, bid, ask)
  assert.equal(scene.book().basis, basis)
  const mid = Math.floor((bid + ask) / 2)
  plain!.says(oracle, mid, oracle, scene.tick(BTC, oracle).one('MarkUpdated').mark)
  const [external = 0] = outside!.given()
  const tick = scene.tick(BTC, oracle, { external: external * 1_000_000 }).one('MarkUpdated')
  outside!.says(oracle, mid, external, tick.mark)
  const [before, middle = 0] = stepped!.given()
  assert.deepEqual([before, middle], [basis, (bid + ask) / 2])
  assert.equal(scene.now, START)
  const x = (middle - oracle) * 1_000_000
  const after = scene.later(3_000).tick(BTC, oracle).one('MarkUpdated').basis
  stepped!.says(x, x, 85_046_051, 2, 32, after)
})
