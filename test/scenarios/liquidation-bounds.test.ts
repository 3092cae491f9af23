// docs/rules/liquidation.md where bounds are met exactly, and missed by one: what a random world
// hardly ever comes to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOf } from '../../src/core/solvency/scope.ts'
import { BTC, ETH, freeTiers, given, type Scene } from '../support/scene.ts'
import { boundFor, knowRules, trialRules, trialVersion } from '../support/trial-rules.ts'

const rich = 10 ** 12

/** A is long 5,000 lots at 60,000 with this balance, and B is short. */
function longWith(money: number, market = {}): Scene {
  const scene = given({ market, tiers: freeTiers, funds: { A: money, B: rich } })
  scene.buys('A', 'B', 5_000, 60_000)
  return scene
}

test('two thirds of maintenance are just enough for a step (LIQ-2)', () => {
  // At 59,100: equity 19,700,000 of a maintenance of 29,550,000.
  longWith(64_700_000)
    .mark(BTC, 59_100)
    .includes({ type: 'LiquidationStarted', equity: 19_700_000, maintenance: 29_550_000 })
    .includes({ type: 'LiquidationStepped' })
    .lacks('BackstopTookOver')
  longWith(64_699_999)
    .mark(BTC, 59_100)
    .includes({ type: 'BackstopTookOver' })
    .lacks('LiquidationStepped')
})

test('steps without a fill of an isolated position are its own (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 9, B: rich } })
  scene.buys('A', 'B', 10, 30_000, ETH)
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  scene.buys('A', 'B', 5_000, 60_000)
  for (let steps = 1; steps <= 3; steps++) {
    scene
      .later(2_500)
      .mark(BTC, 59_300)
      .includes({ type: 'LiquidationStepped' })
      .lacks('BackstopTookOver')
    const { unfilledSteps } = scene.account('A')
    assert.deepEqual([scene.position('A')?.unfilledSteps, unfilledSteps], [steps, 0])
  }
  scene.mark(BTC, 59_300).includes({ type: 'BackstopTookOver', lots: 5_000 })
})

test('a rest of just the smallest order value is not closed with the step (LIQ-3)', () => {
  // 1,468 lots of 591,500 are needed; 3,532 stay.
  const rest = 3_532 * 591_500
  const stepped = (orderValueMin: number) =>
    longWith(70_000_000, { orderValueMin }).mark(BTC, 59_150).one('LiquidationStepped').lots
  assert.deepEqual([stepped(rest), stepped(rest + 1)], [1_468, 5_000])
})

test('the limit of a step is exact to the tick at high prices too (LIQ-3)', () => {
  for (const [side, mark] of [
    ['buys', 886_500],
    ['sells', 913_500],
  ] as const) {
    const scene = given({ tiers: freeTiers, funds: { A: 1_050_000_000, B: rich } })
    scene.mark(BTC, 900_000)
    scene[side]('A', 'B', 5_000, 900_000)
    const outcome = scene.mark(BTC, mark)
    const { equity, maintenance } = outcome.one('LiquidationStarted')
    // The only position has all of the equity; the fee of a fraction of 10,000 ppm is 4,000 ppm.
    const notional = BigInt(5_000 * 10 * mark)
    assert.equal(maintenance, Number(notional / 100n))
    const bankruptcy = (BigInt(equity) * 1_000_000n) / notional - 4_000n
    // No further than half of the maintenance, and the first step half as far.
    const slip = (bankruptcy < 5_000n ? bankruptcy : 5_000n) / 2n
    const moved = BigInt(mark) * (1_000_000n + (side === 'buys' ? -slip : slip))
    const limit = (moved + (side === 'buys' ? 999_999n : 0n)) / 1_000_000n
    assert.equal(BigInt(outcome.one('LiquidationStepped').limit), limit)
  }
})

