// docs/rules/margin.md through both engines: fractions, requirement, equity, the two checks,
// isolated margin, what can be withdrawn, leverage and mode.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaledFraction } from '../../src/core/margin/margin.ts'
import type { Market } from '../../src/core/state/market.ts'
import { worked } from '../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, paidTiers, type Scene, SOL } from '../support/scene.ts'
import { accountOf, marketOf } from '../twin/core/lookup.ts'
import { liquidationPrice } from '../twin/liquidation/liquidation.ts'
import { scaledFraction as naiveFraction } from '../twin/margin/margin.ts'

const rich = { A: 10 ** 11, B: 10 ** 12 }
const setTiers = (scene: Scene, tiers: typeof paidTiers) => {
  scene.run({ type: 'SetFeeTiers', tiers }).accepted()
}
const isolate = (scene: Scene, name: string, market = BTC) => {
  scene.own(name, 'SetMarginMode', { market, isolated: true }).accepted()
}

test('the initial fraction is 1 ÷ leverage, rounded up (MARGIN-1)', () => {
  const scene = given({ tiers: freeTiers, funds: rich })
  const needs = (leverage: number) => {
    scene.own('A', 'SetLeverage', { market: BTC, leverage }).accepted()
    return scene.position('A')?.requirement
  }
  scene.bid('A', 100, 60_000)
  assert.equal(scene.position('A')?.requirement, 1_200_000)
  // ⌈10^6 ÷ 3⌉ = 333,334 ppm of 60,000,000
  assert.equal(needs(3), 20_000_040)
  assert.equal(needs(7), 8_571_480)
})

test('above the lower bound the fraction grows with open interest, tick by tick (MARGIN-1)', () => {
  const bounds = { openInterestLower: 600_000_000, openInterestUpper: 1_200_000_000 }
  const scene = given({ market: bounds, tiers: freeTiers, funds: rich })
  scene.buys('A', 'B', 1_500, 60_000)
  assert.equal(scene.position('A')?.requirement, 18_000_000)
  // 900 of 600..1,200: half of the way from 2 % to 100 %.
  scene.mark(BTC, 60_000)
  assert.equal(scene.position('A')?.requirement, 459_000_000)
  scene.sells('A', 'B', 1_400, 60_000)
  assert.equal(scene.position('A')?.requirement, 30_600_000)
  scene.mark(BTC, 60_000)
  assert.equal(scene.position('A')?.requirement, 1_200_000)
})

test('a stale feed does not change the initial fraction (MARGIN-1)', () => {
  const scene = given({ tiers: freeTiers, funds: rich })
  scene.buys('A', 'B', 100, 60_000)
  scene.wait(10_001)
  assert.equal(scene.position('A')?.requirement, 1_200_000)
})

/** A mark that comes while the market is closed: no account is queued for liquidation. */
function markUnseen(scene: Scene, ticks: number): void {
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  scene.mark(BTC, ticks).lacks('LiquidationStarted')
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
}

test('maintenance has tiers, continuous by their deductions (MARGIN-1)', () => {
  const riskTiers = [
    { fromValue: 1_000_000_000, maxLeverage: 25 },
    { fromValue: 2_000_000_000, maxLeverage: 10 },
  ]
  const scene = given({ market: { riskTiers }, tiers: freeTiers, funds: rich })
  const keeps = (lots: number) => {
    scene.buys('A', 'B', lots, 60_000)
    return scene.account('A').maintenance
  }
  // 600 M: 1 %. 1,200 M: 2 % − 10 M. 3,000 M: 5 % − 10 M − 60 M.
  assert.equal(keeps(1_000), 6_000_000)
  assert.equal(keeps(1_000), 14_000_000)
  assert.equal(keeps(3_000), 80_000_000)
})

test('a requirement is margin of the worst case, its fee, and entry losses (MARGIN-2)', () => {
  const scene = given({ funds: rich })
  scene.bid('A', 100, 60_100)
  // 2 % and 400 ppm of 60,000,000, and 100 ticks a lot.
  assert.equal(scene.position('A')?.requirement, 1_200_000 + 24_000 + 100_000)
  scene.ask('A', 300, 61_000)
  assert.equal(scene.position('A')?.requirement, 3_600_000 + 72_000 + 100_000)
  scene.mark(BTC, 60_100)
  // The entry loss stays as it was counted.
  assert.equal(scene.position('A')?.requirement, 3_606_000 + 72_120 + 100_000)
})

