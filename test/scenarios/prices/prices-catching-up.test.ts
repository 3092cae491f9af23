// docs/rules/prices.md, PRICE-6, through both engines: while the mark follows a jump at 2 % a
// second, an account that knows the newest price quotes near the mark. Market orders, fired stops,
// levels and liquidation steps start from the newest price where that is better for their owner.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejections } from '../../../src/core/commands/rejections.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, levelAt, type Scene } from '../../support/scene.ts'

const dollars = 1_000_000
const lotsFor = (value: number, price: number): number =>
  Math.floor((value * dollars) / (price * 10))
const lots = lotsFor(1_000_000, 60_000)
const market = {
  speedBumpMs: 200,
  bandNearPpm: 300_000,
  bandFarPpm: 900_000,
  orderValueMax: 5_000_000 * dollars,
}

function tick(scene: Scene, afterMs: number, price: number) {
  return scene.later(afterMs).tick(BTC, price, { observedAtMs: scene.now - 50 })
}

/** Q quotes, and V has a million dollars of a position with W: this side of it. */
function held(side: 'bid' | 'ask', money: number): Scene {
  const funds = { insurance: 2_000_000, Q: 300_000, V: money, W: 10_000_000 }
  const amounts = Object.entries(funds).map(([name, amount]) => [name, amount * dollars])
  const setting = { market, markets: ['BTC'], pricesMayStand: false }
  const scene = given({ ...setting, funds: Object.fromEntries(amounts) })
  scene.reserve(1_000_000 * dollars)
  tick(scene, 3_000, 60_000)
  scene.place('W', side === 'bid' ? 'ask' : 'bid', lots, 60_000, { tif: 'ALO' }).accepted()
  scene.place('V', side, lots, 60_000, { tif: 'IOC' }).accepted()
  tick(scene, 3_000, 60_000).includes({ type: 'Traded' })
  return scene
}

/** Q quotes this far inside the next mark, second after second, while the mark goes to `world`.
 *  What Q has gained then, at that price, in dollars. */
function follow(scene: Scene, world: number, awayPpm: number, seconds: number): number {
  const before = scene.balance('Q')
  for (let second = 0; second < seconds; second++) {
    const { mark } = scene.book()
    const rises = world > mark
    const next = Math.round((mark * (rises ? 102 : 98)) / 100)
    const price = Math.round((next * (1_000_000 + (rises ? -awayPpm : awayPpm))) / 1_000_000)
    const size = lotsFor(250_000, price)
    const quote = scene.place('Q', rises ? 'bid' : 'ask', size, price, { tif: 'ALO' })
    scene.later(950)
    tick(scene, 50, world)
    scene.cancel('Q', quote.one('OrderPlaced').order)
  }
  const [own, cost] = scene.held('Q')
  return (scene.balance('Q') + own * world * 10 - cost - before) / dollars
}

/** A wick to −12 %, which the mark reaches. */
function wick(scene: Scene): void {
  for (let ticks = 0; ticks < 2; ticks++) tick(scene, 3_000, 52_800)
}

test('a take-profit does not buy above the newest price on the way down (PRICE-6, TRIG-3)', () => {
  const scene = held('ask', 300_000)
  const takeProfit = [levelAt(57_700)]
  const levels = { market: BTC, side: 'ask', takeProfit, stopLoss: null }
  scene.own('V', 'SetPositionTpsl', levels).accepted()
  assert.equal(follow(scene, 51_000, 4_500, 8), 0)
  // At the newest price it buys.
  scene.ask('W', lots, 51_200, { tif: 'ALO' }).accepted()
  tick(scene, 1_000, 51_000).includes({ type: 'Traded', price: 51_200 })
})

test('a stop-loss does not sell below the newest price after a wick (PRICE-6, TRIG-3)', () => {
  const scene = held('bid', 1_000_000)
  scene.stop('V', 'ask', levelAt(56_000), { reduceOnly: true }).accepted()
  wick(scene)
  assert.equal(follow(scene, 60_000, 4_500, 6), 0)
  scene.bid('W', lots, 59_750, { tif: 'ALO' }).accepted()
  tick(scene, 1_000, 60_000).includes({ type: 'Traded', price: 59_750 })
})

test('a step does not sell below the newest price after a wick (PRICE-6, LIQ-3)', () => {
  const scene = held('bid', 107_000)
  wick(scene)
  assert.equal(follow(scene, 60_000, 1_500, 3), 0)
})

test('a step closes at the newest price while the mark is on its way (PRICE-6, LIQ-3)', () => {
  for (const [side, money, wrong] of [
    ['bid', 115_000, 53_500],
    ['ask', 116_800, 66_500],
  ] as const) {
    const scene = held(side, money)
    scene.later(3_000).tick(BTC, wrong, { jump: true, observedAtMs: scene.now })
    scene.place('W', side, lots, 60_000, { tif: 'ALO' }).accepted()
    const outcome = tick(scene, 100, 60_000)
    outcome.includes({ type: 'LiquidationStepped' }, { type: 'Traded', price: 60_000 })
    const limit = outcome.one('LiquidationStepped').limit
    // The concession from 60,000: one step without a fill came before.
    assert.equal(limit, side === 'bid' ? 59_700 : 60_300)
  }
})

test('market orders and TWAP slices go by the newest price (PRICE-6, ORDER-1, TRIG-6)', () => {
  for (const [raw, side, worst] of [
    [66_000, 'ask', 65_670],
    [54_000, 'bid', 54_270],
    [66_000, 'bid', 61_506],
    [54_000, 'ask', 58_506],
  ] as const) {
    const funds = { A: 10 ** 11, B: 10 ** 11 }
    const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
    scene.mark(BTC, 60_000)
    scene.later(1_000).tick(BTC, raw)
    const maker = side === 'ask' ? 'bid' : 'ask'
    const { code } = rejections.NO_REASONABLE_PRICE
    scene.place('B', maker, 100, worst + (side === 'ask' ? -1 : 1)).accepted()
    const slices = { slippagePpm: 5_000, durationSeconds: 60, clientOrderId: null }
    scene.own('A', 'PlaceTwap', { market: BTC, side, size: 300, reduceOnly: false, ...slices })
    assert.equal(scene.wait(1).one('AlgoStepped').rejection, code)
    scene.take('A', side, 100, { slippagePpm: 5_000 }).refused('NO_REASONABLE_PRICE', worst)
    scene.place('B', maker, 100, worst).accepted()
    scene.take('A', side, 100, { slippagePpm: 5_000 }).accepted()
  }
})

test('case 140: a stop that fires while the market catches up (PRICE-6, PRICE-7)', () => {
  const row = worked('prices', 140)
  const [leverageMax, mark = 0, raw = 0, afterMs = 0, next = 0, stop = 0] = row.given()
  const listed = { leverageMax, tickMin: 1 }
  const funds = { A: 10 ** 11, B: 10 ** 11 }
  const scene = given({ market: listed, markets: ['BTC'], tiers: freeTiers, funds })
  scene.mark(BTC, mark)
  scene.stop('A', 'bid', levelAt(stop, { size: 100 }), { up: false }).accepted()
  scene.stop('B', 'ask', levelAt(stop, { size: 100 })).accepted()
  const outcome = scene.later(afterMs).tick(BTC, raw)
  assert.equal(outcome.one('MarkUpdated').mark, next)
  const [bid, ask] = outcome.all('OrderPlaced').map(({ price }) => price)
  row.says(Math.floor(raw), 1.005, bid!, next, '0.995', ask!)
})
