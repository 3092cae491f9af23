// docs/rules/liquidation.md where it says how much a backstop takes, with what, and what becomes of
// the rest: it is closed immediately, and for no less than a takeover costs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Outcome, type Scene } from '../../support/scene.ts'
import { boundFor } from '../../support/trial-rules.ts'

const rich = 10 ** 12

/** A is long 5,000 lots at 60,000 with this balance, and B is short. */
function longWith(money: number, market = {}, markets = ['BTC']): Scene {
  const funds = { A: money, B: rich, C: rich }
  const scene = given({ markets, tiers: freeTiers, funds, market })
  scene.buys('A', 'B', 5_000, 60_000)
  return scene
}

/** How far the backstop goes with the order it places. */
function saleLimit(outcome: Outcome): number {
  const sale = outcome.all('OrderPlaced').find(({ origin }) => origin === 'backstop')
  assert.ok(sale !== undefined, outcome.toString())
  return sale.price
}

/** Balance and mark of case 203. */
function case203(): readonly [number, number] {
  const [balance = 0, , , mark = 0] = worked('liquidation', 203).given()
  return [balance, mark]
}

test('case 208: a backstop takes what fits, the rest is deleveraged (LIQ-4)', () => {
  const row = worked('liquidation', 208)
  const [balance, mark] = case203()
  const [, backstopValueMax] = row.given()
  const scene = longWith(balance, { backstopValueMax })
  const outcome = scene.mark(BTC, mark).lacks('LiquidationStepped')
  const taken = outcome.one('BackstopTookOver')
  const { lots, value, margin, fund } = outcome.one('Deleveraged')
  row.says(taken.lots, taken.margin, lots, value, margin, scene.balance('A'))
  assert.deepEqual([fund, scene.balance('insurance')], [margin, margin])
  assert.deepEqual(scene.held('backstop-BTC')[0], taken.lots)
  assert.equal(scene.balance('backstop-BTC'), taken.margin)
})

test('case 212: behind a full backstop there is no step, and nothing is for free (LIQ-6)', () => {
  const row = worked('liquidation', 212)
  const [balance, mark] = case203()
  const [, backstopValueMax] = row.given()
  const scene = longWith(balance, { backstopValueMax })
  const outcome = scene.mark(BTC, mark).lacks('LiquidationStepped').lacks('BackstopTookOver')
  const { value, margin } = outcome.one('Deleveraged')
  row.says(value, margin, scene.balance('A'))
})

test('case 214: the backstop gives away no more than a takeover brings (LIQ-4)', () => {
  const row = worked('liquidation', 214)
  const [leverageMax, mark = 0, higher] = row.given()
  const sale = (side: 'buys' | 'sells', leverage: number | undefined, concession: number) => {
    const market = { leverageMax: leverage, liquidationConcessionPpm: concession }
    const funds = { A: 67_000_000, B: rich }
    const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
    scene[side]('A', 'B', 5_000, 60_000)
    scene.mark(BTC, side === 'buys' ? 58_700 : 61_300).includes({ type: 'BackstopTookOver' })
    // Of nothing that it got it would have nothing to lose.
    scene.deposit('insurance', rich)
    scene.reserve(10 ** 9)
    return saleLimit(scene.mark(BTC, mark))
  }
  for (const concession of [500_000, 1_000_000])
    row.says(
      sale('buys', leverageMax, concession),
      sale('sells', leverageMax, concession),
      sale('buys', higher, concession),
    )
  assert.equal(sale('buys', leverageMax, 200_000), 60_000 * 0.998)
})

test('a backstop has no order in the book that its sale could meet (ORDER-5, CORE-1)', () => {
  const [balance, mark] = case203()
  const scene = longWith(balance)
  scene.mark(BTC, mark).includes({ type: 'BackstopTookOver' })
  scene.bid('backstop-BTC', 10, 59_000).refused('UNSUPPORTED_OPERATION')
  for (const ask of [false, true]) {
    // An ask that does not cross leaves the sale without a fill: it ends, and nothing of it rests.
    if (ask) scene.ask('B', 1, 70_000)
    const outcome = scene.later(3_000).mark(BTC, mark)
    const sale = outcome.all('OrderPlaced').find(({ origin }) => origin === 'backstop')!
    outcome.includes({ type: 'OrderCancelled', order: sale.order, reason: 'expired' })
    outcome.lacks('OrderRested')
  }
})

test('the backstop sells nothing while a price catches up (LIQ-4)', () => {
  const [balance, mark] = case203()
  const scene = longWith(balance)
  scene.mark(BTC, mark).includes({ type: 'BackstopTookOver' })
  scene.later(1_000).tick(BTC, 65_000).lacks('OrderPlaced')
  assert.ok(scene.state.markets[BTC]!.catchingUp)
})

