// docs/rules/liquidation.md where it says what a mark that stands away from the oracle is worth: a
// ring that pushes it within its band hands nothing to the backstop, and buys nothing from it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Scene, type Told } from '../../support/scene.ts'

const rich = 10 ** 12

/** A is long 5,000 lots at 60,000 with so much money, and B is short. */
function longWith(money: number, market = {}, markets = ['BTC']): Scene {
  const funds = { A: money, B: rich, C: rich }
  const scene = given({ markets, tiers: freeTiers, funds, market })
  scene.buys('A', 'B', 5_000, 60_000)
  return scene
}

/** Quotes of C in a book where nobody else quotes, old enough to count, and a price. */
function pushed(scene: Scene, oracle: number, mark: number, away = 290, market = BTC) {
  scene.own('C', 'CancelAllOrders', { market, excludeReduceOnly: false })
  scene.bid('C', 100_000, mark - away, { tif: 'ALO', market }).accepted()
  scene.ask('C', 100_000, mark + away, { tif: 'ALO', market }).accepted()
  const told = scene.later(1_000).tick(market, oracle, { jump: true, external: mark * 1_000_000 })
  assert.equal(told.one('MarkUpdated').mark, mark)
  return told
}

/** How far the backstop goes with the order it places. */
function saleLimit(told: Told): number {
  const sale = told.all('OrderPlaced').find(({ origin }) => origin === 'backstop')
  assert.ok(sale !== undefined, told.toString())
  return sale.price
}

/** Of 5,000 lots at 60,000, at this mark. */
const equityAt = (balance: number, mark: number) => balance + (mark - 60_000) * 5_000 * 10

const marks = { 203: 59_010, 202: 59_150 }
const money = { 203: 67_000_000, 202: 70_000_000 }

test('case 208: what the mark is ahead of the oracle goes to the backstop, too (LIQ-4)', () => {
  const row = worked('liquidation', 208)
  const [, oracle = 0] = row.given()
  const scene = longWith(money[203])
  const { margin, balance } = pushed(scene, oracle, marks[203]).one('BackstopTookOver')
  row.says((marks[203] - oracle) * 5_000 * 10, margin, balance)
})

test('case 209: where the scope would owe at the oracle there are no more steps (LIQ-2)', () => {
  const row = worked('liquidation', 209)
  const [, oracle = 0] = row.given()
  const scene = longWith(money[202])
  const told = pushed(scene, oracle, marks[202])
  told.lacks('LiquidationStepped')
  const equity = equityAt(money[202], marks[202])
  row.says((marks[202] - oracle) * 5_000 * 10, equity, told.one('BackstopTookOver').margin)
  assert.equal(scene.balance('A'), 0)
})

/** Long ETH too, where the mark is the oracle, and taken over in both. */
function takenInBoth(oracle: number, money: number): readonly number[] {
  const scene = longWith(money, {}, ['BTC', 'ETH'])
  scene.buys('A', 'B', 500, 30_000, ETH)
  const told = pushed(scene, oracle, 58_780)
  const margins = told.all('BackstopTookOver').map(({ margin }) => margin)
  return [equityAt(money, 58_780), ...margins, scene.balance('A')]
}

test('case 211: what one position is ahead by comes before the shares of all (LIQ-4)', () => {
  const row = worked('liquidation', 211)
  const [balance = 0, , , , , mark = 0, oracle = 0, further = 0] = row.given()
  const [equity = 0, btc = 0, eth = 0, kept = 0] = takenInBoth(oracle, balance)
  const aheadAt = (price: number) => (mark - price) * 5_000 * 10
  const [, all = 0, none = 0] = takenInBoth(further, balance)
  const maintenance = [mark * 500, 15_000_000] as const
  const first = [equity, ...maintenance, aheadAt(oracle), btc, eth, kept]
  row.says(...first, aheadAt(further), all, none)
})

test('case 212: nobody waits at a pushed mark for a backstop that is full (LIQ-4, LIQ-6)', () => {
  const row = worked('liquidation', 212)
  const [, oracle = 0] = worked('liquidation', 209).given()
  const [, backstopValueMax] = row.given()
  const scene = longWith(money[202], { backstopValueMax })
  const told = pushed(scene, oracle, marks[202])
  told.lacks('LiquidationStepped').lacks('InsurancePaid')
  const { lots, value } = told.one('Deleveraged')
  row.says(equityAt(money[202], marks[202]), value, value / lots / 10, scene.balance('A'))
})

