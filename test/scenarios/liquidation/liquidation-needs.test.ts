// docs/rules/liquidation.md where it says how much a liquidation may take: not more than it needs.
// The attacks are as traders found them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Scene } from '../../support/scene.ts'
import { boundFor } from '../../support/trial-rules.ts'

const rich = 10 ** 12

/** A is long 5,000 lots at 60,000 with this balance, and B is short. */
function longWith(money: number, market = {}): Scene {
  const scene = given({ markets: ['BTC'], market, tiers: freeTiers, funds: { A: money, B: rich } })
  scene.buys('A', 'B', 5_000, 60_000)
  return scene
}

test('case 202: the first step of a row goes half as far, the next all the way (LIQ-3)', () => {
  const row = worked('liquidation', 202)
  const [money = 0, , , mark = 0] = row.given()
  const scene = longWith(money)
  const first = scene.mark(BTC, mark)
  const { equity, maintenance } = first.one('LiquidationStarted')
  const limits = [first, scene.later(3_000).mark(BTC, mark)].map((outcome) => {
    return outcome.one('LiquidationStepped').limit
  })
  const bankruptcy = Math.floor((equity * 1_000_000) / (5_000 * mark * 10)) - 4_000
  row.says(equity, maintenance, bankruptcy, 5_000, 2_500, limits[0], limits[1])
})

// Its subaccount would shield the position: no other order that takes goes past the second of them.
test('own orders do not stop a liquidation, however many it meets (ORDER-5)', (t) => {
  boundFor(t, { ownOrdersMet: 2 })
  const scene = longWith(70_000_000)
  scene.own('A', 'CreateSubaccount', { address: 'S' }).accepted()
  scene.deposit('S', 100_000_000).accepted()
  const own = [1, 2, 3, 4].map(() => scene.bid('S', 10, 59_149).one('OrderPlaced').order)
  scene.bid('B', 5_000, 59_148).accepted()
  const outcome = scene.later(3_000).mark(BTC, 59_150)
  const shield = outcome.all('OrderCancelled')
  assert.deepEqual(
    shield.map(({ order, reason }) => [order, reason]),
    own.map((order) => [order, 'self_trade_prevented']),
  )
  assert.ok(outcome.one('Traded').lots > 0)
  assert.equal(outcome.one('Traded').price, 59_148)
})

test('case 203: a takeover takes half of the maintenance, and the rest stays (LIQ-4)', () => {
  const row = worked('liquidation', 203)
  const [money = 0, , , mark = 0] = row.given()
  const scene = longWith(money)
  const outcome = scene.mark(BTC, mark)
  const { equity, maintenance } = outcome.one('LiquidationStarted')
  const { margin, balance } = outcome.one('BackstopTookOver')
  assert.deepEqual([scene.balance('A'), scene.balance('backstop-BTC')], [balance, margin])
  row.says(equity, maintenance, margin, balance)
})

test('the margin an isolated position keeps at its takeover goes to the balance (LIQ-4)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: 100_000_000, B: rich } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  scene.buys('A', 'B', 5_000, 60_000)
  const { wallet } = scene.position('A')!
  const before = scene.balance('A')
  // 60,000,000 less 42,000,000: less than two thirds of 29,580,000, more than half of it.
  const outcome = scene.mark(BTC, 59_160)
  const margin = 14_790_000
  outcome.includes({ type: 'BackstopTookOver', margin, wallet: 0 })
  assert.equal(scene.balance('A'), before + wallet - 5_000 * 840 * 10 - margin)
  assert.equal(scene.position('A'), undefined)
})

test('margin kept at a takeover may carry lots that no backstop took (LIQ-4)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 67_000_000, B: rich } })
  scene.run({ type: 'ChangeMarket', market: ETH, change: { backstopValueMax: 0 } }).accepted()
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 10, 30_000, ETH)
  const outcome = scene.mark(BTC, 59_010)
  outcome.includes({ type: 'BackstopTookOver', market: BTC })
  outcome.lacks('LiquidationStepped')
  assert.equal(scene.position('A', ETH)?.lots, 10)
})

/** Maintenance is a tenth of the value: a position that is just unhealthy still has 9.95 %. */
function wellOff(): Scene {
  const scene = given({
    markets: ['BTC'],
    market: { leverageMax: 5 },
    tiers: freeTiers,
    funds: { A: 600_000_000, B: rich, S: rich },
  })
  scene.buys('A', 'B', 5_000, 60_000)
  return scene
}

test('attack: a bid far below mark for one tick is not hit (LIQ-3)', () => {
  const scene = wellOff()
  const mark = 53_300
  const sniped = Math.ceil(mark * 0.908)
  scene.bid('S', 5_000, sniped).accepted()
  // Equity 265,000,000 of a maintenance of 266,500,000: the bankruptcy price is 9.2 % away.
  const outcome = scene.mark(BTC, mark)
  const { limit } = outcome.one('LiquidationStepped')
  assert.equal(limit, Math.ceil(mark * 0.975))
  outcome.lacks('Traded')
  const later = scene.later(3_000).mark(BTC, mark)
  assert.equal(later.one('LiquidationStepped').limit, Math.ceil(mark * 0.95))
  later.lacks('Traded')
})

test('attack: a book that is empty for nine seconds costs half the maintenance (LIQ-4)', () => {
  const scene = wellOff()
  const mark = 53_300
  for (let step = 0; step < 3; step++)
    scene.later(3_000).mark(BTC, mark).includes({ type: 'LiquidationStepped' })
  const outcome = scene.later(3_000).mark(BTC, mark)
  const { margin } = outcome.one('BackstopTookOver')
  // It was all of the equity, 265,000,000.
  assert.deepEqual([margin, scene.balance('A')], [133_250_000, 265_000_000 - 133_250_000])
})
