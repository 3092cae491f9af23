// docs/rules/liquidation.md where what is shared out does not come out even, or comes out alike.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, ETH, freeTiers, given, type Scene, START } from '../../support/scene.ts'
import { boundFor, knowRules, trialRules, trialVersion } from '../../support/trial-rules.ts'

const rich = 10 ** 12

test('with equal notionals the lowest market id bears the rest of a debt (LIQ-6)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: 224_999_999, B: rich } })
  // Its maintenance is larger, so it is closed first.
  scene.list('ETH', { leverageMax: 40 }).accepted()
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 1_000, 30_000, ETH)
  scene.mark(ETH, 28_500).lacks('LiquidationStarted')
  // 150,000,000 are lost in each, of 224,999,999.
  const outcome = scene.mark(BTC, 57_000)
  const worth = 5_000 * 10 * 57_000
  assert.deepEqual(
    outcome.all('Deleveraged').map(({ market, value }) => [market, value - worth]),
    [
      [ETH, 37_500_000],
      [BTC, 37_500_001],
    ],
  )
})

test('the rest of a bucket is given from its end, by each up to its lots (LIQ-6)', () => {
  const funds = { A: 1_300_000, B: rich, S0: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'S0', 101, 60_000)
  // The first of five buckets has three: those with the highest leverage.
  const first = [
    ['S1', 50, 10 ** 9],
    ['S2', 50, 10 ** 9],
    ['S3', 2, 10 ** 8],
  ] as const
  for (const [name, lots, money] of first) {
    scene.deposit(name, money)
    scene.sells(name, 'B', lots, 60_000)
  }
  for (let n = 4; n <= 14; n++) {
    scene.deposit(`S${n}`, rich)
    scene.sells(`S${n}`, 'B', 100, 60_000)
  }
  // 49, 49 and 1 of 101 × lots ÷ 102, and two lots more: the last has one left.
  assert.deepEqual(
    scene
      .mark(BTC, 58_000)
      .all('Deleveraged')
      .map(({ counterparty, lots }) => [counterparty, lots]),
    [
      [scene.id('S1'), 49],
      [scene.id('S2'), 50],
      [scene.id('S3'), 2],
    ],
  )
})

/** Six makers that may close far from mark, and then lack the money for their bids: six sweeps by
 *  one command, of which five have their turn in it. */
function sixSweeps(): Scene {
  // One match for all of them.
  knowRules({ ...trialRules, limits: { ...trialRules.limits, commandUnits: 100 } })
  const setting = { markets: ['BTC', 'ETH'], market: { fundingSamplesMin: 1 } }
  const scene = given({ ...setting, tiers: freeTiers, funds: { F: rich, B: rich } })
  scene.run({ type: 'SetRulesVersion', version: trialVersion }).accepted()
  scene.now = START + 3_590_000
  for (const market of [BTC, ETH]) scene.revive(market)
  scene.later(5_000)
  for (const market of [BTC, ETH]) scene.revive(market)
  for (const name of swept) {
    scene.deposit(name, 600_000_000)
    scene.buys(name, 'B', 10, 30_000, ETH)
    scene.sells(name, 'F', 1_000, 60_000)
    scene.bid(name, 30_000, 59_000, { tif: 'ALO' }).accepted()
  }
  return scene
}

const swept = ['M1', 'M2', 'M3', 'M4', 'M5', 'M6']

/** They close in this order; returns the accounts swept in the same command. */
function sweptOf(scene: Scene, makers: readonly string[]): readonly number[] {
  for (const name of makers)
    scene.bid(name, 1_000, 84_000, { tif: 'ALO', reduceOnly: true }).accepted()
  const outcome = scene
    .ask('F', makers.length * 1_000, 84_000, { tif: 'IOC' })
    .all('OrderCancelled')
  assert.ok(outcome.every(({ reason }) => reason === 'margin'))
  return outcome.map(({ account }) => account)
}

test('an account swept in a later command first pays the funding due by then (LIQ-8)', () => {
  const scene = sixSweeps()
  scene.now = START + 3_599_999
  assert.deepEqual(
    sweptOf(scene, swept),
    swept.slice(0, 5).map((name) => scene.id(name)),
  )
  const account = scene.id('M6')
  scene
    .wait(1)
    .includes(
      { type: 'FundingFixed', market: ETH },
      { type: 'FundingPaid', account },
      { type: 'OrderCancelled', account, reason: 'margin' },
    )
})

test('an account without open orders takes no turn of a sweep (LIQ-8)', () => {
  const scene = sixSweeps()
  // 80,000,000 are left, of 180,000,000 that ETH requires without leverage. Its share of equity,
  // by maintenance, is less.
  scene.deposit('N', 320_000_000)
  scene.own('N', 'SetLeverage', { market: ETH, leverage: 1 }).accepted()
  scene.buys('N', 'B', 60, 30_000, ETH)
  scene.sells('N', 'F', 1_000, 60_000)
  assert.deepEqual(
    sweptOf(scene, ['N', ...swept]),
    swept.slice(0, 5).map((name) => scene.id(name)),
  )
  const { equity, positions } = scene.account('N')
  assert.deepEqual([equity, positions[0]?.requirement], [80_000_000, 180_000_000])
})