test('case 215: the fund does not pay for a mark behind the oracle (LIQ-4, LIQ-6)', () => {
  const row = worked('liquidation', 215)
  const [balance = 0, , , mark = 0, oracle = 0, backstopValueMax] = row.given()
  const scene = longWith(balance, { backstopValueMax })
  scene.deposit('insurance', rich)
  const told = pushed(scene, oracle, mark)
  const { lots, value } = told.one('Deleveraged')
  const paid = told.all('InsurancePaid').reduce((sum, { amount }) => sum + amount, 0)
  const behind = (oracle - mark) * 5_000 * 10
  const figures = [equityAt(balance, mark), behind, paid, value, value / lots / 10]
  row.says(...figures, scene.balance('A'))
})

/** What BTC and ETH are deleveraged for, and what is left; all of both is placed. */
function closedInBoth(money: number, oracles: readonly number[], marks: readonly number[]) {
  const [btcOracle = 0, ethOracle = 0] = oracles
  const [btcMark = 0, ethMark = 0] = marks
  const scene = longWith(money, { backstopValueMax: 0 }, ['BTC', 'ETH'])
  scene.buys('A', 'B', 500, 30_000, ETH)
  pushed(scene, ethOracle, ethMark, 145, ETH).lacks('LiquidationStarted')
  const told = pushed(scene, btcOracle, btcMark).lacks('InsurancePaid')
  const values = told.all('Deleveraged').map(({ value }) => value)
  return [...values, scene.balance('A')]
}

test('case 216: whom one mark favours pays for who is closed at another one (LIQ-6)', () => {
  const row = worked('liquidation', 216)
  const [rich = 0, , , , , btcMark = 0, btc = 0, ethMark = 0, eth = 0, , poor = 0] = row.given()
  const oracles = [btc, eth]
  const marks = [btcMark, ethMark]
  const [first = 0, second = 0, kept = 0] = closedInBoth(rich, oracles, marks)
  const equity = (balance: number) => equityAt(balance, btcMark) + (ethMark - 30_000) * 50_000
  const apart = [(btcMark - btc) * 50_000, (eth - ethMark) * 50_000] as const
  const rest = closedInBoth(poor, oracles, marks)
  const ticks = [first / 50_000, second / 50_000] as const
  const shown = [equity(rich), ...apart, first, ticks[0], second, ticks[1], kept]
  row.says(...shown, equity(poor), ...rest)
})

test('who closes one position does not pay what another is behind by (LIQ-6)', () => {
  const scene = longWith(90_000_000, { backstopValueMax: 0 }, ['BTC', 'ETH'])
  scene.buys('A', 'B', 500, 30_000, ETH)
  const values = pushed(scene, 58_700, 58_120)
    .all('Deleveraged')
    .map(({ value }) => value)
  assert.deepEqual(values, [58_700 * 5_000 * 10, 30_000 * 500 * 100])
})

test('a backstop that owes at a pushed mark alone is not deleveraged (LIQ-4)', () => {
  const scene = longWith(70_000_000)
  scene.mark(BTC, 58_800).includes({ type: 'BackstopTookOver', margin: 10_000_000 })
  const told = pushed(scene, 58_800, 58_300).lacks('Deleveraged')
  assert.equal(saleLimit(told), Math.ceil(58_800 * 0.995))
})

test('case 213: who is healthy at a pushed mark alone is taken over (LIQ-1, LIQ-2, LIQ-4)', () => {
  const row = worked('liquidation', 213)
  const [balance = 0, , , mark = 0, oracle = 0] = row.given()
  const scene = longWith(balance)
  const told = pushed(scene, oracle, mark)
  told.lacks('LiquidationStepped')
  const { equity, maintenance } = told.one('LiquidationStarted')
  const counted = scene.state.markets[BTC]!.longMark
  const { margin } = told.one('BackstopTookOver')
  const ahead = (mark - oracle) * 5_000 * 10
  row.says(equityAt(balance, mark), mark * 500, counted, equity, maintenance, ahead, margin)
})

test('case 214: the backstop gives away no more than a takeover brings (LIQ-4)', () => {
  const row = worked('liquidation', 214)
  const [leverageMax = 0, price = 0] = row.given()
  const funds = { A: 31_000_000, B: rich, C: rich }
  for (const liquidationConcessionPpm of [500_000, 1_000_000]) {
    const market = { leverageMax, liquidationConcessionPpm }
    const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
    scene.own('A', 'SetLeverage', { market: BTC, leverage: leverageMax })
    scene.buys('A', 'B', 5_000, 60_000)
    scene.mark(BTC, 59_400).includes({ type: 'BackstopTookOver' })
    row.says(saleLimit(scene.mark(BTC, price)))
  }
})

test('the backstop sells nothing while a price catches up (LIQ-4)', () => {
  const scene = longWith(money[203])
  scene.mark(BTC, marks[203]).includes({ type: 'BackstopTookOver' })
  scene.later(1_000).tick(BTC, 65_000).lacks('OrderPlaced')
  assert.ok(scene.state.markets[BTC]!.catchingUp)
})

