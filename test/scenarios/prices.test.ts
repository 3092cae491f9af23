// docs/rules/prices.md through both engines: oracle, mark, last trade, feed health.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { firstRules } from '../../src/core/rules/first-rules.ts'
import { worked } from '../support/rule-table.ts'
import { BTC, given, levelAt, paramsOf, type Scene, START } from '../support/scene.ts'
import { twinBooks } from '../twin/rule-books.ts'

const rich = { A: 10 ** 12, B: 10 ** 12 }
/** A dollar: the impact price of a side is its best price. */
const thin = { impactValue: 1_000_000 }

test('the oracle moves 20 ppm a millisecond, up to 20 %, and then catches up (PRICE-1)', () => {
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
  // What drives a sandbox counts on it (MARKET-6).
  assert.equal(scene.view.markets.get(BTC)!.jumps, 1)
})

test('a price that cannot be one is refused, and so is one for a settled market (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.tick(2, 60_000).refused('BOOK_NOT_FOUND', 2)
  scene.tick(BTC, 0).refused('INVALID_PRICE', 0)
  scene.tick(BTC, 60_000, { price: 10 ** 15 + 1 }).refused('INVALID_PRICE', 10 ** 15 + 1)
  scene.tick(BTC, 60_000, { price: 0.5 }).refused('INVALID_PRICE', 0)
  scene.tick(BTC, -4).refused('INVALID_PRICE', -4_000_000)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  scene.tick(BTC, 60_000).refused('UNSUPPORTED_OPERATION')
})

test('a price that was observed after its command is refused (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  const late = scene.now + 1
  scene.tick(BTC, 60_000, { observedAtMs: scene.now }).accepted()
  scene.tick(BTC, 60_000, { observedAtMs: 0 }).accepted()
  scene.tick(BTC, 60_000, { observedAtMs: late }).refused('INVALID_TIME', late, 0, scene.now)
  scene.tick(BTC, 60_000, { observedAtMs: -1 }).refused('INVALID_TIME', -1, 0, scene.now)
  scene.tick(BTC, 60_000, { observedAtMs: 0.5 }).refused('INVALID_TIME', 0, 0, scene.now)
  // Before a price that cannot be one, as the order of the reasons says (CORE-4).
  scene.tick(BTC, 0, { observedAtMs: late }).refused('INVALID_TIME', late, 0, scene.now)
})

test('in a halted market ticks still move oracle, mark and health (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  scene.mark(BTC, 61_000).emits({ type: 'MarkUpdated', mark: 61_000 })
})

test('case 14: the mark is the oracle, rounded half up to a tick (PRICE-2)', () => {
  const row = worked('prices', 14)
  const marks = row.given().map((oracle) => {
    const scene = given({ market: thin, markets: ['BTC'], funds: rich })
    // Quotes of A that count, and a trade between them.
    scene.bid('A', 100, 61_000, { tif: 'ALO' }).accepted()
    scene.ask('A', 200, 61_100, { tif: 'ALO' }).accepted()
    scene.bid('B', 100, 61_100, { tif: 'IOC' }).includes({ type: 'Traded' })
    const { mark } = scene.later(250).tick(BTC, oracle).one('MarkUpdated')
    return mark
  })
  row.says(...marks)
})

test('a listing has the mark of its oracle (PRICE-2)', () => {
  const scene = given({ markets: [] })
  const listing = { type: 'ListMarket', params: paramsOf('BTC'), oracle: 60_000_500_000 } as const
  assert.equal(scene.run(listing).one('MarkUpdated').mark, 60_001)
})