test('the fee of a step is four tenths of an uneven fraction, rounded down (LIQ-3)', () => {
  // ⌈10^6 ÷ 60⌉ = 16,667 ppm; four tenths are 6,666.8.
  const market = { leverageMax: 30 }
  const scene = given({ market, tiers: freeTiers, funds: { A: 110_000_000, B: rich } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.bid('B', 5_000, 58_750)
  const fill = scene.mark(BTC, 58_750).fills()[0]!
  assert.equal(fill.cause, 'market_liquidation')
  assert.equal(fill.fee, Math.ceil((fill.value * 6_666) / 1_000_000))
})

test('a backstop takes positions up to its maximum value, and no lot more (LIQ-4)', () => {
  const taken = (lots: number) => {
    const grid = { lotSize: { value: 1, scale: 6 }, tickMax: 2 ** 20, orderValueMax: 2 ** 52 }
    const money = 3_010_000_000_000
    const funds = { A: money, C: money, B: 10 ** 13, D: 10 ** 13 }
    const scene = given({ market: grid, markets: ['BTC'], tiers: freeTiers, funds })
    scene.buys('A', 'B', 2 ** 31, 60_000)
    scene.buys('C', 'D', lots, 60_000)
    scene.mark(BTC, 58_800)
    return scene.held('backstop-BTC')[0]
  }
  // 2^32 lots at 2^20 ticks are 2^52.
  assert.deepEqual([taken(2 ** 31 - 1), taken(2 ** 31)], [2 ** 32 - 1, 2 ** 32])
  assert.ok(taken(2 ** 31 + 1) <= 2 ** 31 + 1)
})

test('a backstop takes exactly the value of its bound, and no lot more (LIQ-4)', () => {
  const value = 5_000 * 10 * 58_800
  for (const [backstopValueMax, lots] of [
    [value, 5_000],
    [value - 1, 4_999],
    [588_000, 1],
  ] as const) {
    const outcome = longWith(70_000_000, { backstopValueMax }).mark(BTC, 58_800)
    assert.equal(outcome.one('BackstopTookOver').lots, lots)
  }
  const none = longWith(70_000_000, { backstopValueMax: 587_999 })
  none.mark(BTC, 58_800).lacks('BackstopTookOver').includes({ type: 'Deleveraged', lots: 5_000 })
})

test('a backstop that lost its bound since the first look of the day takes no more (LIQ-4)', () => {
  const day = 86_400_000
  const crash = (backstopDailyLossMax: number) => {
    const funds = { A: 70_000_000, B: rich, D: 65_000_000, E: 1_180_000, insurance: 10 ** 9 }
    const scene = given({ market: { backstopDailyLossMax }, tiers: freeTiers, funds })
    scene.buys('A', 'B', 5_000, 60_000)
    scene.mark(BTC, 58_800).includes({ type: 'BackstopTookOver', lots: 5_000 })
    scene.reserve(200_000_000).accepted()
    scene.later(day).revive(BTC)
    scene.buys('D', 'B', 5_000, 58_800)
    scene.buys('E', 'B', 100, 58_800)
    // The first look of the new day is before it takes the lots of E.
    const { margin } = scene.mark(BTC, 58_000).one('BackstopTookOver')
    return { margin, taken: scene.mark(BTC, 57_800).all('BackstopTookOver').length === 1 }
  }
  const { margin } = crash(2 ** 50)
  const loss = (5_000 + 100) * 10 * 200 - margin
  assert.deepEqual([crash(loss).taken, crash(loss - 1).taken], [true, false])
})

test('a debt is split by notional over all positions of the scope (LIQ-6)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 105_000_000, B: rich } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 499, 30_000, ETH)
  scene.mark(ETH, 29_001)
  const outcome = scene.mark(BTC, 57_001)
  const values = outcome.all('Deleveraged').map(({ market, value }) => [market, value])
  const btc = 5_000 * 10 * 57_001
  const eth = 499 * 100 * 29_001
  const debt = 5_000 * 10 * 2_999 + 499 * 100 * 999 - 105_000_000
  const part = Number((BigInt(debt) * BigInt(eth)) / BigInt(btc + eth))
  assert.deepEqual(values, [
    [BTC, btc + debt - part],
    [ETH, eth + part],
  ])
})

test('an account that left a market is not liquidated by its price (LIQ-1)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 140_000_000, B: rich } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 500, 30_000, ETH)
  scene.mark(BTC, 60_000)
  scene.sells('A', 'B', 5_000, 60_000)
  scene.mark(BTC, 60_000)
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'cancel_only' })
  scene.mark(ETH, 27_000)
  const { equity, maintenance } = scene.account('A')
  assert.ok(equity < maintenance)
  scene.mark(BTC, 50_000).lacks('LiquidationStarted')
})