test('an isolated market requires margin only for orders that would add (MARGIN-2)', () => {
  const scene = given({ tiers: freeTiers, funds: rich })
  isolate(scene, 'A')
  scene.buys('A', 'B', 1_000, 60_000)
  assert.equal(scene.position('A')?.requirement, 0)
  scene.bid('A', 100, 59_000)
  assert.equal(scene.position('A')?.requirement, 1_200_000)
  scene.ask('A', 900, 61_000)
  assert.equal(scene.position('A')?.requirement, 1_200_000)
})

test('cross equity is balance and cross profit; an isolated scope is its own (MARGIN-3)', () => {
  const scene = given({ tiers: freeTiers, funds: rich })
  isolate(scene, 'A', SOL)
  scene.buys('A', 'B', 1_000, 60_000)
  scene.sells('A', 'B', 1_000, 30_000, ETH)
  scene.buys('A', 'B', 1_000, 30_000, SOL)
  scene.mark(BTC, 60_100)
  scene.mark(ETH, 30_100)
  scene.mark(SOL, 29_900)
  const { balance, equity, maintenance } = scene.account('A')
  assert.equal(balance, 10 ** 11 - 60_000_000)
  assert.equal(equity, balance + 1_000_000 - 10_000_000)
  assert.equal(maintenance, 6_010_000 + 30_100_000)
})

test('an order that the account could not carry is refused with both numbers (MARGIN-4)', () => {
  const scene = given({ funds: { A: 1_000_000, B: 10 ** 12 } })
  scene.bid('A', 100, 60_000).refused('INSUFFICIENT_BALANCE', 1_224_000, 1_000_000)
  scene.ask('B', 100, 60_500)
  // It would take: 5,000 ticks of loss and a fee of 24,200 against 1,200,000.
  const crossing = scene.bid('A', 100, 60_500, { tif: 'IOC' })
  crossing.refused('INSUFFICIENT_BALANCE', 1_200_000, 1_000_000 - 500_000 - 24_200)
})

test('an FOK that cannot be filled needs no margin (MARGIN-4)', () => {
  const scene = given({ funds: { A: 1_000_000 } })
  scene
    .bid('A', 100, 60_000, { tif: 'FOK' })
    .emits({ type: 'OrderPlaced' }, { type: 'OrderCancelled', reason: 'expired' })
})

test('opening isolated needs margin and fee from the withdrawable amount (MARGIN-4)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 100_000_000, B: 10 ** 12 } })
  isolate(scene, 'A')
  // A cross position of 900 M holds back a tenth of its value.
  scene.buys('A', 'B', 300, 30_000, ETH)
  scene.ask('B', 1_000, 60_000)
  const order = scene.bid('A', 1_000, 60_000, { tif: 'IOC' })
  order.refused('INSUFFICIENT_BALANCE', 12_000_000, 10_000_000)
  // With the rest of the cross equity too small for the requirements, those are the numbers.
  scene.sells('A', 'B', 300, 30_000, ETH)
  const large = scene.bid('A', 9_000, 60_000)
  large.refused('INSUFFICIENT_BALANCE', 96_000_000, 88_000_000)
})

test('an isolated order needs exactly its own margin on top of other orders (MARGIN-4)', () => {
  // 2 % of 600,000,000 to move, and 2 % of 30,000,000 for the bid in the other market.
  for (const [money, lacks] of [
    [12_600_000, false],
    [12_599_999, true],
  ] as const) {
    const scene = given({ tiers: freeTiers, funds: { A: money, B: 10 ** 12 } })
    isolate(scene, 'A')
    scene.bid('A', 10, 30_000, { market: ETH }).accepted()
    scene.ask('B', 1_000, 60_000)
    const order = scene.bid('A', 1_000, 60_000, { tif: 'IOC' })
    if (lacks) order.refused('INSUFFICIENT_BALANCE', 600_000, 599_999)
    else assert.deepEqual([scene.balance('A'), scene.held('A')[0]], [600_000, 1_000])
  }
})