test('an account with just enough for the lots a full backstop leaves keeps them (LIQ-4)', () => {
  // At 59,000: equity 17,750,000 of a maintenance of 29,500,000 + 3,000,000. Half of the first goes
  // with BTC, and 3,000,000 stay.
  for (const lacking of [0, 1]) {
    const funds = { A: 67_750_000 - lacking, B: rich }
    const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
    scene.list('ETH', { backstopValueMax: 1 }).accepted()
    scene.buys('A', 'B', 5_000, 60_000)
    scene.buys('A', 'B', 100, 30_000, ETH)
    const outcome = scene
      .mark(BTC, 59_000)
      .includes({ type: 'BackstopTookOver', margin: 14_750_000 })
    assert.equal(outcome.lacks('LiquidationStepped').all('Deleveraged').length, lacking)
  }
})

test('equally unhealthy accounts are queued by id, not by arrival (LIQ-1)', () => {
  const money = 70_000_000
  const funds = { A: money, C: money, D: money, E: money, G: money, B: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  for (const name of ['D', 'A', 'G', 'C', 'E']) scene.buys(name, 'B', 5_000, 60_000)
  const started = scene.mark(BTC, 59_150).all('LiquidationStarted')
  assert.deepEqual(
    started.map(({ account }) => account),
    ['A', 'C', 'D', 'E', 'G'].map((name) => scene.id(name)),
  )
})

test('a profit of one micro-dollar is one, and comes before a loss (LIQ-6)', () => {
  const funds = { A: 1_300_000, L: rich, P: rich, B: rich, C: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.sells('L', 'B', 100, 57_000)
  // A hundred lots for 58,000,100, of which one is left: it has brought 580,001.
  scene.sells('P', 'B', 90, 58_000)
  scene.sells('P', 'B', 10, 58_001)
  scene.buys('P', 'B', 99, 58_000)
  assert.deepEqual(scene.held('P'), [-1, -580_001])
  scene.buys('A', 'C', 100, 60_000)
  scene.buys('C', 'B', 100, 60_000)
  const gifts = scene.mark(BTC, 58_000).all('Deleveraged')
  assert.deepEqual(
    gifts.map(({ counterparty, lots }) => [counterparty, lots]),
    [
      [scene.id('P'), 1],
      [scene.id('L'), 99],
    ],
  )
})

test('an account without a position in a market fills no bucket (LIQ-6)', () => {
  const names = Array.from({ length: 5 }, (_, at) => `S${at + 1}`)
  const shorts = Object.fromEntries(names.map((name) => [name, 30_000_000]))
  const funds = { ...shorts, A: 14_000_000, L: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  // Five buckets of one each; with accounts that have left they would be of three.
  for (const name of names) scene.sells(name, 'L', 1_000, 60_000)
  for (let n = 1; n <= 6; n++) {
    scene.deposit(`F${n}`, rich)
    scene.sells(`F${n}`, 'L', 10, 60_000)
    scene.buys(`F${n}`, 'L', 10, 60_000)
  }
  scene.buys('A', 'L', 1_000, 60_000)
  const outcome = scene.mark(BTC, 57_000)
  assert.deepEqual(
    outcome.all('Deleveraged').map(({ counterparty, lots }) => [counterparty, lots]),
    [[scene.id('S1'), 1_000]],
  )
})

test('an account deleveraged in a later command first pays the funding due (LIQ-6)', (t) => {
  boundFor(t, { commandUnits: 1 })
  const funds = { A: 70_000_000, C: 70_000_000, D: 70_000_000, B: rich }
  const market = { fundingSamplesMin: 1 }
  const scene = given({ markets: ['BTC', 'ETH'], market, tiers: freeTiers, funds })
  scene.now = START + 3_590_000
  for (const each of [BTC, ETH]) scene.revive(each)
  scene.later(5_000)
  for (const each of [BTC, ETH]) scene.revive(each)
  for (const name of ['A', 'C', 'D']) scene.buys(name, 'B', 5_000, 60_000)
  scene.now = START + 3_599_000
  scene.mark(BTC, 58_000).includes({ type: 'Deleveraged', account: scene.id('A') })
  const account = scene.id('D')
  const outcome = scene.wait(1_000)
  outcome.includes({ type: 'FundingFixed', market: BTC }, { type: 'FundingPaid', account })
  const types = outcome.events.filter((each) => 'account' in each && each.account === account)
  assert.deepEqual(
    types.map(({ type }) => type).slice(0, 2),
    ['FundingPaid', 'Filled'],
    outcome.toString(),
  )
})