test('a profit in an isolated market saves no cross position (LIQ-1)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 130_000_000, B: rich } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 500, 30_000, ETH)
  scene.mark(BTC, 66_000)
  scene.mark(ETH, 28_700).includes({ type: 'LiquidationStarted', account: scene.id('A'), scope: 0 })
})

test('a balance below zero is not covered while a cross position is open (LIQ-5)', () => {
  for (const isolated of [false, true]) {
    const scene = given({ tiers: freeTiers, funds: { A: 130_000_000, B: rich } })
    if (isolated) scene.own('A', 'SetMarginMode', { market: ETH, isolated }).accepted()
    scene.buys('A', 'B', 500, 30_000, ETH)
    scene.buys('A', 'B', 5_000, 60_000)
    scene.mark(ETH, 34_000)
    const outcome = scene.run({ type: 'SettleMarket', market: BTC, price: 57_000 })
    // A loses 150,000,000; the isolated position took 30,000,000 out of the balance.
    if (isolated) outcome.includes({ type: 'DeficitBooked', amount: 50_000_000, balance: 0 })
    else outcome.lacks('DeficitBooked')
    assert.equal(scene.balance('A'), isolated ? 0 : -20_000_000)
  }
})

test('a backstop that sold out for less than it had is paid for by the fund (LIQ-4, LIQ-5)', () => {
  for (const fund of [50_000_000, 4_000_000]) {
    const scene = longWith(70_000_000)
    scene.deposit('insurance', fund)
    scene.run({ type: 'SetFundDailyMax', dailyMax: 1_000_000 }).accepted()
    scene.mark(BTC, 58_800)
    scene.bid('B', 5_000, 58_400).accepted()
    const outcome = scene.mark(BTC, 58_601)
    const paid = Math.min(fund, 10_000_000)
    outcome.includes({ type: 'Traded' }, { type: 'InsurancePaid', amount: paid, fund: fund - paid })
    const booked = 10_000_000 - paid
    if (booked === 0) outcome.lacks('DeficitBooked')
    else outcome.includes({ type: 'DeficitBooked', amount: booked, deficit: -booked })
    assert.equal(scene.account('backstop-BTC').balance, 0)
  }
})

test('a backstop that a takeover closes below zero is covered immediately (LIQ-4, LIQ-5)', () => {
  const scene = longWith(70_000_000)
  scene.deposit('C', 200_000_000)
  scene.mark(BTC, 58_990).includes({ type: 'BackstopTookOver', margin: 14_747_500 })
  scene.sells('C', 'B', 5_000, 58_990)
  scene.buys('C', 'B', 1_000, 30_000, ETH)
  // The loss of the backstop is not settled while its market is closed.
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  scene.mark(BTC, 58_000).lacks('InsurancePaid')
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  const outcome = scene.mark(ETH, 27_700)
  const { margin, backstopBalance } = outcome
    .all('BackstopTookOver')
    .find(({ market }) => market === BTC)!
  assert.equal(backstopBalance, 14_747_500 - 990 * 50_000 + margin)
  assert.ok(backstopBalance < 0)
  const backstop = scene.id('backstop-BTC')
  outcome.includes({ type: 'DeficitBooked', account: backstop, amount: -backstopBalance })
  assert.equal(scene.balance('backstop-BTC'), 0)
})

test('a short that owes more than it is worth is closed for nothing (LIQ-5, LIQ-6)', () => {
  const scene = longWith(70_000_000)
  scene.sells('A', 'B', 10, 30_000, ETH)
  const outcome = scene.mark(BTC, 12_000)
  // The long has lost four times what it is worth now, and the short bears its share of that.
  const debt = 48_000 * 50_000 - 70_000_000
  const worth = { btc: 12_000 * 50_000, eth: 30_000 * 1_000 }
  const part = Math.floor((debt * worth.eth) / (worth.btc + worth.eth))
  assert.deepEqual(
    outcome.all('Deleveraged').map(({ market, value }) => [market, value]),
    [
      [BTC, worth.btc + debt - part],
      [ETH, 0],
    ],
  )
  outcome.includes({ type: 'DeficitBooked', account: scene.id('A'), amount: part - worth.eth })
  assert.equal(scene.balance('A'), 0)
})