test('a short, too, is taken over in part, by lots and with its sign (LIQ-4)', () => {
  const funds = { A: 67_000_000, B: rich }
  const market = { backstopValueMax: 609_900 * 2_000 + 609_899 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
  scene.sells('A', 'B', 5_000, 60_000)
  const outcome = scene.mark(BTC, 60_990)
  outcome.includes({ type: 'BackstopTookOver', lots: -2_000 }, { type: 'Deleveraged', lots: 3_000 })
  assert.deepEqual([scene.held('A')[0], scene.held('backstop-BTC')[0]], [0, -2_000])
})

test('a backstop with the other side has more room, one with this side less (LIQ-4)', () => {
  const market = { backstopValueMax: 588_000 * 6_000 }
  const funds = { A: 70_000_000, C: 70_000_000, S: 200_000_000, B: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
  for (const name of ['A', 'C']) scene.buys(name, 'B', 5_000, 60_000)
  const outcome = scene.mark(BTC, 58_800)
  assert.deepEqual(
    outcome.all('BackstopTookOver').map(({ account, lots }) => [account, lots]),
    [
      [scene.id('A'), 5_000],
      [scene.id('C'), 1_000],
    ],
  )
  // 6,000 long: at 61,000 there is room for 5,783 short ones, and for those that close.
  scene.sells('S', 'B', 8_000, 58_800)
  const taken = scene.mark(BTC, 61_000)
  taken.includes({ type: 'BackstopTookOver', account: scene.id('S'), lots: -8_000 })
  assert.equal(scene.held('backstop-BTC')[0], -2_000)
})

test('an account that a partial takeover makes healthy keeps the rest (LIQ-4)', () => {
  // Six tenths of 29,505,000: of four fifths half the maintenance goes, and two tenths stay.
  for (const lacking of [0, 1]) {
    const scene = longWith(67_203_000 - lacking, { backstopValueMax: 4_000 * 590_100 })
    const outcome = scene.mark(BTC, 59_010).includes({ type: 'BackstopTookOver', lots: 4_000 })
    assert.equal(outcome.all('Deleveraged').length, lacking)
    assert.equal(scene.held('A')[0], lacking === 0 ? 1_000 : 0)
  }
})

test('an isolated position is taken over in part, and keeps its wallet (LIQ-4)', () => {
  const funds = { A: 10 ** 9, B: rich }
  const market = { backstopValueMax: 2_000 * 591_600 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  scene.buys('A', 'B', 5_000, 60_000)
  const before = scene.balance('A')
  // 60,000,000 less 42,000,000, of a maintenance of 29,580,000.
  const outcome = scene.mark(BTC, 59_160)
  const taken = outcome.one('BackstopTookOver')
  assert.deepEqual([taken.lots, taken.margin, taken.balance], [2_000, 5_916_000, before])
  assert.equal(taken.wallet, 60_000_000 - 2_000 * 8_400 - 5_916_000)
  const rest = outcome.one('Deleveraged')
  // The wallet pays, and what is left of it goes to the balance.
  assert.deepEqual([rest.lots, rest.margin, rest.fund], [3_000, 8_874_000, 8_874_000])
  const kept = 18_000_000 - 5_916_000 - 8_874_000
  assert.deepEqual([rest.accountWallet, rest.accountBalance], [0, before + kept])
  const [, fill] = outcome.all('Filled').filter(({ account }) => account === scene.id('A'))
  assert.deepEqual([fill?.wallet, fill?.balance], [kept + 8_874_000, before])
  assert.equal(scene.position('A'), undefined)
})

test('each of several counterparties brings the margin of its lots to the fund (LIQ-6)', () => {
  for (const isolated of [false, true]) {
    const names = ['S1', 'S2', 'S3']
    const shorts = Object.fromEntries(names.map((name) => [name, 10 ** 9]))
    const funds = { ...shorts, A: 70_000_000, B: rich }
    const market = { backstopValueMax: 0 }
    const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
    if (isolated) {
      scene.own('A', 'SetMarginMode', { market: BTC, isolated }).accepted()
      scene.own('S2', 'SetMarginMode', { market: BTC, isolated }).accepted()
    }
    for (const [at, name] of names.entries()) scene.buys('A', name, 1_001 + at, 60_000)
    const { wallet = 0 } = scene.position('A') ?? {}
    const money = isolated ? wallet : 70_000_000
    const mark = isolated ? 59_160 : 57_900
    const outcome = scene.mark(BTC, mark)
    const equity = money - 3_006 * (60_000 - mark) * 10
    const maintenance = (3_006 * mark) / 10
    assert.ok(equity > 0)
    outcome.includes({ type: 'LiquidationStarted', equity, maintenance: Math.ceil(maintenance) })
    const gifts = outcome.all('Deleveraged')
    let fund = 0
    for (const { lots, margin, ...gift } of gifts) {
      const part = Math.floor((Math.ceil(maintenance) * lots) / 3_006)
      const share = Math.floor((equity * part) / Math.ceil(maintenance))
      assert.equal(margin, Math.min(Math.floor(part / 2), share))
      fund += margin
      assert.deepEqual([gift.fund, gift.deficit], [fund, 0])
      // Until the last one an isolated wallet stays what it is for.
      const last = gift.accountLots === 0
      assert.equal(gift.accountWallet > 0, isolated && !last)
    }
    assert.equal(gifts.length, 3)
    assert.equal(scene.balance('insurance'), fund)
    const before = isolated ? 70_000_000 - wallet : 0
    assert.equal(scene.balance('A'), before + equity - fund)
  }
})

test('the margin of a deleveraging fills the deficit first (LIQ-5, LIQ-6)', () => {
  const funds = { A: 67_000_000, D: 12_000_000, B: rich }
  const market = { backstopValueMax: 0 }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds, market })
  scene.buys('D', 'B', 200, 30_000, ETH)
  scene.buys('A', 'B', 5_000, 60_000)
  // D owes 10,000,000.
  const settled = scene.run({ type: 'SettleMarket', market: ETH, price: 28_900 })
  settled.includes({ type: 'DeficitBooked', amount: 10_000_000 })
  const { margin, fund, deficit } = scene.mark(BTC, 59_010).one('Deleveraged')
  assert.deepEqual([margin, fund, deficit], [14_752_500, 4_752_500, 0])
})

test('an account without equity pays no margin for being deleveraged (LIQ-6)', () => {
  const scene = longWith(70_000_000, { backstopValueMax: 0 })
  const { margin, fund, value } = scene.mark(BTC, 58_500).one('Deleveraged')
  // 5,000,000 are owed, and paid by the short.
  assert.deepEqual([margin, fund, value], [0, 0, 2_925_000_000 + 5_000_000])
})

test('after three dry steps a full backstop means deleveraging (LIQ-2, LIQ-4)', () => {
  const scene = longWith(70_000_000, { backstopValueMax: 0 })
  for (let dry = 0; dry < 3; dry++)
    scene.later(2_500).mark(BTC, 59_150).includes({ type: 'LiquidationStepped' })
  const outcome = scene.later(2_500).mark(BTC, 59_150).lacks('LiquidationStepped')
  outcome.includes({ type: 'Deleveraged', lots: 5_000, value: 2_957_500_000, margin: 14_787_500 })
  assert.equal(scene.balance('A'), 27_500_000 - 14_787_500)
})

test('a deleveraged position pays by the maintenance of its whole scope (LIQ-6)', () => {
  const scene = longWith(70_000_000, { backstopValueMax: 0 }, ['BTC', 'ETH'])
  scene.buys('A', 'B', 1, 30_000, ETH)
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'halted' }).accepted()
  const outcome = scene.mark(BTC, 58_800)
  const { margin } = outcome.one('Deleveraged')
  assert.equal(margin, Math.floor((10_000_000 * 29_400_000) / 29_430_000))
  assert.deepEqual(scene.held('A', ETH), [1, 3_000_000])
})