test('an isolated position has its initial margin, the fill’s loss set aside (MARGIN-4)', () => {
  const scene = given({ tiers: freeTiers, funds: rich })
  isolate(scene, 'A')
  scene.buys('A', 'B', 1_000, 60_000)
  scene.mark(BTC, 59_700)
  scene.ask('B', 100, 59_700)
  // Wallet 12,000,000 − 3,000,000 unrealised, + 1,194,000 moved; 2 % of 1,100 lots is 13,134,000.
  const order = scene.bid('A', 100, 59_700, { tif: 'IOC' })
  order.refused('INSUFFICIENT_BALANCE', 13_134_000, 10_194_000)
})

test('a flip has to pay the fees of both of its parts (MARGIN-4)', () => {
  // 240,000 for each 1,000 lots: those bought, closed and opened; 12,000,000 for what is open.
  for (const [money, flips] of [
    [12_720_000, true],
    [12_719_999, false],
  ] as const) {
    const scene = given({ funds: { A: money, B: 10 ** 12 } })
    scene.buys('A', 'B', 1_000, 60_000)
    scene.bid('B', 2_000, 60_000)
    const outcome = scene.ask('A', 2_000, 60_000, { tif: 'IOC' })
    if (!flips) outcome.refused('INSUFFICIENT_BALANCE', 12_000_000, 11_999_999)
    assert.equal(scene.held('A')[0], flips ? -1_000 : 1_000)
  }
})

test('the margin a flip of an isolated position frees pays for the new one (MARGIN-4)', () => {
  // The wallet has 12,000,000, and 1,000 lots at 60,000 need just that; a tick lower 10,000 are
  // lost, and 200 fewer are needed.
  for (const [price, flips] of [
    [61_000, true],
    [60_000, true],
    [59_999, false],
  ] as const) {
    const scene = given({ tiers: freeTiers, funds: { A: 12_000_000, B: 10 ** 12 } })
    isolate(scene, 'A')
    scene.buys('A', 'B', 1_000, 60_000)
    assert.equal(scene.balance('A'), 0)
    scene.mark(BTC, price)
    scene.bid('B', 2_000, price)
    const outcome = scene.ask('A', 2_000, price, { tif: 'IOC' })
    if (!flips) outcome.refused('INSUFFICIENT_BALANCE', 0, -9_800)
    assert.equal(scene.held('A')[0], flips ? -1_000 : 1_000)
  }
})

test('a flip may not leave the closed wallet in debt (MARGIN-4)', () => {
  const scene = given({ funds: rich })
  isolate(scene, 'A')
  scene.buys('A', 'B', 1_000, 60_000)
  scene.bid('B', 2_000, 58_000)
  // 12,000,000 in the wallet, −20,000,000 realised, and a fee of 232,000.
  for (const lots of [1_500, 1_001]) {
    const order = scene.ask('A', lots, 58_000, { tif: 'IOC' })
    order.refused('INSUFFICIENT_BALANCE', 8_232_000, 0)
  }
})

test('a flip that loses its whole wallet frees no margin for the new position (MARGIN-4)', () => {
  // No account is liquidated. 58,800 leaves nothing of the wallet.
  for (const [money, flips] of [
    [11_760_000, true],
    [11_759_999, false],
  ] as const) {
    const scene = given({ tiers: freeTiers, funds: { A: 12_000_000 + money, B: 10 ** 12 } })
    isolate(scene, 'A')
    scene.buys('A', 'B', 1_000, 60_000)
    markUnseen(scene, 58_800)
    scene.bid('B', 2_000, 58_800)
    const outcome = scene.ask('A', 2_000, 58_800, { tif: 'IOC' })
    if (!flips) outcome.refused('INSUFFICIENT_BALANCE', 0, -1)
    assert.deepEqual(scene.held('A')[0], flips ? -1_000 : 1_000)
  }
})