test('a winner near maintenance gives last, one below zero nothing (LIQ-6)', () => {
  // A owes 400,000,000, of which 142,857,142 are of the long in BTC. B would keep 5,000 lots, and
  // needs 30,000,000 for them.
  const owed = 142_857_142
  for (const [money, ...gifts] of [
    [owed + 30_000_000, ['B', 5_000]],
    [owed + 29_999_999, ['E', 2_000], ['B', 3_000]],
    [owed, ['E', 2_000], ['B', 3_000]],
    [owed - 1, ['E', 2_000]],
  ] as const) {
    const funds = { A: 200_000_000, B: money, C: rich, D: rich, E: rich }
    const scene = given({ tiers: freeTiers, funds })
    scene.buys('A', 'B', 5_000, 60_000)
    scene.buys('D', 'B', 5_000, 60_000)
    scene.buys('D', 'E', 2_000, 60_000)
    scene.buys('A', 'C', 2_000, 30_000, ETH)
    const outcome = scene.mark(ETH, 27_000)
    const taken = outcome.all('Deleveraged').filter(({ market }) => market === BTC)
    assert.deepEqual(
      taken.map(({ counterparty, lots }) => [counterparty, lots]),
      gifts.map(([name, lots]) => [scene.id(name), lots]),
    )
  }
})