test('case 15: a price whose tick is outside the grid is rejected (PRICE-1)', () => {
  const row = worked('prices', 15)
  const [tickMin, tickMax, inside = 0, outside = 0] = row.given()
  const scene = given({ market: { tickMin, tickMax }, markets: ['BTC'] })
  scene.tick(BTC, inside).accepted()
  const { rejection, first } = scene.tick(BTC, outside).one('CommandRejected')
  row.names(rejection)
  row.says(first)
  // The price as it came counts, not where the clamp would leave the oracle; and a jump is a tick.
  for (const jump of [false, true]) {
    scene.mark(BTC, 54_000)
    scene.tick(BTC, outside, { jump }).refused('INVALID_PRICE', first)
    assert.equal(scene.book().oracle, 54_000_000_000)
  }
})

test('a market whose price left the grid is closed until the grid is widened (PRICE-1)', () => {
  const grid = { tickMin: 54_000, tickMax: 66_000 }
  const market = { ...grid, staleAfterMs: 4_500 }
  const scene = given({ market, markets: ['BTC'], funds: rich })
  scene.buys('A', 'B', 1_000, 60_000)
  const leaves = (ms: number) => {
    scene.wait(ms)
    scene.tick(BTC, 67_000).refused('INVALID_PRICE', 67_000_000_000)
    return scene.book().health
  }
  assert.deepEqual(
    [leaves(4_500), leaves(1), leaves(55_499), leaves(1)],
    [...['live', 'stale', 'stale', 'cancel_only']],
  )
  assert.deepEqual([scene.book().mark, scene.book().oracle], [60_000, 60_000_000_000])
  scene.bid('A', 100, 60_000).refused('TRADING_DISABLED')
  scene.run({ type: 'ChangeMarket', market: BTC, change: { tickMax: 70_000 } }).accepted()
  const ticks = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
    scene.later(3_000).tick(BTC, 67_000).accepted()
    return scene.book().health
  })
  // One is clamped, and five good ones follow.
  assert.equal(ticks.indexOf('live'), 5)
  assert.equal(scene.book().mark, 67_000)
})

test('a forced transfer does not change the last trade (PRICE-4)', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 70_000_000, B: 10 ** 11, C: 10 ** 11 } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.stop('C', 'ask', levelAt(59_500, { triggerBy: 'last', size: 100 })).accepted()
  scene.mark(BTC, 58_800).includes({ type: 'BackstopTookOver' }).lacks('StopTriggered')
  scene.sells('B', 'C', 100, 58_900)
  scene.mark(BTC, 58_800).includes({ type: 'StopTriggered', price: 58_900 })
})

test('a feed is stale after staleAfterMs and lost after 60,000 ms (PRICE-5)', () => {
  for (const staleAfterMs of [1_000, 4_500, 59_999]) {
    const scene = given({ market: { staleAfterMs }, markets: ['BTC'], funds: { A: 10 ** 11 } })
    scene.wait(staleAfterMs).lacks('FeedHealthChanged')
    scene.wait(1).includes({ type: 'FeedHealthChanged', market: BTC, health: 'stale' })
    scene.bid('A', 100, 59_000).accepted()
    scene.wait(59_999 - staleAfterMs).lacks('FeedHealthChanged')
    scene.wait(1).includes({ type: 'FeedHealthChanged', market: BTC, health: 'cancel_only' })
    scene.bid('A', 100, 59_000).refused('TRADING_DISABLED')
  }
})

test('a shorter staleAfterMs makes an old price stale before the next command (PRICE-5)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.wait(6_000)
  scene.run({ type: 'ChangeMarket', market: BTC, change: { staleAfterMs: 5_000 } }).accepted()
  scene.wait(0).emits({ type: 'FeedHealthChanged', health: 'stale' })
})

