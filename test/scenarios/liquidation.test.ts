// docs/rules/liquidation.md through both engines: the ladder, the backstop, the fund, deleveraging.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  ETH,
  freeTiers,
  given,
  levelAt,
  paidTiers,
  type Scene,
  SOL,
} from '../support/scene.ts'

/** A is long 5,000 lots at 60,000 with 70,000,000: below maintenance from 59,190 on. */
function longAt(scene: Scene, name: string): void {
  scene.buys(name, 'B', 5_000, 60_000)
}

const funds = { A: 70_000_000, B: 10 ** 12 }

test('scopes below maintenance are queued by health, then account, at a tick (LIQ-1)', () => {
  const scene = given({ tiers: freeTiers, funds: { ...funds, C: 65_000_000, D: 70_000_000 } })
  for (const name of ['A', 'C', 'D']) longAt(scene, name)
  scene.mark(BTC, 59_300).lacks('LiquidationStarted')
  const started = scene.mark(BTC, 59_100).all('LiquidationStarted')
  assert.deepEqual(
    started.map(({ account, equity, maintenance }) => [account, equity, maintenance]),
    [
      [scene.id('C'), 20_000_000, 29_550_000],
      [scene.id('A'), 25_000_000, 29_550_000],
      [scene.id('D'), 25_000_000, 29_550_000],
    ],
  )
})

test('a market that is not live liquidates no account (LIQ-1)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  scene.mark(BTC, 59_000).emits({ type: 'MarkUpdated' })
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' }).lacks('LiquidationStarted')
  scene.mark(BTC, 59_000).includes({ type: 'LiquidationStarted' })
})

test('a turn ends the scope’s orders and TWAPs, except stops and reducing ones (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  const { order } = scene.ask('A', 100, 61_000).one('OrderPlaced')
  const { order: kept } = scene.ask('A', 100, 61_000, { reduceOnly: true }).one('OrderPlaced')
  const plan = { market: BTC, side: 'ask', size: 3_000, slippagePpm: 0, durationSeconds: 600 }
  const more = { ...plan, reduceOnly: true, clientOrderId: null }
  const { order: twap } = scene.own('A', 'PlaceTwap', more).one('AlgoPlaced')
  const stop = scene.stop('A', 'ask', levelAt(50_000), { reduceOnly: true }).one('StopPlaced').order
  scene
    .mark(BTC, 59_100)
    .includes(
      { type: 'LiquidationStarted', account: scene.id('A'), scope: 0 },
      { type: 'OrderCancelled', order, reason: 'liquidation' },
      { type: 'AlgoEnded', algo: twap, reason: 'liquidation' },
      { type: 'LiquidationStepped' },
    )
  const { orders, algos } = scene.account('A')
  assert.deepEqual([orders, algos], [[kept, stop], []])
})

test('its orders in several markets end in the order in which they came (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  const ids = [ETH, BTC, ETH, BTC].map((market) => {
    return scene.bid('A', 10, 20_000, { market, tif: 'ALO' }).one('OrderPlaced').order
  })
  const ended = scene.mark(BTC, 59_100).all('OrderCancelled')
  const cancelled = ended.filter(({ reason }) => reason === 'liquidation')
  assert.deepEqual(
    cancelled.map(({ order }) => order),
    ids,
  )
})

test('an isolated position is a scope of its own: other markets are left alone (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds: { ...funds, A: 10 ** 10 } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys('A', 'B', 5_000, 60_000)
  const { order } = scene.bid('A', 100, 29_000, { market: ETH }).one('OrderPlaced')
  scene.mark(BTC, 59_300).includes({ type: 'LiquidationStarted', scope: BTC, equity: 25_000_000 })
  assert.deepEqual(scene.account('A').orders, [order])
})

test('after three steps in a row without a fill the backstop takes over (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  for (let n = 0; n < 3; n++) {
    const outcome = scene.later(2_500).mark(BTC, 59_100)
    outcome.includes({ type: 'LiquidationStepped' }).lacks('BackstopTookOver')
  }
  scene.mark(BTC, 59_100).includes({ type: 'BackstopTookOver', lots: 5_000 })
})

