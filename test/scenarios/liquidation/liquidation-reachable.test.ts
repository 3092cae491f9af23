// docs/rules/liquidation.md where one market of a cross account is stale or halted: it neither
// protects the account nor keeps what the fund has paid for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Scene } from '../../support/scene.ts'

const rich = 10 ** 13

type Setting = Readonly<{ insurance?: number; market?: Readonly<Record<string, unknown>> }>

/** A is long 5,000 BTC lots at 60,000 and a few of ETH, whose market is then halted. */
function sheltered({ insurance = 10 ** 12, market = {} }: Setting = {}): Scene {
  const funds = { A: 70_000_000, B: rich, C: rich, insurance }
  const scene = given({ markets: ['BTC', 'ETH'], market, tiers: freeTiers, funds })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'C', 1, 30_000, ETH)
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'halted' }).accepted()
  return scene
}

test('case 204: a halted market shelters nothing, and nothing in it is kept (LIQ-4)', () => {
  const row = worked('liquidation', 204)
  const [, , , , mark = 0] = row.given()
  const scene = sheltered({ market: { backstopValueMax: 10 ** 12 } })
  const outcome = scene.mark(BTC, mark)
  const { equity } = outcome.one('LiquidationStarted')
  const { amount } = outcome.one('InsurancePaid')
  const taken = outcome.all('BackstopTookOver')
  row.says(equity, amount, ...taken.flatMap(({ lots, margin }) => [lots, margin]))
  assert.deepEqual(
    taken.map(({ market }) => market),
    [BTC, ETH],
  )
  assert.deepEqual([scene.balance('A'), scene.account('A').positions], [0, []])
})

test('an account that the fund has not paid for keeps positions out of reach (LIQ-4)', () => {
  const scene = sheltered()
  // Equity 10,000,000 of 29,430,000.
  const outcome = scene.mark(BTC, 58_800)
  const { market, margin } = outcome.one('BackstopTookOver')
  assert.equal(market, BTC)
  // Its share of the margin is by the maintenance of all positions.
  assert.equal(margin, Math.floor((10_000_000 * 29_400_000) / 29_430_000))
  assert.deepEqual(scene.held('A', ETH), [1, 3_000_000])
  outcome.lacks('LiquidationStepped')
})

test('a backstop has room for any position the fund has paid for (LIQ-4)', () => {
  const scene = sheltered({ market: { backstopValueMax: 0, backstopDailyLossMax: 0 } })
  // That of BTC is full, so that this one is deleveraged; that of ETH takes it all the same.
  const outcome = scene.mark(BTC, 58_000)
  assert.equal(outcome.one('BackstopTookOver').market, ETH)
  assert.equal(outcome.one('Deleveraged').market, BTC)
  assert.deepEqual(scene.account('A').positions, [])
})

test('a scope that has no position within reach waits (LIQ-2, LIQ-4)', () => {
  const scene = sheltered()
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  const outcome = scene.mark(BTC, 58_000).lacks('LiquidationStarted')
  outcome.lacks('InsurancePaid')
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  scene.mark(BTC, 58_000).includes({ type: 'InsurancePaid' }, { type: 'BackstopTookOver' })
})

test('the parts of an unpaid debt in stale markets wait for those markets (LIQ-6)', () => {
  const scene = sheltered({ insurance: 2 })
  const outcome = scene.mark(BTC, 58_000)
  const { lots, value } = outcome.one('Deleveraged')
  const debt = 30_000_000 - 1
  const waits = Math.floor((debt * 3_000_000) / (2_900_000_000 + 3_000_000))
  assert.deepEqual([lots, value], [5_000, 2_900_000_000 + debt - waits])
  assert.deepEqual(scene.held('A', ETH), [1, 3_000_000])
  assert.equal(scene.account('A').equity, -waits)
})