test('a backstop below zero pays no margin when it is deleveraged (LIQ-4, LIQ-6)', () => {
  const scene = longWith(70_000_000)
  scene.mark(BTC, 58_800).includes({ type: 'BackstopTookOver', margin: 10_000_000 })
  const outcome = scene.mark(BTC, 58_500).lacks('InsurancePaid').lacks('OrderPlaced')
  const backstop = scene.id('backstop-BTC')
  outcome.includes({
    ...{ type: 'Deleveraged', account: backstop, counterparty: scene.id('B'), lots: 5_000 },
    ...{ value: 2_930_000_000, accountBalance: 0, margin: 0, fund: 0, deficit: 0 },
  })
})

// C keeps a private book ten percent above the price. That moved the mark within its band, and
// with it who was liquidated, at what, and what the backstop got.
test('attack: quotes in an otherwise empty book liquidate no account (LIQ-1, PRICE-2)', () => {
  const scene = longWith(67_000_000)
  scene.bid('C', 100_000, 53_000, { tif: 'ALO' }).accepted()
  scene.ask('C', 100_000, 53_100, { tif: 'ALO' }).accepted()
  scene.sells('C', 'B', 10, 53_050)
  for (let turn = 0; turn < 20; turn++)
    scene.later(3_000).tick(BTC, 60_000).lacks('LiquidationStarted')
  assert.equal(scene.book().mark, 60_000)
  // Where another account quotes, the takeover is at the price outside.
  const outcome = scene.mark(BTC, 59_010)
  outcome.includes({ type: 'BackstopTookOver', value: 2_950_500_000, margin: 14_752_500 })
})

// Two a command are deleveraged, so that the last of them has time for this.
test('a position that became cross does not wait as an isolated one (LIQ-6)', (t) => {
  boundFor(t, { commandUnits: 1 })
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
  // The deleveraging before it has used the unit of each command: the order runs in the next one.
  scene.ask('A', 5_000, 58_000, { tif: 'IOC', reduceOnly: true }).lacks('Traded')
  const change = scene.own('A', 'SetMarginMode', { market: BTC, isolated: false })
  change.accepted().includes({ type: 'Traded' })
  scene.bid('A', 5_000, 75_000, { tif: 'IOC' }).lacks('Traded')
  scene.wait(1).includes({ type: 'Traded' })
  for (let more = 0; more < 4; more++) scene.wait(1)
  assert.deepEqual(scene.held('A'), [5_000, 75_000 * 5_000 * 10])
})