test('the count of steps without a fill grows once in 2,500 ms, filled ones or not (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  const dry = (ms: number) => {
    scene.later(ms).mark(BTC, 59_100).includes({ type: 'LiquidationStepped' })
    return scene.account('A').unfilledSteps
  }
  assert.deepEqual([dry(0), dry(0), dry(2_499), dry(1), dry(100)], [1, 1, 1, 2, 2])
  // A fill sets it to 0, and it still does not grow before its time.
  scene.bid('B', 10, 59_100, { tif: 'ALO' })
  assert.deepEqual([dry(100), dry(100), dry(2_200)], [0, 0, 1])
})

test('steps without a fill more than a minute apart are not in a row (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  for (let n = 0; n < 3; n++) scene.later(2_500).mark(BTC, 59_100)
  for (let n = 0; n < 6; n++) scene.later(10_000).tick(BTC, 60_000)
  scene.later(1).mark(BTC, 59_100).includes({ type: 'LiquidationStepped' })
})

test('while a price catches up there is no takeover, but a step if equity is left (LIQ-2)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  scene
    .later(1_000)
    .tick(BTC, 50_000)
    .includes({
      type: 'LiquidationStepped',
      account: scene.id('A'),
    })
  // 58,800, then 57,624: below zero, and still catching up.
  assert.equal(scene.book().mark, 58_800)
  scene
    .later(1_000)
    .tick(BTC, 50_000)
    .emits({ type: 'MarkUpdated', mark: 57_624 }, { type: 'LiquidationStarted' })
})

test('a step restores the scope to 115 %, by at most a fifth or 100,000 USD (LIQ-3)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 70_000_000, B: 10 ** 12 } })
  longAt(scene, 'A')
  scene.bid('B', 5_000, 59_100)
  const outcome = scene.mark(BTC, 59_150)
  const { lots, limit } = outcome.one('LiquidationStepped')
  // E 27,500,000, MM 29,575,000; f 10,000 ppm, fee 4,000 ppm.
  const x = divCeil(
    (115n * 29_575_000n - 100n * 27_500_000n) * 1_000_000n,
    115n * 10_000n - 400_000n,
  )
  assert.equal(BigInt(lots), divCeil(x, 591_500n))
  // The bankruptcy price is 5,298 ppm away, half of the maintenance 5,000; the first step limits
  // at half of that.
  assert.equal(BigInt(limit), divCeil(59_150n * (1_000_000n - 2_500n), 1_000_000n))
  const fill = outcome.fills()[0]
  assert.deepEqual([fill?.kind, fill?.cause], ['force_close_long', 'market_liquidation'])
  assert.equal(scene.balance('insurance'), fill?.fee)
  outcome.includes({ type: 'LiquidationFeePaid', amount: fill!.fee, fund: fill!.fee, deficit: 0 })
  assert.equal(fill?.fee, Math.ceil((lots * 591_000 * 4_000) / 1_000_000))
})

test('of a large position a step takes a fifth, rounded up (LIQ-3)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 21_100_000_000, B: 10 ** 13 } })
  scene.buys('A', 'B', 1_500_001, 60_000)
  // 100,000 USD are 169,061 lots at 59,150; a fifth is more, and what is needed more again.
  scene.mark(BTC, 59_150).includes({ type: 'LiquidationStepped', lots: 300_001 })
})

function divCeil(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

test('a rest too small to trade is closed with the step (LIQ-3)', () => {
  const scene = given({ market: { orderValueMin: 3 * 10 ** 9 }, tiers: freeTiers, funds })
  longAt(scene, 'A')
  scene.mark(BTC, 59_150).includes({ type: 'LiquidationStepped', lots: 5_000 })
})

test('the backstop takes positions at mark, with their part of the margin (LIQ-4)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  const outcome = scene.mark(BTC, 58_800)
  // Equity 10,000,000 is below two thirds of 29,400,000, and it all goes with the last position.
  outcome.emits(
    { type: 'MarkUpdated' },
    { type: 'LiquidationStarted', equity: 10_000_000, maintenance: 29_400_000 },
    {
      ...{ type: 'Filled', account: scene.id('A'), kind: 'force_close_long', role: 'taker' },
      ...{ cause: 'backstop_liquidation', price: 58_800, positionLots: 0, balance: 10_000_000 },
    },
    { type: 'Filled', account: scene.id('backstop-BTC'), kind: 'open_long', role: 'maker' },
    { type: 'BackstopTookOver', lots: 5_000, value: 2_940_000_000, margin: 10_000_000 },
  )
  assert.deepEqual([scene.balance('A'), scene.balance('backstop-BTC')], [0, 10_000_000])
})