test('case 133: a stale feed is back with one tick, a lost one with five (PRICE-5)', () => {
  const row = worked('prices', 133)
  const [staleAfterMs = 0, first = 0, lost = 0] = row.given()
  const scene = given({ market: { staleAfterMs }, markets: ['BTC'] })
  scene.wait(first).includes({ type: 'FeedHealthChanged', health: 'stale' })
  // Far away: it comes back while it catches up.
  const outcome = scene.tick(BTC, 90_000)
  outcome.includes({ type: 'FeedHealthChanged', health: 'live' }, { type: 'MarkUpdated' })
  assert.ok(scene.book().catchingUp)
  let stale = 0
  let gone = 0
  for (const ms of [staleAfterMs, 1, lost - 1 - staleAfterMs - 1, 1]) {
    for (const { health } of scene.wait(ms).all('FeedHealthChanged')) {
      if (health === 'stale') stale = scene.now
      if (health === 'cancel_only') gone = scene.now
    }
  }
  const start = scene.now - lost
  let ticks = 0
  while (scene.book().health !== 'live') {
    scene.mark(BTC, 60_000)
    ticks += 1
  }
  row.says(stale - start, gone - start, ticks)
})

test('case 132: a price that was away for long moves no further (PRICE-7)', () => {
  const row = worked('prices', 132)
  const [oracle = 0, staleAfterMs = 0, price = 0, ms = 0] = row.given()
  const scene = given({ market: { staleAfterMs }, markets: ['BTC'] })
  const outcome = scene.later(ms).tick(BTC, price).one('MarkUpdated')
  assert.ok(outcome.catchingUp)
  row.says(20, staleAfterMs, 20 * staleAfterMs, outcome.oracle / 1_000_000)
  assert.equal(outcome.oracle, oracle * 1_000_000 + oracle * 20 * staleAfterMs)
})

test('case 134: on an old price crossing orders are refused, others accepted (PRICE-9)', () => {
  const row = worked('prices', 134)
  const [staleAfterMs = 0, best = 0, age = 0, crossing = 0, resting = 0] = row.given()
  const scene = given({ market: { staleAfterMs }, markets: ['BTC'], funds: rich })
  scene.buys('A', 'B', 500, 60_000)
  const { order } = scene.ask('B', 100, best).one('OrderPlaced')
  scene.later(age)
  const codes: number[] = []
  for (const tif of ['GTC', 'IOC', 'FOK']) {
    const refused = scene.bid('A', 100, crossing, { tif })
    codes.push(refused.refused('ORACLE_NOT_AVAILABLE', age).one('CommandRejected').first)
  }
  scene.take('A', 'bid', 100).refused('ORACLE_NOT_AVAILABLE', age)
  scene.bid('B', 400, 60_100, { reduceOnly: true }).refused('ORACLE_NOT_AVAILABLE', age)
  scene.bid('A', 100, resting).includes({ type: 'OrderRested' })
  scene.bid('A', 100, crossing, { tif: 'TOB' }).includes({ type: 'OrderRested', price: best - 1 })
  scene.bid('A', 100, crossing, { tif: 'ALO' }).includes({ type: 'OrderCancelled' })
  scene.bid('A', 100, 59_000, { tif: 'IOC' }).includes({ type: 'OrderCancelled' })
  scene.take('A', 'ask', 100, { slippagePpm: 0 }).refused('NO_REASONABLE_PRICE', 60_000)
  scene.stop('A', 'ask', levelAt(59_000, { size: 100 })).accepted()
  const edit = { market: BTC, order, clientOrderId: null, price: 60_001, size: 100 }
  scene.own('B', 'EditOrder', edit).includes({ type: 'OrderRested' })
  row.names('ORACLE_NOT_AVAILABLE')
  row.says(codes[0]!)
})

test('a waiting order is checked again when it is released (PRICE-9)', () => {
  const scene = given({ market: { speedBumpMs: 200 }, markets: ['BTC'], funds: rich })
  scene.ask('B', 100, 60_000, { tif: 'ALO' })
  const { order } = scene.bid('A', 100, 60_000).one('OrderPlaced')
  scene.bid('A', 100, 59_000).accepted()
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'post_only' })
  scene
    .wait(200)
    .emits(
      { type: 'OrderCancelled', order, reason: 'refused', rejection: 119 },
      { type: 'OrderRested', price: 59_000 },
    )
  // On arrival too, though it would wait.
  scene.bid('A', 100, 60_000).refused('ORACLE_NOT_AVAILABLE', 200)
})

