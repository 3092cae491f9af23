// The example that docs/rules/liquidation.md begins with: one account, and each of its next marks,
// played by both engines and compared with every figure of the page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbersIn, ruleText } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Outcome, type Scene } from '../../support/scene.ts'

const rich = 10 ** 12
const lots = 5_000
const entry = 60_000

const section = ruleText('liquidation').split(/^## /m)[1] ?? ''
const rows = section.split('\n').filter((line) => /^\| \d/.test(line))

/** Dollars with two digits, as the page has them. */
const dollars = (micro: number) => (Math.round(micro / 10_000) / 100).toFixed(2)
const whole = (micro: number) => String(micro / 1_000_000)
const bitcoins = (count: number) => (count / 100_000).toFixed(5)

/** The account of the page: 70 dollars, and 0.05 BTC bought at 60,000. */
function trader(fund: number): Scene {
  const funds = { A: 70_000_000, B: rich, C: rich, insurance: fund }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', lots, entry)
  return scene
}

/** Equity and maintenance at the beginning of the liquidation. */
function health(outcome: Outcome): readonly string[] {
  const { equity, maintenance } = outcome.one('LiquidationStarted')
  return [dollars(equity), dollars(maintenance)]
}

function says(at: number, ...figures: readonly (number | string)[]): void {
  assert.deepEqual(figures.map(String), numbersIn(rows[at] ?? ''), rows[at])
}

/** The mark of a row of the example. */
const markOf = (at: number) => Number(numbersIn(rows[at] ?? '')[0])

test('the example: healthy at the liquidation price, liquidated one tick below (LIQ-1)', () => {
  const scene = trader(rich)
  const mark = markOf(0)
  scene.mark(BTC, mark).lacks('LiquidationStarted')
  says(0, mark, dollars(scene.account('A').equity), dollars(scene.account('A').maintenance))
  assert.ok(section.includes(`Your liquidation price is\n${mark.toLocaleString('en-US')}.`))
  scene.mark(BTC, mark - 1).one('LiquidationStarted')
  assert.equal(rows.length, 5)
})

test('the example: a step sells a part, and the rest is healthy (LIQ-3)', () => {
  const scene = trader(rich)
  const mark = markOf(1)
  const price = 59_100
  scene.bid('C', lots, price)
  const outcome = scene.mark(BTC, mark)
  const step = outcome.one('LiquidationStepped')
  const { amount } = outcome.one('LiquidationFeePaid')
  const { equity, maintenance } = scene.account('A')
  assert.ok(equity > maintenance)
  const cost = step.lots * (mark - price) * 10
  const left = [dollars(equity), bitcoins(lots - step.lots)]
  const costs = [price, dollars(cost), dollars(amount)]
  says(1, mark, ...health(outcome), bitcoins(step.lots), step.limit, ...costs, ...left)
})

test('the example: a takeover costs half of the maintenance (LIQ-4)', () => {
  const scene = trader(rich)
  const mark = markOf(2)
  const outcome = scene.mark(BTC, mark).lacks('LiquidationStepped')
  const { value, margin, balance } = outcome.one('BackstopTookOver')
  says(2, mark, ...health(outcome), value / (lots * 10), dollars(margin), dollars(balance))
})

test('the example: the fund pays the shortfall (LIQ-5)', () => {
  const scene = trader(rich)
  const mark = markOf(3)
  const outcome = scene.mark(BTC, mark)
  const { amount } = outcome.one('InsurancePaid')
  const { value, margin } = outcome.one('BackstopTookOver')
  const price = value / (lots * 10)
  says(3, mark, ...health(outcome), whole(amount), price, margin, scene.balance('A'))
})

test('the example: traders with the opposite position pay the rest (LIQ-6)', () => {
  const scene = trader(40_000_000)
  const mark = markOf(4)
  const outcome = scene.mark(BTC, mark)
  const { amount } = outcome.one('InsurancePaid')
  const { value } = outcome.one('Deleveraged')
  const paid = value - lots * mark * 10
  const price = value / (lots * 10)
  says(4, mark, ...health(outcome), whole(amount), price, whole(paid), scene.balance('A'))
})