test('a backstop takes as many lots as it has room for (LIQ-4)', () => {
  const scene = given({ market: { backstopValueMax: 10 ** 9 }, tiers: freeTiers, funds })
  longAt(scene, 'A')
  // 1,700 of 588,000 each; the rest brings to the fund all that is left.
  const outcome = scene.mark(BTC, 58_800).lacks('LiquidationStepped')
  outcome.includes(
    { type: 'LiquidationStarted' },
    { type: 'BackstopTookOver', lots: 1_700, value: 999_600_000, margin: 3_400_000 },
    { type: 'Deleveraged', lots: 3_300, value: 1_940_400_000, margin: 6_600_000 },
  )
  assert.equal(scene.balance('A'), 0)
})

test('a backstop that lost too much today is full; a moved reserve does not count (LIQ-4)', () => {
  const market = { backstopDailyLossMax: 5_000_000 }
  const names = { C: 70_000_000, D: 70_000_000, E: 70_000_000, insurance: 50_000_000 }
  const scene = given({ market, tiers: freeTiers, funds: { ...funds, ...names } })
  for (const name of ['A', 'C', 'D']) scene.buys(name, 'B', 5_000, 60_000)
  scene.mark(BTC, 58_800).includes({ type: 'BackstopTookOver' })
  scene.buys('E', 'B', 5_000, 58_800)
  // Three positions: 15,000 lots lose 150,000 a tick.
  scene.mark(BTC, 58_766)
  scene.reserve(20_000_000).accepted()
  scene.mark(BTC, 57_500).includes({ type: 'LiquidationStarted' }).lacks('BackstopTookOver')
})

test('the backstop sells a part at each tick, near the mark, at the normal fee (LIQ-4)', () => {
  const scene = given({ tiers: freeTiers, funds })
  longAt(scene, 'A')
  scene.mark(BTC, 58_800)
  const outcome = scene.mark(BTC, 58_900)
  outcome.includes({
    ...{ type: 'OrderPlaced', origin: 'backstop', account: scene.id('backstop-BTC') },
    ...{ side: 'ask', tif: 'IOC', reduceOnly: true, size: 5_000, price: 58_606 },
  })
})

test('a backstop below zero is paid by the fund, and then deleveraged (LIQ-4)', () => {
  const scene = given({ tiers: freeTiers, funds: { ...funds, insurance: 6_000_000 } })
  longAt(scene, 'A')
  scene.mark(BTC, 58_800)
  // 10,000,000 of margin is lost at 58,600; 5,000,000 more at 58,500.
  const backstop = scene.id('backstop-BTC')
  scene.mark(BTC, 58_500).includes(
    { type: 'InsurancePaid', account: backstop, amount: 3_000_000, fund: 3_000_000 },
    {
      ...{ type: 'Deleveraged', account: backstop, counterparty: scene.id('B') },
      ...{ lots: 5_000, value: 2_927_000_000 },
    },
  )
  assert.equal(scene.balance('backstop-BTC'), 0)
})

test('a debt is the fund’s, then the deficit’s, and income fills that first (LIQ-5)', () => {
  const scene = given({ tiers: freeTiers, funds: { ...funds, insurance: 40_000_000 } })
  longAt(scene, 'A')
  scene.run({ type: 'SettleMarket', market: BTC, price: 58_000 }).emits(
    { type: 'MarketSettled', price: 58_000 },
    { type: 'Filled', account: scene.id('A'), pnl: -100_000_000, cause: 'settlement' },
    {
      type: 'InsurancePaid',
      account: scene.id('A'),
      scope: 0,
      amount: 20_000_000,
      fund: 20_000_000,
    },
    { type: 'DeficitBooked', account: scene.id('A'), amount: 10_000_000, deficit: -10_000_000 },
    { type: 'Filled', account: scene.id('B'), pnl: 100_000_000 },
  )
  scene.deposit('insurance', 4_000_000)
  assert.deepEqual([scene.balance('insurance'), scene.balance('deficit')], [20_000_000, -6_000_000])
  scene.deposit('insurance', 7_000_000)
  assert.deepEqual([scene.balance('insurance'), scene.balance('deficit')], [21_000_000, 0])
})

