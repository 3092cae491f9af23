// Risk tiers through both engines: initial margin grows with the size of a position as maintenance
// does, so that no fill creates a position that is already below maintenance.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Scene } from '../../support/scene.ts'

const million = 10 ** 12
const riskTiers = [
  { fromValue: 2 * million, maxLeverage: 25 },
  { fromValue: 10 * million, maxLeverage: 10 },
]
const market = { riskTiers, orderValueMax: 2 ** 52 }
const far = { A: 100 * million, B: 100 * million }
const isolate = (scene: Scene) => {
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
}

test('case 60: margin by tiers; a position may not start below maintenance (MARGIN-9)', () => {
  const row = worked('margin', 60)
  const [from1 = 0, leverage1 = 0, from2 = 0, leverage2 = 0, , lots = 0, price = 0] = row.given()
  const [value = 0, poor = 0, first = 0, more = 0] = row.given().slice(7)
  const tiers = [
    { fromValue: from1, maxLeverage: leverage1 },
    { fromValue: from2, maxLeverage: leverage2 },
  ]
  const setting = { market: { ...market, riskTiers: tiers }, tiers: freeTiers }
  const rich = given({ ...setting, funds: far })
  rich.buys('A', 'B', lots, price)
  const { maintenance, positions } = rich.account('A')
  const { lotValue, tiers: shown } = rich.view.markets.get(BTC)!
  assert.equal(lots * lotValue, value)
  const poorScene = given({ ...setting, funds: { A: poor, B: 100 * million } })
  poorScene.ask('B', lots, price)
  // Equity would have been above the initial margin of 1 ÷ leverage, and below maintenance.
  assert.ok(poor > value / 50 && poor < maintenance)
  const refusal = poorScene.bid('A', lots, price).one('CommandRejected')
  const alone = given({ ...setting, funds: far })
  isolate(alone)
  const moved = [first, more].map((size) => {
    return alone.buys('A', 'B', size, price).one('IsolatedMarginMoved').amount
  })
  const below = from1 - first * lotValue
  const above = more * lotValue - below
  assert.equal(moved[1], 0.02 * below + 0.04 * above)
  row.names(refusal.rejection)
  row.says(
    ...shown.map(({ fractionPpm }) => fractionPpm),
    ...[positions[0]?.requirement, maintenance, refusal.first, refusal.second],
    ...[...moved, 2, below, 4, above],
  )
})

test('a fill at full leverage is not liquidated at an unmoved mark (MARGIN-4)', () => {
  const scene = given({ market, tiers: freeTiers, funds: { A: 560_000_000_000 } })
  scene.deposit('B', 100 * million)
  scene.ask('B', 30_000_000, 60_000)
  scene.bid('A', 20_000_001, 60_000).refused('INSUFFICIENT_BALANCE', 560_000_060_000, 56 * 10 ** 10)
  scene.bid('A', 20_000_000, 60_000).accepted()
  scene.mark(BTC, 60_000).lacks('LiquidationStarted')
  const { equity, maintenance } = scene.account('A')
  assert.equal(equity, 2 * maintenance)
})

test('a leverage below that of a tier counts in it too (MARGIN-1)', () => {
  const scene = given({ market, tiers: freeTiers, funds: far })
  scene.own('A', 'SetLeverage', { market: BTC, leverage: 20 }).accepted()
  scene.bid('A', 10_000_000, 60_000)
  // 5 % of all: 20x is below 25x.
  assert.equal(scene.position('A')?.requirement, 0.3 * million)
  scene.bid('A', 10_000_000, 60_000)
  // 5 % of ten million and 10 % of two.
  assert.equal(scene.position('A')?.requirement, 0.7 * million)
})

