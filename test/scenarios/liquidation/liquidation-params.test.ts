// docs/rules/liquidation.md where it says what a market decides about its liquidations: the fee,
// the concession, the dry count and the size of a step.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Scene } from '../../support/scene.ts'

const rich = 10 ** 12

type Params = Readonly<Record<string, unknown>>

/** A is long 5,000 lots at 60,000 with this balance, and B is short. */
function longWith(money: number, market: Params): Scene {
  const scene = given({ markets: ['BTC'], market, tiers: freeTiers, funds: { A: money, B: rich } })
  scene.buys('A', 'B', 5_000, 60_000)
  return scene
}

function change(scene: Scene, fields: Params, market = BTC) {
  return scene.run({ type: 'ChangeMarket', market, change: fields })
}

test('case 207: fee, concession, dry count and step are the market’s own (LIQ-7)', () => {
  const row = worked('liquidation', 207)
  const [part, most, concession, dry, step, money = 0, , , mark = 0, later = 0] = row.given()
  const scene = longWith(money, {
    liquidationFeePartPpm: part,
    liquidationFeePpmMax: most,
    liquidationConcessionPpm: concession,
    liquidationDryMax: dry,
    liquidationStepMax: step,
  })
  const outcome = scene.mark(BTC, mark)
  const { equity, maintenance } = outcome.one('LiquidationStarted')
  const { lots, limit } = outcome.one('LiquidationStepped')
  const met = { lots: 5_000, mark, fair: mark, equity, maintenance, unfilled: 0 }
  const plan = scene.view.markets.get(BTC)!.liquidationStep(met as never)
  const { margin, balance } = scene.later(later).mark(BTC, mark).one('BackstopTookOver')
  const { feePpm, need, cap, slipPpm } = plan
  row.says(feePpm, need, cap, lots, slipPpm, limit, margin, balance)
})

test('the fee of a liquidated side is a part of its fraction, up to the most (LIQ-9)', () => {
  for (const [liquidationFeePartPpm, liquidationFeePpmMax, ppm] of [
    [400_000, 7_500, 4_000],
    [123_456, 7_500, 1_234],
    [500_000, 250_000, 5_000],
    [500_000, 3_999, 3_999],
    [0, 7_500, 0],
    [400_000, 0, 0],
  ] as const) {
    const scene = longWith(70_000_000, { liquidationFeePartPpm, liquidationFeePpmMax })
    scene.bid('B', 5_000, 59_100).accepted()
    const outcome = scene.mark(BTC, 59_150)
    const [trade] = outcome.fills()
    const value = trade!.lots * 59_100 * 10
    const paid = outcome.all('LiquidationFeePaid').map(({ amount }) => amount)
    assert.deepEqual(paid, ppm === 0 ? [] : [Math.ceil((value * ppm) / 1_000_000)])
  }
})

test('the concession is all that a step and a takeover may cost (LIQ-9)', () => {
  for (const [liquidationConcessionPpm, limits, margin] of [
    [0, [59_150, 59_150], 0],
    [200_000, [59_091, 59_032], 5_901_000],
    // To the bankruptcy price, and all of the equity.
    [1_000_000, [58_994, 58_837], 17_500_000],
  ] as const) {
    const params = { liquidationConcessionPpm }
    const scene = longWith(70_000_000, params)
    const steps = [0, 3_000].map((ms) => scene.later(ms).mark(BTC, 59_150))
    const found = steps.map((outcome) => outcome.one('LiquidationStepped').limit)
    const other = longWith(67_000_000, params)
    const took = other.mark(BTC, 59_010).one('BackstopTookOver')
    assert.deepEqual([found, took.margin], [limits, margin])
  }
})

test('the dry count is that of the market in which the step would be (LIQ-2, LIQ-9)', () => {
  const market = { liquidationDryMax: 1 }
  const funds = { A: 72_000_000, B: rich }
  const taken = (first: number, other: number, mode: string) => {
    const scene = given({ market, markets: ['BTC', 'ETH'], tiers: freeTiers, funds })
    change(scene, { liquidationDryMax: first }, BTC).accepted()
    change(scene, { liquidationDryMax: other }, ETH).accepted()
    scene.buys('A', 'B', 5_000, 60_000)
    scene.buys('A', 'B', 10, 30_000, ETH)
    scene.run({ type: 'SetMarketMode', market: BTC, mode }).accepted()
    scene.mark(BTC, 59_120)
    const steps = [0, 3_000].map((ms) => scene.later(ms).mark(ETH, 29_990))
    return steps.map((outcome) => outcome.all('LiquidationStepped').length)
  }
  // One step, by the tick of BTC.
  assert.deepEqual(taken(1, 2, 'open'), [0, 0])
  assert.deepEqual(taken(2, 1, 'open'), [1, 1])
  // With BTC halted it would be in ETH, and the first tick of ETH is the first one.
  assert.deepEqual(taken(1, 2, 'halted'), [1, 1])
  assert.deepEqual(taken(2, 1, 'halted'), [1, 0])
})

