// docs/rules/liquidation.md where it says how much the insurance fund pays on one day: a part of
// itself, and after that it counts as empty.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Scene, START } from '../../support/scene.ts'
import { boundFor } from '../../support/trial-rules.ts'

const rich = 10 ** 12
const dayMs = 86_400_000
const midnight = Math.ceil(START / dayMs) * dayMs

/** To a time of the clock, where the prices are live again. */
function until(scene: Scene, time: number): void {
  scene.now = time
  scene.revive(BTC)
}

const limits = (scene: Scene) => {
  const { max, paid } = scene.view.money.fundToday
  return [max, paid]
}

test('case 206: the fund pays a part of itself on a day (LIQ-7)', (t) => {
  boundFor(t, { commandUnits: 1 })
  const row = worked('liquidation', 206)
  const [fund = 0, money = 0, lots = 0, price = 0, mark = 0, income = 0, , next = 0, later = 0] =
    row.given()
  const funds = { insurance: fund, A: money, C: money, G: money, B: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  for (const name of ['A', 'C']) scene.buys(name, 'B', lots, price)
  const [first] = limits(scene)
  const outcome = scene.mark(BTC, mark)
  const { amount } = outcome.one('InsurancePaid')
  const [{ equity } = { equity: 0 }, other] = outcome.all('LiquidationStarted')
  assert.equal(other?.equity, equity)
  const debt = -equity - amount
  const [ofA, ofC] = [outcome, scene.wait(0)].map((each) => each.one('Deleveraged').value)
  scene.deposit('insurance', income)
  until(scene, midnight)
  scene.buys('G', 'B', lots, next)
  const [second] = limits(scene)
  const paid = scene.mark(BTC, later).one('InsurancePaid').amount
  row.says(equity, first, amount, debt, ofA, 0, -equity, ofC, second, paid)
  assert.deepEqual(limits(scene), [second, paid])
})

/** An account that loses 20,000,000 in one step and deposited less than that. No backstop takes it
 *  over, so nothing is left of it afterwards. */
function owes(scene: Scene, name: string, debt: number) {
  const { mark } = scene.book()
  scene.deposit(name, 20_000_000 - debt)
  scene.buys(name, 'B', 1_000, mark)
  const outcome = scene.mark(BTC, mark - 2_000)
  assert.equal(outcome.one('LiquidationStarted').equity, -debt)
  assert.equal(outcome.all('Deleveraged').length, 1)
  assert.equal(scene.balance(name), 0)
  return outcome.all('InsurancePaid').map(({ amount }) => amount)
}

function fundOf(insurance: number, fundDailyMax?: number): Scene {
  const market = { backstopValueMax: 0 }
  const funds = { B: rich, ...(insurance > 0 ? { insurance } : {}) }
  const scene = given({ markets: ['BTC'], market, tiers: freeTiers, funds })
  if (fundDailyMax !== undefined) setMax(scene, fundDailyMax).accepted()
  return scene
}

function setMax(scene: Scene, dailyMax: number) {
  return scene.run({ type: 'SetFundDailyMax', dailyMax })
}

test('all payments of a day count together, income of the fund does not (LIQ-5)', () => {
  const scene = fundOf(20_000_001)
  assert.deepEqual(owes(scene, 'C', 4_000_000), [4_000_000])
  scene.deposit('insurance', 10 ** 9)
  assert.deepEqual(owes(scene, 'D', 5_000_000), [5_000_000])
  assert.deepEqual(limits(scene), [10_000_000, 9_000_000])
  assert.deepEqual(owes(scene, 'E', 3_000_000), [1_000_000])
  assert.deepEqual(owes(scene, 'F', 3_000_000), [])
  assert.deepEqual(limits(scene), [10_000_000, 10_000_000])
})

test('a fund that was moved elsewhere pays no more than it has (LIQ-5)', () => {
  const scene = fundOf(20_000_000)
  assert.deepEqual(owes(scene, 'C', 4_000_000), [4_000_000])
  scene.reserve(15_000_000).accepted()
  assert.deepEqual(owes(scene, 'D', 5_000_000), [1_000_000])
  assert.deepEqual(limits(scene), [10_000_000, 5_000_000])
})

test('the day of a fund ends at midnight, by the clock of commands (LIQ-5)', () => {
  const scene = fundOf(10_000_000)
  until(scene, midnight - 1)
  assert.deepEqual(owes(scene, 'C', 6_000_000), [5_000_000])
  assert.deepEqual(owes(scene, 'D', 6_000_000), [])
  until(scene, midnight)
  assert.deepEqual(limits(scene), [2_500_000, 0])
  assert.deepEqual(owes(scene, 'E', 6_000_000), [2_500_000])
  // A day without a payment between them.
  until(scene, midnight + 2 * dayMs)
  assert.deepEqual(owes(scene, 'F', 6_000_000), [1_250_000])
})

test('another part counts for the present day too (LIQ-5)', () => {
  const scene = fundOf(20_000_000, 200_000)
  assert.deepEqual(owes(scene, 'C', 3_000_000), [3_000_000])
  setMax(scene, 100_000).emits({ type: 'FundDailyMaxSet', dailyMax: 100_000 })
  assert.deepEqual(limits(scene), [2_000_000, 3_000_000])
  assert.deepEqual(owes(scene, 'D', 1_000_000), [])
  setMax(scene, 300_000).accepted()
  assert.deepEqual(owes(scene, 'E', 8_000_000), [3_000_000])
  setMax(scene, 1_000_000).accepted()
  assert.deepEqual(owes(scene, 'F', 8_000_000), [8_000_000])
  assert.deepEqual(limits(scene), [20_000_000, 14_000_000])
})

test('a part is from nothing to all of it (LIQ-5)', () => {
  const scene = fundOf(0, 0)
  for (const wrong of [-1, 1_000_001]) setMax(scene, wrong).refused('INVALID_PARAMETER', wrong)
  setMax(scene, 0.5).refused('INVALID_PARAMETER', 0)
  // Neither what cannot be paid nor an empty fund begins its day.
  scene.deposit('insurance', 1_000_000)
  assert.deepEqual(owes(scene, 'C', 2_000_000), [])
  scene.deposit('insurance', 9_000_000)
  setMax(scene, 1_000_000).accepted()
  assert.deepEqual(owes(scene, 'D', 8_000_000), [8_000_000])
  assert.deepEqual(limits(scene), [10_000_000, 8_000_000])
})

test('beyond the limit a settlement leaves a deficit, whatever the fund has (LIQ-5)', () => {
  const scene = fundOf(8_000_000)
  scene.deposit('C', 14_000_000)
  scene.buys('C', 'B', 1_000, 60_000)
  scene
    .run({ type: 'SettleMarket', market: BTC, price: 58_000 })
    .includes(
      { type: 'InsurancePaid', amount: 4_000_000, fund: 4_000_000 },
      { type: 'DeficitBooked', amount: 2_000_000, deficit: -2_000_000 },
    )
})

test('attack: beyond the limit the counterparty of a bankrupt account pays (LIQ-5, LIQ-6)', () => {
  const funds = { insurance: 20_000_000, P: 70_000_000, B: rich, H: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.sells('H', 'B', 20_000, 60_000)
  /** A long that goes bankrupt, sold by its partner; what the two have more than they brought. */
  const gainOf = (name: string) => {
    const { mark } = scene.book()
    scene.deposit(name, 70_000_000)
    const before = scene.account('P').equity + 70_000_000
    scene.buys(name, 'P', 5_000, mark)
    const outcome = scene.mark(BTC, mark - 2_000)
    const equity = Math.max(0, scene.account(name).equity) + scene.account('P').equity
    return { outcome, gain: equity - before }
  }
  // 30,000,000 is owed: the fund pays a third, and the winner of 100,000,000 gives back the rest.
  const first = gainOf('C')
  first.outcome.includes({ type: 'InsurancePaid', amount: 10_000_000 })
  const { counterparty, lots, value } = first.outcome.one('Deleveraged')
  assert.deepEqual([counterparty, lots, value], [scene.id('P'), 5_000, 2_920_000_000])
  assert.equal(first.gain, 10_000_000)
  const second = gainOf('D')
  second.outcome.lacks('InsurancePaid')
  assert.equal(second.outcome.one('Deleveraged').counterparty, scene.id('P'))
  assert.equal(second.gain, 0)
  until(scene, midnight)
  const third = gainOf('E')
  third.outcome.includes({ type: 'InsurancePaid', amount: 5_000_000 })
  assert.equal(third.gain, 5_000_000)
})