test('margin freed by a flip may make the cross account healthy again (MARGIN-4)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 37_000_000, B: 10 ** 12 } })
  isolate(scene, 'A')
  scene.buys('A', 'B', 1_000, 60_000)
  scene.buys('A', 'B', 200, 30_000, ETH)
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'cancel_only' })
  scene.mark(ETH, 29_000)
  const { equity, maintenance } = scene.account('A')
  assert.deepEqual([equity, maintenance], [5_000_000, 5_800_000])
  scene.mark(BTC, 66_000)
  scene.bid('B', 2_000, 66_000)
  // 12,000,000 and the 60,000,000 it has won.
  scene.ask('A', 2_000, 66_000, { tif: 'IOC' }).accepted()
  assert.equal(scene.held('A')[0], -1_000)
})

test('a maker without margin for its fill is cancelled, the next one fills (MARGIN-5)', () => {
  const scene = given({ tiers: freeTiers, funds: { ...rich, C: 5_000_000 } })
  scene.buys('C', 'B', 200, 60_000)
  scene.bid('C', 200, 60_000)
  scene.bid('B', 200, 60_000)
  scene.mark(BTC, 59_000)
  scene
    .ask('A', 200, 60_000, { tif: 'IOC' })
    .includes(
      { type: 'OrderCancelled', account: scene.id('C'), reason: 'margin' },
      { type: 'Traded', maker: scene.id('B'), lots: 200 },
    )
})

test('a taker without margin for the next fill keeps its fills and ends (MARGIN-5)', () => {
  const scene = given({ market: { orderValueMin: 1 }, funds: { B: 10 ** 12, C: 24_501 } })
  for (let n = 0; n < 2; n++) scene.ask('B', 1, 60_001)
  // As one fill the fee is 481 and 24,000 are left, which is enough; as two it is 241 twice.
  scene
    .bid('C', 2, 60_001)
    .emits(
      { type: 'OrderPlaced' },
      { type: 'Traded', lots: 1, takerRemaining: 1, takerFee: 241 },
      { type: 'OrderCancelled', account: scene.id('C'), remaining: 1, reason: 'margin' },
    )
})

// A lot of 101 micro-dollars pays a fee of 1, far above its rate: there the number of fills counts.
test('margin is checked again at each fill of an account (MARGIN-5)', () => {
  const leverageMax = 7
  const market = { leverageMax, orderValueMin: 1, lotSize: { value: 1, scale: 6 } }
  const tiers = [{ volumeDollars: 0, makerPpm: 0, takerPpm: 1 }]
  const scene = given({ market, markets: ['BTC'], tiers, funds: { B: 10 ** 9 } })
  scene.mark(BTC, 101)
  const margin = Math.ceil((Math.ceil(1_000_000 / leverageMax) * 20 * 101) / 1_000_000)
  const filled: number[] = []
  for (let money = margin; money < margin + 32; money++) {
    const name = `${money}`
    scene.deposit(name, money)
    // With an order behind it the account's fees are known.
    const { order } = scene.bid(name, 1, 90).one('OrderPlaced')
    scene.cancel(name, order)
    scene.quietly(() => {
      for (let lot = 0; lot < 20; lot++) scene.ask('B', 1, 101)
    })
    scene.bid(name, 20, 101, { tif: 'IOC' })
    filled.push(scene.held(name)[0])
    scene.own('B', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  }
  // Margin, a fee for each of the 20 fills, and no more.
  assert.deepEqual(
    [filled[19], filled[20]].map((lots) => lots === 20),
    [false, true],
  )
})

test('an order that only reduces has its limit moved to where closing is sound (MARGIN-5)', () => {
  const scene = given({ funds: { A: 70_000_000, B: 10 ** 12 } })
  scene.buys('A', 'B', 5_000, 60_000)
  // 68,800,000 left; all of it may be lost, with the fee, but no more.
  const { price } = scene.ask('A', 5_000, 50_000).one('OrderPlaced')
  const leaves = (at: number) => {
    const value = 5_000 * at * 10
    return 68_800_000 + value - 3_000_000_000 - Math.ceil((value * 400) / 1_000_000)
  }
  assert.ok(leaves(price) >= 0 && leaves(price - 1) < 0)
  assert.equal(price, 58_648)
})

test('where no price is sound an order that only reduces is refused (MARGIN-5)', () => {
  const scene = given({ markets: [], funds: { A: 100_000_000, B: 10 ** 12 } })
  scene.list('BTC', { tickMin: 60_000 })
  scene.list('ETH')
  scene.sells('A', 'B', 1_000, 60_000)
  scene.buys('A', 'B', 700, 30_000, ETH)
  // Stale feeds: no account is liquidated, and trading continues.
  scene.run({ type: 'EngineStarted' })
  scene.mark(ETH, 28_000)
  const { equity } = scene.account('A')
  assert.equal(equity, 100_000_000 - 240_000 - 840_000 - 140_000_000)
  const close = scene.bid('A', 1_000, 60_000, { reduceOnly: true })
  close.refused('INSUFFICIENT_BALANCE', 0, equity)
})

test('the last position may be closed down to nothing, and no further (MARGIN-5)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 70_000_000, B: 10 ** 12 } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.bid('B', 5_000, 58_600)
  // 1,400 ticks of 50,000 are all it has.
  const outcome = scene.ask('A', 5_000, 58_599, { reduceOnly: true })
  assert.equal(outcome.one('OrderPlaced').price, 58_600)
  assert.deepEqual([scene.held('A'), scene.balance('A')], [[0, 0], 0])
})