test('an isolated debt is never the balance’s (LIQ-5)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 9, B: 10 ** 12 } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  longAt(scene, 'A')
  assert.equal(scene.balance('A'), 940_000_000)
  scene
    .run({ type: 'SettleMarket', market: BTC, price: 58_000 })
    .includes({ type: 'DeficitBooked', account: scene.id('A'), amount: 40_000_000 })
  assert.equal(scene.balance('A'), 940_000_000)
})

test('the most profitable and leveraged give first, a crowded bucket pro rata (LIQ-6)', () => {
  const names = Array.from({ length: 6 }, (_, at) => `S${at + 1}`)
  const shorts = Object.fromEntries(names.map((name) => [name, 30_000_000]))
  const scene = given({ tiers: freeTiers, funds: { ...shorts, A: 70_000_000, B: 10 ** 12 } })
  // Six shorts make buckets of two; all the same, so the account id decides. B holds the balance.
  for (const name of names) scene.sells(name, 'B', 1_000, 60_000)
  scene.buys('A', 'B', 3_000, 60_000)
  const outcome = scene.mark(BTC, 57_000)
  const takings = outcome.all('Deleveraged').map(({ counterparty, lots }) => [counterparty, lots])
  assert.deepEqual(takings, [
    [scene.id('S1'), 1_000],
    [scene.id('S2'), 1_000],
    [scene.id('S3'), 500],
    [scene.id('S4'), 500],
  ])
  assert.deepEqual(scene.held('A'), [0, 0])
  assert.equal(scene.balance('A'), 0)
})

test('lots that a deleveraging cannot place stay until the next tick (LIQ-6)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 70_000_000, B: 10 ** 12, C: 200_000_000 } })
  scene.buys('A', 'C', 5_000, 60_000)
  scene.buys('C', 'B', 1_000, 30_000, ETH)
  // ETH is stale: C, who owes more there than it has, is neither liquidated nor deleveraged.
  scene.run({ type: 'EngineStarted' })
  scene.revive(BTC)
  scene.mark(ETH, 27_000)
  scene.mark(BTC, 58_500).includes({ type: 'LiquidationStarted' }).lacks('Deleveraged')
  assert.deepEqual(scene.held('A'), [5_000, 3_000_000_000])
  scene.mark(ETH, 30_000)
  const outcome = scene.mark(BTC, 58_500)
  outcome.includes(
    { type: 'Filled', account: scene.id('A'), cause: 'deleverage', price: 0 },
    { type: 'Filled', kind: 'force_close_short', role: 'maker', cause: 'deleverage' },
    // 5,000,000 above the 2,925,000,000 of the mark: A ends at zero.
    { type: 'Deleveraged', counterparty: scene.id('C'), lots: 5_000, value: 2_930_000_000 },
  )
  assert.equal(scene.balance('A'), 0)
})

test('cases 8 and 9: a liquidation step, then the backstop (LIQ-7)', () => {
  const row = worked('liquidation', 8)
  const [balance = 0, btc = 0, entry = 0, eth = 0, ethEntry = 0, mark = 0, ethMark = 0] =
    row.given()
  const scene = given({ tiers: freeTiers, funds: { A: balance, B: 9 * 10 ** 11 } })
  // The positions need more margin to open than to keep: A buys below a mark that falls later.
  scene.mark(BTC, entry + 300)
  scene.buys('A', 'B', btc, entry)
  scene.sells('A', 'B', -eth, ethEntry, ETH)
  scene.run({ type: 'SetFeeTiers', tiers: paidTiers })
  scene.mark(ETH, ethMark)
  scene.bid('B', 168_350, 59_260)

  const outcome = scene.mark(BTC, mark)
  const { equity, maintenance } = outcome.one('LiquidationStarted')
  const { lots, limit } = outcome.one('LiquidationStepped')
  const step = stepOf({ mark, lots: btc, equity, maintenance })
  const fill = outcome.fills()[0]!
  const after = scene.account('A')
  const second = scene.mark(BTC, mark).one('LiquidationStepped')
  assert.equal(step.lots < step.need ? step.lots : step.need, BigInt(lots))
  const ratio = (one: number, other: number) => Math.floor((one * 1_000_000) / other)
  row.says(
    ...[equity, btc * mark * 0.1, -eth * ethMark, maintenance],
    ...[step.feePpm, step.x, step.need, step.lots, lots],
    ...[step.bankruptcy, step.concession, step.slip, limit],
    ...[fill.price, fill.pnl + fill.fee, fill.fee, after.balance, after.equity, after.maintenance],
    ...[ratio(equity, maintenance), ratio(after.equity, after.maintenance)],
    ...[second.lots, second.limit],
  )
  backstopOf(scene)
})