test('a winner that lacks a micro-dollar by rounding is paid it (LIQ-5, LIQ-6)', () => {
  const funds = { A: 200_000_000, B: rich, C: 10 ** 9, D: rich }
  const scene = given({ tiers: freeTiers, funds })
  scene.own('C', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  scene.buys('A', 'B', 1_000, 60_000)
  scene.buys('A', 'C', 2_000, 60_000)
  scene.buys('A', 'D', 2_000, 30_000, ETH)
  // Of the debt of 400,000,000 a quarter is of BTC. Of 1,900,000,000 C pays 1,266,666,666.67.
  const { wallet } = scene.position('C')!
  const amount = 66_666_666 - wallet
  scene.own('C', 'MoveIsolatedMargin', { market: BTC, amount }).accepted()
  const outcome = scene.mark(ETH, 27_000)
  const counterparty = scene.id('C')
  outcome.includes(
    { type: 'Deleveraged', counterparty, lots: 2_000, value: 1_266_666_667 },
    { type: 'DeficitBooked', account: counterparty, scope: BTC, amount: 1, wallet: 0 },
  )
})

test('a winner with nothing left gives after those with something left (LIQ-6)', (t) => {
  boundFor(t, { commandUnits: 1 })
  // Both win 100,000,000 and have lost 200,000,000. Of two with something left, the one with less
  // is first.
  for (const [one, other, first] of [
    [0, 1, 'Z'],
    [1, 1_000_000, 'Y'],
  ] as const) {
    const [Y, Z] = [100_000_000 + one, 100_000_000 + other]
    const funds = { A: 70_000_000, Y, Z, B: rich, insurance: 10 ** 9 }
    const scene = given({ market: { backstopValueMax: 1 }, tiers: freeTiers, funds })
    scene.buys('A', 'Y', 5_000, 60_000)
    scene.buys('B', 'Z', 5_000, 60_000)
    for (const name of ['Y', 'Z']) scene.buys(name, 'B', 500, 30_000, ETH)
    scene.run({ type: 'SetMarketMode', market: ETH, mode: 'cancel_only' })
    scene.mark(ETH, 26_000)
    // The fund has paid what A owed.
    const outcome = scene.mark(BTC, 58_000).includes({ type: 'InsurancePaid', amount: 30_000_000 })
    assert.deepEqual([scene.account('Y').equity, scene.account('Z').equity], [one, other])
    assert.equal(outcome.one('Deleveraged').counterparty, scene.id(first))
  }
})

/** Twelve longs, and five turns or takeovers a run: what a crash queues takes several commands. The
 *  last is isolated and stands a little better than the others. */
function twelveLongs(): Scene {
  knowRules(trialRules)
  const scene = given({ tiers: freeTiers, funds: { B: rich, insurance: 10 ** 9 } })
  scene.run({ type: 'SetRulesVersion', version: trialVersion }).accepted()
  for (let n = 1; n <= 11; n++) {
    scene.deposit(`L${n}`, 8_000_000)
    scene.buys(`L${n}`, 'B', 500, 60_000)
  }
  scene.deposit('L12', 50_000_000)
  scene.own('L12', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  scene.buys('L12', 'B', 500, 60_000)
  const amount = 8_000_001 - scene.position('L12')!.wallet
  scene.own('L12', 'MoveIsolatedMargin', { market: BTC, amount }).accepted()
  return scene
}

test('an account that is healthy again when its takeover comes is left alone (LIQ-4)', () => {
  for (const lacking of [0, 1]) {
    const scene = twelveLongs()
    const account = scene.id('L12')
    scene.mark(BTC, 58_450).includes({ type: 'LiquidationStarted' })
    const { equity, maintenance } = healthOf(scene.state, { account, market: BTC })
    const amount = maintenance - equity - lacking
    // The account's own turn comes before its command, its takeover after it.
    const outcome = scene.own('L12', 'MoveIsolatedMargin', { market: BTC, amount }).accepted()
    outcome.includes({ type: 'LiquidationStarted', account }, { type: 'IsolatedMarginMoved' })
    const taken = outcome.all('BackstopTookOver').map((each) => each.account)
    assert.equal(taken.includes(account), lacking === 1)
  }
})

test('there is no step in a market that was halted while the turn waited (LIQ-2)', () => {
  const scene = twelveLongs()
  scene.mark(BTC, 58_700).includes({ type: 'LiquidationStepped' })
  const outcome = scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  const counts = (['LiquidationStarted', 'LiquidationStepped'] as const).map((type) => {
    return outcome.all(type).length
  })
  assert.deepEqual(counts, [7, 5])
})

test('an account that is healthy again at its deleveraging keeps its position (LIQ-6)', (t) => {
  boundFor(t, { commandUnits: 1 })
  for (const lacking of [0, 1]) {
    const money = 70_000_000
    const scene = given({ tiers: freeTiers, funds: { A: money, C: money, D: money, B: rich } })
    for (const name of ['A', 'C', 'D']) scene.buys(name, 'B', 5_000, 60_000)
    // Deleveragings are the last step of a command: one happens now, one before the next command,
    // one after it.
    scene.mark(BTC, 58_000).includes({ type: 'Deleveraged', account: scene.id('A') })
    const { equity, maintenance } = scene.account('D')
    const outcome = scene.deposit('D', maintenance - equity - lacking)
    const accounts = outcome.all('Deleveraged').map(({ account }) => account)
    assert.deepEqual(
      accounts,
      ['C', 'D'].slice(0, 1 + lacking).map((name) => scene.id(name)),
    )
  }
})

test('with nothing left and no market that can be reached there is still a step (LIQ-2)', () => {
  const scene = longWith(60_000_000)
  // 58,800, and catching up.
  const outcome = scene.later(1_000).tick(BTC, 50_000)
  outcome.includes({ type: 'LiquidationStarted', equity: 0 }, { type: 'LiquidationStepped' })
})

test('a backstop below zero waits while its market catches up (LIQ-4)', () => {
  const scene = longWith(70_000_000)
  scene.deposit('insurance', 10 ** 9)
  scene.mark(BTC, 58_990).includes({ type: 'BackstopTookOver' })
  scene.later(1_000).tick(BTC, 50_000).lacks('InsurancePaid')
  const { equity } = scene.account('backstop-BTC')
  assert.ok(equity < 0 && scene.book(BTC).catchingUp)
  scene.mark(BTC, scene.book(BTC).mark).includes({ type: 'InsurancePaid', amount: -equity })
})