test('below maintenance a part may be closed for its share of the equity (MARGIN-5)', () => {
  for (const lots of [5_000, 2_500]) {
    const scene = given({ tiers: freeTiers, funds: { A: 70_000_000, B: 10 ** 12 } })
    scene.buys('A', 'B', 5_000, 60_000)
    // No account is liquidated. 20,000,000 is left, which is 400 ticks of all lots.
    markUnseen(scene, 59_000)
    scene.bid('B', 5_000, 58_600)
    const outcome = scene.ask('A', lots, 58_599, { reduceOnly: true, tif: 'IOC' })
    assert.equal(outcome.one('OrderPlaced').price, 58_600)
    assert.equal(scene.held('A')[0], 5_000 - lots)
  }
})

test('an unhealthy cross account opens nothing isolated, whatever it has (MARGIN-4)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 8, B: 10 ** 12 } })
  scene.buys('A', 'B', 500, 30_000, ETH)
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.run({ type: 'SetMarketMode', market: ETH, mode: 'cancel_only' })
  scene.mark(ETH, 28_100)
  const { equity, maintenance } = scene.account('A')
  assert.ok(equity < maintenance)
  scene.ask('B', 10, 60_000)
  scene.bid('A', 10, 60_000).refused('INSUFFICIENT_BALANCE', 28_100_000, 4_880_000)
})

test('closing an isolated position gives back its share of the wallet (MARGIN-6)', () => {
  const scene = given({ tiers: freeTiers, funds: rich })
  isolate(scene, 'A')
  scene.buys('A', 'B', 3_000, 60_000)
  assert.equal(scene.position('A')?.wallet, 36_000_000)
  scene.sells('A', 'B', 1_000, 60_100)
  assert.equal(scene.position('A')?.wallet, 24_000_000)
  assert.equal(scene.balance('A'), 10 ** 11 - 24_000_000 + 1_000_000)
  scene.sells('A', 'B', 2_000, 59_900)
  assert.equal(scene.balance('A'), 10 ** 11 - 1_000_000)
})

test('isolated margin can be added, and the free part removed (MARGIN-6)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 20_000_000, B: 10 ** 12 } })
  const move = (amount: number) => scene.own('A', 'MoveIsolatedMargin', { market: BTC, amount })
  move(1).refused('POSITION_NOT_FOUND')
  isolate(scene, 'A')
  scene.buys('A', 'B', 1_000, 60_000)
  move(0).refused('INVALID_AMOUNT', 0)
  move(0.5).refused('INVALID_AMOUNT', 0)
  move(8_000_001).refused('INSUFFICIENT_BALANCE', 8_000_001, 8_000_000)
  const added = { amount: 5_000_000, wallet: 17_000_000, balance: 3_000_000 }
  move(5_000_000).emits({ type: 'IsolatedMarginMoved', ...added })
  scene.mark(BTC, 59_900)
  // 17,000,000 − 1,000,000 − 2 % of 599,000,000
  move(-4_020_001).refused('INSUFFICIENT_BALANCE', 4_020_001, 4_020_000)
  move(-4_020_000).emits({ type: 'IsolatedMarginMoved', wallet: 12_980_000, balance: 7_020_000 })
  scene.wait(10_001)
  move(-1).refused('WITHDRAWAL_BLOCKED')
  move(1).emits({ type: 'IsolatedMarginMoved', wallet: 12_980_001 })
})