test('there is no step with less at the oracle than a takeover and an hour take (LIQ-2)', () => {
  const steps = (balance: number) =>
    pushed(longWith(balance), 58_990, 59_150).all('LiquidationStepped').length
  const half = 59_150 * 250
  const needed = half + 59_150 * 62.5 + 8_000_000
  assert.equal(steps(needed + 42_500_000), 1)
  assert.equal(steps(needed + 42_500_000 - 1), 0)
})

test('whoever has next to nothing does not wait for a full backstop (LIQ-4, LIQ-6)', () => {
  const eighth = 58_810 * 62.5
  const left = (balance: number) => {
    const scene = longWith(balance + 59_500_000, { backstopValueMax: 0 })
    const told = scene.mark(BTC, 58_810)
    return [told.all('Deleveraged').length, scene.balance('A') - scene.held('A')[0] * 11_900]
  }
  assert.deepEqual(left(eighth - 1), [1, eighth - 1])
  assert.deepEqual(left(eighth), [0, eighth])
})

test('a mark that is behind the oracle changes nothing of a takeover (LIQ-4)', () => {
  const scene = longWith(money[203])
  pushed(scene, 59_300, marks[203]).includes({ type: 'BackstopTookOver', margin: 14_752_500 })
})

test('case 210: what the backstop closes at, near the better of two prices (LIQ-4)', () => {
  const rows = worked('liquidation', 210)
  const [low = 0, oracle = 0, high = 0] = rows.given()
  const sales = [
    { isLong: true, at: low },
    { isLong: false, at: high },
    { isLong: true, at: high },
    { isLong: false, at: low },
  ]
  const limits = sales.map(({ isLong, at }) => {
    const scene = given({
      markets: ['BTC'],
      tiers: freeTiers,
      funds: { A: 67_000_000, B: rich, C: rich },
    })
    if (isLong) scene.buys('A', 'B', 5_000, 60_000)
    else scene.sells('A', 'B', 5_000, 60_000)
    scene.mark(BTC, isLong ? 59_010 : 60_990).includes({ type: 'BackstopTookOver' })
    return saleLimit(pushed(scene, oracle, at))
  })
  rows.says(...limits)
})

// C keeps the mark at the edge of its band, A goes long from B there with all
// his leverage, and the price falls. B closes at the price outside, the backstop has A's position.
test('attack: a position opened at a pushed mark costs the backstop nothing (LIQ-4)', () => {
  const funds = { A: 80_000_000, B: rich, C: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  pushed(scene, 60_000, 60_600)
  scene.buys('A', 'B', 5_000, 60_600)
  const step = 30
  for (let oracle = 60_000; ; oracle -= step) {
    assert.ok(oracle > 59_000, 'it is taken over')
    const told = pushed(scene, oracle, Math.floor(oracle * 1.01), 900)
    if (!told.types().includes('BackstopTookOver')) continue
    const { lots, value, margin } = told.one('BackstopTookOver')
    const worth = lots * oracle * 10
    assert.ok(worth + margin >= value - lots * step * 10, `${worth} ${margin} ${value}`)
    break
  }
})

// A buys from B far above a pushed mark, so that he has next to nothing at the oracle, and lets the
// push end: the backstop would get a position and no margin, and sell it to B below the price.
test('attack: nobody opens at a pushed mark what falls without it (MARGIN-3, MARGIN-4)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: rich, B: rich, C: rich } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  pushed(scene, 60_000, 60_600)
  scene.own('C', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  const price = 61_190
  scene.ask('B', 5_000, price, { tif: 'ALO' }).accepted()
  const held = (at: number) => Math.ceil((price * 5_000 * 10) / 50) + (at - price) * 5_000 * 10
  assert.ok(held(60_600) > (60_600 * 5_000 * 10) / 100, 'at mark it is above maintenance')
  scene
    .bid('A', 5_000, price, { tif: 'FOK' })
    .refused('IMMEDIATE_LIQUIDATION', held(60_225), (60_600 * 5_000 * 10) / 100)
})

// For an hour the book stands above the band. A opens just before its end as far above the mark as
// he may, pays the funding to B, is taken over, and B buys from the backstop.
test('attack: who loses an hour of funding still brings what the backstop gives (MARGIN-3)', () => {
  const [price, size, samples] = [60_000, 5_000, 720]
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: rich, B: rich, C: rich } })
  const tick = (external: number) => scene.tick(BTC, price, { external: external * 1_000_000 })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  scene.bid('C', 100_000, 60_700, { tif: 'ALO' }).accepted()
  scene.ask('C', 100_000, 60_900, { tif: 'ALO' }).accepted()
  scene.quietly(() => {
    for (let sample = 1; sample < samples; sample++) {
      scene.later(5_000)
      tick(60_700)
    }
  })
  assert.equal(scene.book(BTC).mark, 60_600)
  scene.ask('B', size, 60_836).accepted()
  scene
    .bid('A', size, 60_836, { tif: 'FOK' })
    .refused('IMMEDIATE_LIQUIDATION', 30_286_000, 30_300_000)
  scene.own('B', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  scene.ask('B', size, 60_835).accepted()
  scene.bid('A', size, 60_835, { tif: 'FOK' }).includes({ type: 'Traded' })
  scene.own('C', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  scene.later(5_000)
  let told = tick(60_700)
  told.includes({ type: 'FundingFixed' })
  for (let dry = 0; !told.types().includes('BackstopTookOver'); dry++) {
    assert.ok(dry < 10, 'it is taken over')
    scene.later(3_000)
    told = tick(60_700)
  }
  const limit = saleLimit(tick(price))
  scene.bid('B', size, limit).accepted()
  assert.equal(saleLimit(tick(price)), limit)
  assert.equal(scene.held('backstop-BTC')[0], 0)
  assert.ok(scene.balance('backstop-BTC') >= 0)
})