test('in a stale market triggers and liquidations wait, slices are made up for (PRICE-9)', () => {
  const market = { staleAfterMs: 1_000 }
  const funds = { A: 70_000_000, B: 10 ** 12, C: 10 ** 12 }
  const scene = given({ market, markets: ['BTC'], funds })
  scene.buys('A', 'B', 5_000, 60_000)
  const twap = { market: BTC, side: 'bid', size: 1_000, slippagePpm: 10_000, durationSeconds: 60 }
  scene.own('C', 'PlaceTwap', { ...twap, reduceOnly: false, clientOrderId: null }).accepted()
  scene.stop('C', 'ask', levelAt(59_500, { size: 100 })).accepted()
  scene.wait(1_001).includes({ type: 'FeedHealthChanged', health: 'stale' })
  scene.bid('B', 100, 59_000, { tif: 'ALO' })
  scene.ask('B', 10_000, 59_400, { tif: 'ALO' }).lacks('StopTriggered')
  scene.wait(28_999).includes({ type: 'AlgoStepped', step: 2, rejection: 119 }).lacks('Traded')
  const outcome = scene.tick(BTC, 59_100)
  outcome.includes({ type: 'FeedHealthChanged', health: 'live' }, { type: 'MarkUpdated' })
  outcome.includes({ type: 'StopTriggered' })
  outcome.includes({ type: 'LiquidationStarted' })
  scene.later(29_000).tick(BTC, 59_100)
  scene.wait(1_000).includes({ type: 'AlgoStepped', step: 3, lots: 1_000 }, { type: 'Traded' })
})

test('a feed that was lost is live again with its fifth good tick in a row (PRICE-5)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.wait(60_001)
  const ticks = (count: number) => {
    for (let n = 0; n < count; n++) scene.later(10_000).mark(BTC, 60_000).lacks('FeedHealthChanged')
  }
  ticks(4)
  // Clamped: the count starts again.
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
    .emits({ type: 'EngineStarted', markets: 1 }, { type: 'FeedHealthChanged', health: 'stale' })
  for (let n = 0; n < 4; n++) scene.mark(BTC, 60_000).lacks('FeedHealthChanged')
  scene.mark(BTC, 60_000).includes({ type: 'FeedHealthChanged', health: 'live' })
})

test('where prices stood still with the engine, a start changes nothing (PRICE-5)', () => {
  const scene = given({ markets: ['BTC', 'ETH'] })
  scene
    .run({ type: 'EngineStarted', pricesStand: true })
    .emits({ type: 'EngineStarted', markets: 2 })
  scene.run({ type: 'EngineStarted', pricesStand: false }).includes({ type: 'FeedHealthChanged' })
})

test('a tick emits health, then the mark, then liquidations, then triggers (PRICE-6)', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 70_000_000, B: 10 ** 11, C: 10 ** 11 } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.stop('C', 'ask', levelAt(59_500, { size: 100 })).accepted()
  scene.run({ type: 'EngineStarted' })
  for (let n = 0; n < 4; n++) scene.mark(BTC, 60_000)
  const types = scene.mark(BTC, 59_150).types()
  const order = ['FeedHealthChanged', 'MarkUpdated', 'LiquidationStarted', 'StopTriggered'] as const
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
  const outcome = scene.later(ms).tick(BTC, price).one('MarkUpdated')
  assert.ok(outcome.catchingUp)
  const moved = outcome.oracle - oracle * 1_000_000
  row.says(20, ms, moved / oracle, outcome.oracle / 1_000_000)
})

/** The impact price of the bids by a tick at the next multiple of 5 seconds. */
function sampled(scene: Scene): number {
  const next = 5_000 - ((scene.now - START) % 5_000)
  return scene.later(next).mark(BTC, 60_000).one('PremiumSampled').impactBid / 1_000_000
}