test('a cross position has no margin of its own to move (MARGIN-6)', () => {
  const scene = given({ funds: rich })
  scene.buys('A', 'B', 100, 60_000)
  const move = { market: BTC, amount: 1_000_000 }
  scene.own('A', 'MoveIsolatedMargin', move).refused('CANNOT_UPDATE_MARGIN')
  scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen: true })
  scene.own('A', 'MoveIsolatedMargin', move).refused('TRADING_DISABLED')
})

test('profit cannot be withdrawn, losses and a tenth of the positions stay (MARGIN-7)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 100_000_000, B: 10 ** 12 } })
  scene.buys('A', 'B', 1_000, 60_000)
  assert.equal(scene.account('A').withdrawable, 40_000_000)
  scene.mark(BTC, 61_000)
  assert.equal(scene.account('A').withdrawable, 39_000_000)
  scene.mark(BTC, 59_000)
  assert.equal(scene.account('A').withdrawable, 100_000_000 - 10_000_000 - 59_000_000)
})

test('nothing leaves while the account is unhealthy (MARGIN-7)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 100_000_000, B: 10 ** 12 } })
  const withdraw = () => scene.own('A', 'Withdraw', { amount: 1_000_000 })
  scene.buys('A', 'B', 1_000, 60_000)
  withdraw().accepted()
  // Unhealthy, but not liquidated while the market is halted.
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  scene.mark(BTC, 50_500)
  withdraw().refused('WITHDRAWAL_BLOCKED')
})

test('leverage may rise, and fall if equity allows, with a position too (MARGIN-8)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10_000_000, B: 10 ** 12 } })
  const set = (leverage: number) => scene.own('A', 'SetLeverage', { market: BTC, leverage })
  set(0).refused('INVALID_LEVERAGE', 0, 1, 50)
  set(51).refused('INVALID_LEVERAGE', 51, 1, 50)
  set(2.5).refused('INVALID_LEVERAGE', 0, 1, 50)
  set(20).emits({ type: 'LeverageSet', leverage: 20 })
  scene.bid('A', 100, 60_000)
  set(5).refused('INSUFFICIENT_BALANCE', 12_000_000, 10_000_000)
  set(6).refused('INSUFFICIENT_BALANCE', 10_000_020, 10_000_000)
  set(7).accepted()
  scene.ask('B', 100, 60_000)
  set(6).refused('INSUFFICIENT_BALANCE', 10_000_020, 10_000_000)
  set(50).accepted()
  set(7).accepted()
  set(10).emits({ type: 'LeverageSet', leverage: 10 })
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  set(10).refused('TRADING_DISABLED')
})

test('the margin mode changes only where the account has nothing (MARGIN-8)', () => {
  const scene = given({ markets: ['BTC'], funds: rich })
  scene.list('ETH', { isolatedOnly: true })
  const set = (isolated: boolean, market = BTC) => {
    return scene.own('A', 'SetMarginMode', { market, isolated })
  }
  set(true).emits({ type: 'MarginModeSet', isolated: true })
  const { order } = scene.bid('A', 100, 59_000).one('OrderPlaced')
  set(false).refused('CANNOT_UPDATE_MARGIN')
  set(true).emits({ type: 'MarginModeSet', isolated: true })
  scene.cancel('A', order)
  set(false).emits({ type: 'MarginModeSet', isolated: false })
  set(true, ETH).accepted()
  set(false, ETH).refused('CANNOT_UPDATE_MARGIN')
})