// Above maintenance at the marks, below it at the marks as far as they count, with two positions:
// every tick of either market finds it.
test('a scope that is unhealthy at counted marks alone is queued by each market (LIQ-1)', () => {
  const funds = { A: 128_350_000, B: rich, C: rich }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 1_000, 30_000, ETH)
  const external = (mark: number) => ({ jump: true, external: mark * 1_000_000 })
  scene.bid('C', 100_000, 29_705, { tif: 'ALO', market: ETH }).accepted()
  scene.ask('C', 100_000, 29_985, { tif: 'ALO', market: ETH }).accepted()
  scene.later(1_000).tick(ETH, 29_550, external(29_845)).lacks('LiquidationStarted')
  pushed(scene, 59_100, 59_690).lacks('LiquidationStarted')
  scene.own('C', 'CancelAllOrders', { market: ETH, excludeReduceOnly: false })
  for (let turn = 0; turn < 2; turn++) {
    scene.later(1_000).tick(ETH, 29_550).includes({ type: 'LiquidationStarted' })
    pushed(scene, 59_100, 59_690).includes({ type: 'LiquidationStarted' })
  }
})

test('what a scope keeps counts for what it gives up at the oracle (LIQ-4)', () => {
  const market = { backstopValueMax: 2_000_000_000 }
  const funds = { A: 180_000_000, B: rich, C: rich }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds, market })
  scene.run({ type: 'ChangeMarket', market: BTC, change: { backstopValueMax: rich } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 2_000, 30_000, ETH)
  scene.mark(BTC, 58_200).lacks('LiquidationStarted')
  // Of 90,000,000 a mark of ETH behind the oracle leaves a third; ETH is too large to be taken, and
  // BTC goes with all of its half of maintenance.
  const told = pushed(scene, 30_000, 29_700, 145, ETH)
  told.includes({ type: 'BackstopTookOver', market: BTC, margin: 14_550_000 })
  assert.equal(scene.held('A', ETH)[0], 2_000)
})

// Two a command are deleveraged, so that the last of them has time for this.
test('a position that became cross is no isolated one that waits (LIQ-6)', () => {
  const poor = ['D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'A']
  const names = ['B', 'C', 'X', ...poor]
  const funds = Object.fromEntries(names.map((name) => [name, rich]))
  const market = { backstopValueMax: 0, bandNearPpm: 300_000 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
  scene.buys('C', 'X', 80_000, 61_000)
  for (const one of poor) {
    scene.own(one, 'SetMarginMode', { market: BTC, isolated: true }).accepted()
    scene.buys(one, 'B', 5_000, 60_000)
  }
  scene.own('A', 'MoveIsolatedMargin', { market: BTC, amount: 1 }).accepted()
  scene.bid('B', 5_000, 58_900, { tif: 'ALO' }).accepted()
  scene.ask('B', 5_000, 75_000, { tif: 'ALO' }).accepted()
  scene.mark(BTC, 58_801).includes({ type: 'Deleveraged' })
  scene.ask('A', 5_000, 58_000, { tif: 'IOC', reduceOnly: true }).includes({ type: 'Traded' })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: false }).accepted()
  scene.bid('A', 5_000, 75_000, { tif: 'IOC' }).includes({ type: 'Traded' })
  for (let more = 0; more < 5; more++) scene.wait(1)
  assert.deepEqual(scene.held('A'), [5_000, 75_000 * 5_000 * 10])
})