/** The time of the next sample, less this many ms. */
function beforeSample(scene: Scene, ms: number): void {
  scene.now = Math.ceil((scene.now + ms) / 5_000) * 5_000 - ms
}

// No taker can sell to a bid above the price, so it says nothing about the price.
test('case 138: quotes that cannot be hit do not count (PRICE-8, FUND-1, CORE-7)', () => {
  const row = worked('prices', 138)
  const [bid = 0, young = 0, old = 0] = row.given()
  const impactOf = (mode: 'SetMarketMode' | 'SetExchangeMode', age: number) => {
    const scene = given({ market: thin, markets: ['BTC'], funds: rich })
    const set = (to: string) => scene.run({ type: mode, market: BTC, mode: to }).accepted()
    scene.bid('A', 100, bid, { tif: 'ALO' }).accepted()
    set('post_only')
    scene.quietly(() => {
      for (let n = 0; n < 720; n++) {
        const outcome = scene.later(5_000).tick(BTC, 60_000)
        outcome.lacks('PremiumSampled')
        assert.ok(outcome.all('FundingFixed').every(({ rate }) => rate === 0))
      }
    })
    beforeSample(scene, age)
    set('open')
    return sampled(scene)
  }
  for (const mode of ['SetMarketMode', 'SetExchangeMode'] as const) {
    assert.equal(impactOf(mode, young), 0)
    row.says(impactOf(mode, old))
  }
})

test('case 130: an order counts when it has stood for two speed bumps (PRICE-8)', () => {
  const row = worked('prices', 130)
  const [speedBumpMs = 0, young = 0, old = 0, bid = 0] = row.given()
  const [none, impact] = [young, old].map((age) => {
    const scene = given({ market: { ...thin, speedBumpMs }, markets: ['BTC'], funds: rich })
    beforeSample(scene, age)
    scene.bid('A', 100, bid, { tif: 'ALO' }).accepted()
    // The price was observed at the multiple, and the tick comes later.
    scene.later(age + 300)
    return scene.seen(BTC, 60_000, 300).one('PremiumSampled').impactBid / 1_000_000
  })
  assert.equal(none, 0)
  row.says(2, speedBumpMs, 2 * speedBumpMs, impact)
})

test('the time of an order’s place starts when it rests, not when it arrives (PRICE-8)', () => {
  const market = { ...thin, speedBumpMs: 200 }
  const impacts = [599, 600].map((age) => {
    const scene = given({ market, markets: ['BTC'], funds: rich })
    beforeSample(scene, age)
    scene.bid('A', 100, 60_010).accepted()
    scene.wait(200).includes({ type: 'OrderRested' })
    return sampled(scene)
  })
  assert.deepEqual(impacts, [0, 60_010])
})

test('an edit that keeps its place keeps its age, one that loses it restarts it (PRICE-8)', () => {
  // What counts at 60,000 is worth the impact value, or nothing is there that counts.
  const edited = (size: number, alone: boolean) => {
    const market = { impactValue: 60_000_000 }
    const scene = given({ market, markets: ['BTC'], funds: rich })
    scene.bid('A', 1_000, 59_000).accepted()
    const { order } = scene.bid('A', 101, 60_000).one('OrderPlaced')
    scene.later(4_800)
    if (!alone) scene.bid('B', 100, 60_000).accepted()
    const edit = { market: BTC, order, clientOrderId: null, price: 60_000, size }
    scene.own('A', 'EditOrder', edit).includes({ type: 'OrderRested' })
    return sampled(scene)
  }
  for (const alone of [true, false]) {
    assert.equal(edited(100, alone), 60_000)
    assert.equal(edited(101, alone), 59_000)
  }
})

test('in a level the first ones count, up to the first too young (PRICE-8)', () => {
  const market = { impactValue: 60_000_000 }
  const scene = given({ market, markets: ['BTC'], funds: rich })
  scene.bid('A', 1_000, 59_000)
  scene.bid('A', 50, 60_000)
  scene.later(4_751)
  scene.bid('B', 50, 60_000)
  const young = sampled(scene)
  assert.ok(young > 59_000 && young < 60_000)
  scene.mark(BTC, 60_000)
  assert.equal(sampled(scene), 60_000)
})