test('case 7: isolated, its closes, and a gap (MARGIN-9)', () => {
  const row = worked('margin', 7)
  const [leverage = 0, funds = 0, lots = 0, price = 0, closed = 0, lower = 0] = row.given()
  const scene = given({ funds: { A: funds, B: 5 * 10 ** 11, insurance: 10 ** 9 } })
  isolate(scene, 'A', ETH)
  scene.own('A', 'SetLeverage', { market: ETH, leverage })
  const open = scene.buys('A', 'B', lots, price, ETH).fills()[0]!
  const wallet = scene.position('A', ETH)!.wallet
  const opened = [open.value, funds - scene.balance('A'), open.fee, wallet, scene.balance('A')]

  scene.mark(ETH, lower)
  const before = scene.balance('A')
  const close = scene.sells('A', 'B', closed, lower, ETH).fills()[0]!
  const left = scene.position('A', ETH)!
  const closing = [
    wallet - left.wallet,
    close.pnl + close.fee,
    close.fee,
    scene.balance('A') - before,
    left.wallet,
    scene.balance('A'),
    left.cost,
  ]

  const reduce = { market: ETH, tif: 'IOC', reduceOnly: true }
  const { price: limit } = scene.ask('A', left.lots, 28_000, reduce).one('OrderPlaced')
  const out = (at: number) => {
    const value = left.lots * at * 100
    return left.wallet + value - left.cost - Math.ceil((value * 400) / 1_000_000)
  }
  const moved = [left.lots, limit, out(limit), limit - 1, out(limit - 1)]

  const balance = scene.balance('A')
  const gap = scene.mark(ETH, 28_400)
  const took = gap.one('BackstopTookOver')
  const { equity } = gap.one('LiquidationStarted')
  const ending = [equity, gap.one('InsurancePaid').amount, took.lots, took.value]
  assert.equal(scene.balance('A'), balance)
  row.says(...opened, ...closing, ...moved, 28_400, ...ending)
})

test('case 12: requirement, withdrawable, liquidation price (MARGIN-9)', () => {
  const row = worked('margin', 12)
  const [funds = 0, lots = 0, price = 0, leverage = 0, buys = 0, sells = 0, mark = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { A: funds, S: funds } })
  for (const name of ['A', 'S']) scene.own(name, 'SetLeverage', { market: BTC, leverage })
  scene.buys('A', 'S', lots, price)
  setTiers(scene, paidTiers)
  scene.bid('A', buys, 59_000)
  scene.ask('A', sells, 61_000)
  scene.mark(BTC, mark)
  const { equity, withdrawable, positions } = scene.account('A')
  const requirement = positions[0]!.requirement
  const value = (n: number) => n * mark * 10
  const worst = Math.max(lots + buys, Math.abs(lots - sells))
  const fee = (Math.max(buys, sells) * mark * 10 * 400) / 1_000_000
  const market = marketOf(scene.naive, BTC)
  const shown = (name: string) => {
    return liquidationPrice(scene.naive, accountOf(scene.naive, scene.id(name)), market)!
  }
  // (−E + lots·K·mark) ÷ (K·lots·0.99), in hundredths.
  const exact = Math.floor(((value(lots) - equity) * 100) / (lots * 10 * 0.99)) / 100
  const [bound, interest] = [5n * 10n ** 14n, 65n * 10n ** 13n + 1n]
  const [openInterestLower, openInterestUpper] = [Number(bound), Number(2n * bound)]
  const params = { openInterestLower, openInterestUpper }
  const scaled = { interestLots: Number(interest), lotValue: 1, params }
  const fraction = scaledFraction(scaled as unknown as Market, 20_000)
  assert.equal(naiveFraction(20_000n, interest, bound, 2n * bound), BigInt(fraction))
  row.says(
    ...[worst, value(worst) / leverage, fee, requirement, equity, equity - requirement],
    ...[10, value(lots) / 10, withdrawable, shown('A'), exact],
    ...[scene.account('S').equity, shown('S'), 20_000, 500, 1_000],
    ...['650000000.000001', fraction],
  )
  const liquidated = (at: number) => scene.mark(BTC, at).all('LiquidationStarted').length > 0
  assert.deepEqual([liquidated(55_556), liquidated(55_555)], [false, true])
})

test('case 12, short: healthy at the liquidation price, not beyond (MARGIN-9)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 12, S: 500_000_000 } })
  scene.own('S', 'SetLeverage', { market: BTC, leverage: 20 })
  scene.buys('A', 'S', 10_000, 60_000)
  scene.mark(BTC, 64_356).lacks('LiquidationStarted')
  scene.mark(BTC, 64_357).includes({ type: 'LiquidationStarted', account: scene.id('S') })
})