test('a step of no value closes a fifth, and so does a sale of the backstop (LIQ-9)', () => {
  for (const [liquidationStepMax, lots] of [
    [0, 1_000],
    [591_500 * 1_234, 1_234],
  ] as const) {
    const scene = longWith(70_000_000, { liquidationStepMax, liquidationDryMax: 1 })
    assert.equal(scene.mark(BTC, 59_150).one('LiquidationStepped').lots, lots)
    scene.later(3_000).mark(BTC, 59_150).one('BackstopTookOver')
    const sold = scene.later(3_000).mark(BTC, 59_150).one('OrderPlaced')
    assert.deepEqual([sold.origin, sold.size], ['backstop', lots])
  }
})

test('they change immediately, also in the middle of a liquidation (LIQ-9, MARKET-2)', () => {
  const scene = longWith(70_000_000, {})
  const { limit } = scene.mark(BTC, 59_150).one('LiquidationStepped')
  assert.equal(limit, 59_003)
  change(scene, { liquidationConcessionPpm: 100_000 }).emits({
    type: 'MarketChanged',
    effectiveAt: scene.now,
  })
  const outcome = scene.later(3_000).mark(BTC, 59_150)
  assert.equal(outcome.one('LiquidationStepped').limit, 59_091)
  change(scene, { liquidationDryMax: 2 }).accepted()
  scene.later(3_000).mark(BTC, 59_150).includes({ type: 'BackstopTookOver', margin: 2_957_500 })
})

test('each of them has its bounds, at a listing and after it (LIQ-9, MARKET-1)', () => {
  const bounds: readonly (readonly [string, number, number])[] = [
    ['liquidationFeePartPpm', 0, 500_000],
    ['liquidationFeePpmMax', 0, 250_000],
    ['liquidationConcessionPpm', 0, 1_000_000],
    ['liquidationDryMax', 1, 100],
    ['liquidationStepMax', 0, 2 ** 52],
  ]
  const scene = given({ markets: ['BTC'] })
  for (const [name, least, most] of bounds) {
    scene.list('SOL', { [name]: undefined }).refused('INVALID_PARAMETER', 0)
    for (const wrong of [least - 1, most + 1, least + 0.5, null]) {
      change(scene, { [name]: wrong }).refused('INVALID_PARAMETER', 0)
      scene.list('SOL', { [name]: wrong }).refused('INVALID_PARAMETER', 0)
    }
    for (const right of [least, most]) change(scene, { [name]: right }).accepted()
  }
  const most = Object.fromEntries(bounds.map(([name, , top]) => [name, top]))
  scene.list('SOL', most).accepted()
})

// A market that catches up is not reachable: the backstop never has its turn.
test('steps in a row without a fill are counted up to 255 (LIQ-2)', () => {
  const funds = { A: 210_000_000, B: rich }
  const market = { leverageMax: 3 }
  const scene = given({ markets: ['BTC'], market, tiers: freeTiers, funds })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  scene.mark(BTC, 46_000)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  // Down by 5 %, and up by as much again.
  const down = () => scene.later(2_500).tick(BTC, 30_000)
  const up = () => scene.later(2_632).tick(BTC, 80_000)
  scene.quietly(() => {
    for (let n = 0; n < 128; n++)
      for (const outcome of [down(), up()]) outcome.one('LiquidationStepped')
  })
  assert.equal(scene.account('A').unfilledSteps, 255)
  const outcome = down()
  // A count that began again would go half as far.
  const { mark } = scene.book()
  const { equity } = outcome.one('LiquidationStarted')
  const bankruptcy = Math.floor((equity * 100) / mark) - 7_500
  const slip = Math.min(bankruptcy, 83_333)
  assert.equal(
    outcome.one('LiquidationStepped').limit,
    Math.ceil((mark * (1_000_000 - slip)) / 1_000_000),
  )
})