/** LIQ-3 in BigInt, for a position at leverageMax 50 that alone has K 10. */
function stepOf(of: Readonly<{ mark: number; lots: number; equity: number; maintenance: number }>) {
  const [mark, lots] = [BigInt(of.mark), BigInt(of.lots)]
  const [equity, maintenance] = [BigInt(of.equity), BigInt(of.maintenance)]
  const [fraction, feePpm, million] = [10_000n, 4_000n, 1_000_000n]
  const notional = lots * mark * 10n
  const own = (notional * fraction) / million
  const missing = (115n * maintenance - 100n * equity) * million
  const x = divCeil(missing, 115n * fraction - 100n * feePpm)
  const byValue = 10n ** 11n / (mark * 10n)
  const fifth = divCeil(lots, 5n)
  const bankruptcy = (own * equity * million) / (maintenance * notional) - feePpm
  const concession = (own * 500_000n) / notional
  const slip = (bankruptcy < concession ? bankruptcy : concession) / 2n
  const cap = byValue > fifth ? byValue : fifth
  return { feePpm, x, need: divCeil(x, mark * 10n), lots: cap, bankruptcy, concession, slip }
}

function backstopOf(scene: Scene): void {
  const row = worked('liquidation', 9)
  const [, mark = 0, ethMark = 0] = row.given()
  scene.mark(ETH, ethMark)
  const outcome = scene.mark(BTC, mark)
  const { equity, maintenance } = outcome.one('LiquidationStarted')
  const [btc, eth] = outcome.all('BackstopTookOver')
  assert.deepEqual(scene.account('A').positions, [])
  row.says(
    ...[equity, 2, 3, maintenance, btc!.lots, btc!.value, btc!.margin],
    ...[...scene.held('backstop-ETH', ETH), eth!.margin, scene.balance('A')],
  )
  assert.deepEqual(scene.held('backstop-BTC'), [btc!.lots, btc!.value])
}

test('case 10: deleveraging (LIQ-7)', () => {
  const row = worked('liquidation', 10)
  const [balance = 0, lots = 0, entry = 0, mark = 0, insurance = 0, ...rest] = row.given()
  const [hLots = 0, hPrice = 0, jLots = 0, jPrice = 0, iLots = 0, iPrice = 0, each = 0] = rest
  const others = { H: each, I: each, J: each, M: 9 * 10 ** 11 }
  const funds = { insurance, G: balance, ...others }
  const scene = given({ tiers: freeTiers, funds })
  scene.run({ type: 'SetFundDailyMax', dailyMax: 1_000_000 }).accepted()
  scene.sells('H', 'M', hLots, hPrice, SOL)
  scene.sells('J', 'M', jLots, jPrice, SOL)
  scene.sells('I', 'M', iLots, iPrice, SOL)
  scene.buys('G', 'M', lots, entry, SOL)
  const untouched = scene.held('I', SOL)
  const outcome = scene.mark(SOL, mark)
  const { equity } = outcome.one('LiquidationStarted')
  const { amount, fund } = outcome.one('InsurancePaid')
  const [h, j, none] = outcome.all('Deleveraged')
  assert.deepEqual(
    [h?.counterparty, j?.counterparty, none],
    [scene.id('H'), scene.id('J'), undefined],
  )
  const debt = -equity - amount
  const value = lots * mark * 100 + debt
  assert.equal(value, h!.value + j!.value)
  const ticks = String((BigInt(value) * 10n ** 9n) / BigInt(lots * 100))
  const price = `${ticks.slice(0, -9)}.${ticks.slice(-9)}`
  const [hPnl, jPnl] = outcome
    .fills()
    .filter(({ role }) => role === 'maker')
    .map(({ pnl }) => pnl)
  assert.deepEqual(scene.held('I', SOL), untouched)
  row.says(
    ...[equity, amount, fund, debt, value, price, h!.lots, h!.value, hPnl, j!.lots, j!.value, jPnl],
    ...[...scene.held('J', SOL), scene.balance('G')],
  )
})