test('attack: thirteen dollars in gold on a Sunday do not protect an account (LIQ-4)', () => {
  // Two friends hold the two sides; one of them also a little of a market that is closed.
  const funds = { A: 1_000_000_000, P: rich, C: rich, insurance: 10 ** 12 }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds })
  scene.buys('A', 'P', 80_000, 60_000)
  scene.buys('A', 'C', 4, 30_000, ETH)
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'halted' }).accepted()
  const outcome = scene.mark(BTC, 58_000)
  const { equity } = outcome.one('LiquidationStarted')
  assert.equal(equity, -600_000_000)
  outcome.includes({ type: 'InsurancePaid', amount: 600_000_000 })
  assert.deepEqual(scene.account('A').positions, [])
  // The fund has paid once and for all: what comes later is the backstop's, up or down.
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'open' })
  for (const mark of [29_100, 30_900]) {
    const later = scene.mark(ETH, mark).all('InsurancePaid')
    assert.ok(later.every(({ account }) => account !== scene.id('A')))
  }
  assert.equal(scene.balance('A'), 0)
})

test('a recovering market goes over at its last mark, the fund pays the rest later (LIQ-4)', () => {
  const funds = { A: 70_000_000, B: rich, C: rich, insurance: 10 ** 12 }
  const market = { backstopValueMax: 10 ** 12 }
  const scene = given({ markets: ['BTC', 'ETH'], market, tiers: freeTiers, funds })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'C', 1, 30_000, ETH)
  // Three dollars of ETH are within reach, the rest is not: the oracle is at 55,200.
  const outcome = scene.later(4_000).tick(BTC, 48_000)
  outcome.includes({ type: 'InsurancePaid', account: scene.id('A'), amount: 170_000_000 })
  const taken = outcome.all('BackstopTookOver')
  assert.deepEqual(
    taken.map(({ market: which, margin }) => [which, margin]),
    [
      [ETH, 0],
      [BTC, 0],
    ],
  )
  // No more in the end than if all had waited: what is missing at 48,000, less what A had.
  for (let more = 0; more < 4; more++) scene.later(3_000).tick(BTC, 48_000)
  assert.equal(scene.book().mark, 48_000)
  assert.equal(10 ** 12 - scene.balance('insurance'), 5_000 * 12_000 * 10 - 70_000_000)
  assert.deepEqual([scene.balance('A'), scene.account('A').positions], [0, []])
})

test('attack: no backstop has room, and the fund does not pay tick by tick (LIQ-4)', () => {
  const funds = { A: 70_000_000, P: rich, insurance: 10 ** 12 }
  const market = { backstopValueMax: 0 }
  const scene = given({ markets: ['BTC'], market, tiers: freeTiers, funds })
  scene.buys('A', 'P', 5_000, 60_000)
  const outcome = scene.mark(BTC, 58_000)
  outcome.includes({ type: 'InsurancePaid', amount: 30_000_000 }, { type: 'Deleveraged' })
  outcome.lacks('LiquidationStepped')
  // At mark, and once and for all: the friend's side is closed with it.
  for (const mark of [57_000, 56_000]) scene.mark(BTC, mark).lacks('InsurancePaid')
  assert.deepEqual([scene.account('A').positions, scene.account('P').positions], [[], []])
})

test('a last mark may be worse than a price that has come back (LIQ-4)', () => {
  const scene = sheltered({ market: { backstopValueMax: 10 ** 12 } })
  // One bad tick; the oracle has gone to 55,200 by the next one, and stands a little above it then.
  scene.later(4_000).tick(BTC, 48_000).lacks('InsurancePaid')
  scene.later(100).tick(BTC, 60_000)
  const { mark } = scene.book()
  assert.equal(mark, 55_310)
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'open' }).accepted()
  const outcome = scene.tick(ETH, 30_000)
  // At 60,000 it would have all of its money. The fund pays, and the backstop has what both lost.
  const lost = 5_000 * (60_000 - mark) * 10
  outcome.includes({ type: 'InsurancePaid', amount: lost - 70_000_000 })
  for (let more = 0; more < 4; more++) scene.later(3_000).tick(BTC, 60_000)
  assert.equal(scene.book().mark, 60_000)
  assert.deepEqual([scene.balance('A'), scene.account('backstop-BTC').equity], [0, lost])
})