test('at one price the orders in front count, up to the first too young (PRICE-8)', () => {
  for (let young = 0; young <= 5; young++) {
    // Worth what three of the five are, at 60,000; what is missing is paid at 59,000.
    const market = { impactValue: 18_000_000 }
    const scene = given({ market, markets: ['BTC'], funds: rich })
    scene.bid('A', 1_000, 59_000)
    for (let old = young; old < 5; old++) scene.bid('A', 10, 60_000)
    scene.later(4_751)
    for (let left = young; left > 0; left--) scene.bid('B', 10, 60_000)
    const impact = sampled(scene)
    assert.equal(impact === 60_000, young <= 2, `${young} of 5 too young: ${impact}`)
    assert.equal(impact === 59_000, young === 5, `${young} of 5 too young: ${impact}`)
  }
})

test('reduce-only orders do not count (PRICE-8)', () => {
  const market = { impactValue: 60_000_000 }
  const scene = given({ market, markets: ['BTC'], funds: rich })
  scene.sells('A', 'B', 100, 60_000)
  scene.bid('B', 1_000, 59_000)
  scene.bid('A', 100, 60_000, { reduceOnly: true }).includes({ type: 'OrderRested' })
  assert.equal(sampled(scene), 59_000)
})

/** Both engines make this many steps: thousands of orders are slow in the twin. */
function withSteps(t: TestContext, most: number): void {
  const books = [firstRules, twinBooks.get(1)!].map(({ prices }) => prices)
  const set = (impactSteps: number) => {
    for (const prices of books) (prices as { impactSteps: number }).impactSteps = impactSteps
  }
  assert.deepEqual(
    books.map(({ impactSteps }) => impactSteps),
    [4_096, 4_096],
  )
  set(most)
  t.after(() => set(4_096))
}

test('a price costs one step, and one for each old or each young order (PRICE-8)', (t) => {
  withSteps(t, 4)
  /** The impact price, with these many old and young bids at 60,000, in front of 59,000. */
  const impactOf = (prices: number, old: number, young: number) => {
    const market = { impactValue: 60_000_000 }
    const scene = given({ market, markets: ['BTC'], funds: rich })
    scene.sells('A', 'B', 100, 60_000)
    scene.bid('B', 1_000, 59_000)
    // Reduce-only orders do not count, and cost steps like all others.
    const reduceOnly = { reduceOnly: true }
    for (let n = 1; n < prices; n++) scene.bid('A', 100, 60_000 - n, reduceOnly).accepted()
    for (let n = 0; n < old; n++) scene.bid('A', 100, 60_000, reduceOnly).accepted()
    scene.later(4_751)
    for (let n = 0; n < young; n++) scene.bid('A', 100, 60_000, reduceOnly).accepted()
    return sampled(scene)
  }
  assert.deepEqual([impactOf(3, 1, 0), impactOf(4, 1, 0)], [59_000, 0])
  assert.deepEqual([impactOf(1, 2, 9), impactOf(1, 3, 9)], [59_000, 0])
  assert.deepEqual([impactOf(1, 9, 2), impactOf(1, 9, 3)], [59_000, 0])
})

test('case 141: reduce-only orders hide no book behind them (PRICE-8)', (t) => {
  const row = worked('prices', 141)
  const [count = 0, front = 0, behind = 0, steps = 0] = row.given()
  withSteps(t, steps)
  const scene = given({ market: thin, markets: ['BTC'], funds: rich })
  scene.sells('A', 'B', 100, front)
  for (let n = 0; n < count; n++) scene.bid('A', 100, front, { reduceOnly: true }).accepted()
  scene.bid('B', 100, behind).accepted()
  row.says(sampled(scene))
})