test('an isolated requirement is the margin that is added to the position (MARGIN-2)', () => {
  const scene = given({ market, tiers: freeTiers, funds: far })
  isolate(scene)
  scene.buys('A', 'B', 3_000_000, 60_000)
  assert.equal(scene.position('A')?.requirement, 0)
  scene.bid('A', 1_000_000, 60_000)
  // 1.8 million held; 0.2 at 2 % and 0.4 at 4 %.
  assert.equal(scene.position('A')?.requirement, 20_000_000_000)
  scene.ask('B', 1_000_000, 60_000)
  assert.equal(scene.position('A')?.wallet, 36_000_000_000 + 20_000_000_000)
})

test('the free part of an isolated wallet is beyond the margin of its tier (MARGIN-6)', () => {
  const scene = given({ market, tiers: freeTiers, funds: far })
  isolate(scene)
  scene.buys('A', 'B', 4_000_000, 60_000)
  const move = (amount: number) => scene.own('A', 'MoveIsolatedMargin', { market: BTC, amount })
  move(1_000_000).accepted()
  move(-1_000_001).refused('INSUFFICIENT_BALANCE', 1_000_001, 1_000_000)
  move(-1_000_000).accepted()
})

test('margin that rounds to zero moves nothing and emits no event (MARGIN-6)', () => {
  const scene = given({ tiers: freeTiers, funds: far, markets: [] })
  const tickSize = { value: 1, scale: 6 }
  const lotSize = { value: 1, scale: 0 }
  scene.list('TINY', { tickSize, lotSize, orderValueMin: 1, tickMax: 100_000 }).accepted()
  isolate(scene)
  // 50x of 60,049 micro-dollars is 1,200.98: the next 10 do not reach a whole one more.
  scene.buys('A', 'B', 1, 60_000).includes({ type: 'IsolatedMarginMoved', amount: 1_200 })
  scene.buys('A', 'B', 1, 1).includes({ type: 'IsolatedMarginMoved', amount: 1 })
  scene.mark(BTC, 30_001)
  assert.equal(scene.position('A')?.lots, 2)
  // Two lots are worth 60,002: margin 1,201 with one micro-dollar more as without.
  scene.buys('A', 'B', 1, 1).lacks('IsolatedMarginMoved')
})

test('a notional that is just where a tier begins is in it (MARGIN-1, LIQ-3)', () => {
  // At 59,150: equity 27,500,000 and maintenance 29,575,000 in either tier; the fraction of the
  // upper one is twice as large, and its fee 7,500 ppm.
  const notional = 5_000 * 10 * 59_150
  const stepped = (fromValue: number) => {
    const market = { riskTiers: [{ fromValue, maxLeverage: 25 }] }
    const funds = { A: 70_000_000, B: 10 ** 12 }
    const scene = given({ market, markets: ['BTC'], tiers: freeTiers, funds })
    scene.buys('A', 'B', 5_000, 60_000)
    const outcome = scene.mark(BTC, 59_150)
    outcome.includes({ type: 'LiquidationStarted', equity: 27_500_000, maintenance: 29_575_000 })
    return outcome.one('LiquidationStepped').lots
  }
  assert.deepEqual([stepped(notional), stepped(notional + 1)], [711, 1_468])
})

test('where a tier begins its deduction is rounded down: a micro-dollar more (MARGIN-1)', () => {
  // 4 % of 3,000,750,030 are 120,030,001.2, and 2 % of it 60,015,000.6.
  const fromValue = 5_001 * 10 * 60_003
  for (const [money, refused] of [
    [60_015_002, false],
    [60_015_001, true],
  ] as const) {
    const tiered = { riskTiers: [{ fromValue, maxLeverage: 25 }] }
    const funds = { A: money, B: 10 ** 12 }
    const scene = given({ market: tiered, markets: ['BTC'], tiers: freeTiers, funds })
    scene.mark(BTC, 60_003)
    const outcome = scene.bid('A', 5_001, 60_003)
    if (refused) outcome.refused('INSUFFICIENT_BALANCE', 60_015_002, money)
    else outcome.accepted()
  }
})
