// The worked numbers of docs/rules, to the last digit, as real commands through the naive engine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillsOf } from '../../src/core/events/fills-of.ts'
import { accountOf, marketOf } from './core/lookup.ts'
import { feeAt } from './fees/fees.ts'
import { rateOf } from './funding/funding.ts'
import { liquidationPrice } from './liquidation/liquidation.ts'
import { guardedPrice, scaledFraction } from './margin/margin.ts'
import * as scenes from './scenario.ts'
import { BTC, ETH, SOL } from './scenario.ts'
import { entryPriceText } from './units/entry-price.ts'

/** [lots, cost] of a position. */
function held(scene: scenes.Scene, name: string, market: number): (number | undefined)[] {
  const position = scenes.position(scene, name, market)
  return [position?.lots, position?.cost]
}

test('cases 1 to 4: open, add, close in part, flip', () => {
  const scene = scenes.newScene()
  scenes.deposit(scene, 'A', 1_000_000_000)
  scenes.deposit(scene, 'B', 5_000_000_000)
  const sides = { maker: 'B', taker: 'A', takerSide: 'bid' } as const
  const opened = scenes.deal(scene, sides, { market: BTC, price: 60_001, size: 12_345 })
  assert.deepEqual(
    opened.flatMap(fillsOf).map(({ fee, value, role, kind }) => [fee, value, role, kind]),
    [
      [2_962_850, 7_407_123_450, 'taker', 'open_long'],
      [1_111_069, 7_407_123_450, 'maker', 'open_short'],
    ],
  )
  assert.deepEqual(held(scene, 'A', BTC), [12_345, 7_407_123_450])
  assert.deepEqual(held(scene, 'B', BTC), [-12_345, -7_407_123_450])
  assert.equal(scenes.balance(scene, 'A'), 997_037_150)
  assert.equal(scenes.balance(scene, 'B'), 4_998_888_931)
  assert.equal(scenes.accountView(scene, 1).balance, 4_073_919)

  const added = scenes.deal(
    scene,
    { maker: 'A', taker: 'B', takerSide: 'ask' },
    { market: BTC, price: 60_013, size: 7 },
  )
  assert.deepEqual(
    added.flatMap(fillsOf).map(({ account, fee }) => [account, fee]),
    [
      [scene.ids.B, 1_681],
      [scene.ids.A, 631],
    ],
  )
  assert.deepEqual(held(scene, 'A', BTC), [12_352, 7_411_324_360])
  assert.equal(scenes.balance(scene, 'A'), 997_036_519)
  assert.equal(scenes.balance(scene, 'B'), 4_998_887_250)

  const closed = scenes.deal(
    scene,
    { maker: 'A', taker: 'B', takerSide: 'bid' },
    { market: BTC, price: 60_500, size: 5_000 },
  )
  assert.deepEqual(
    closed.flatMap(fillsOf).map(({ fee, pnl, entryCost, kind }) => {
      return [fee, pnl, entryCost, kind]
    }),
    [
      [1_210_000, -26_159_660, -3_000_050_340, 'close_short'],
      [453_750, 24_495_910, 3_000_050_340, 'close_long'],
    ],
  )
  assert.deepEqual(held(scene, 'A', BTC), [7_352, 4_411_274_020])
  assert.deepEqual(held(scene, 'B', BTC), [-7_352, -4_411_274_020])
  assert.equal(scenes.balance(scene, 'A'), 1_021_532_429)
  assert.equal(scenes.balance(scene, 'B'), 4_972_727_590)

  const flipped = scenes.deal(
    scene,
    { maker: 'B', taker: 'A', takerSide: 'ask' },
    { market: BTC, price: 59_900, size: 10_000 },
  )
  assert.deepEqual(
    flipped.flatMap(fillsOf).map(({ kind, lots, fee, pnl }) => [kind, lots, fee, pnl]),
    [
      ['close_long', 7_352, 1_761_540, -9_187_560],
      ['open_short', 2_648, 634_461, -634_461],
      ['close_short', 7_352, 660_578, 7_426_020 - 660_578],
      ['open_long', 2_648, 237_923, -237_923],
    ],
  )
  assert.deepEqual(held(scene, 'A', BTC), [-2_648, -1_586_152_000])
  assert.equal(scenes.balance(scene, 'A'), 1_011_710_408)
  assert.equal(scenes.balance(scene, 'B'), 4_979_255_109)
  assert.equal(scenes.accountView(scene, 1).balance, 9_034_483)
})

test('case 5: fees and rebates', () => {
  const rows = [
    [1n, 400n, 1n],
    [2_500n, 400n, 1n],
    [2_501n, 400n, 2n],
    [7_407_123_450n, -50n, -370_356n],
    [1n, -50n, 0n],
  ] as const
  for (const [value, ppm, fee] of rows) assert.equal(feeAt(value, ppm), fee)
})

test('case 6: an hour of funding', () => {
  const scene = scenes.newScene()
  scenes.setFees(scene, scenes.freeTiers)
  for (const name of ['A', 'B', 'C']) scenes.deposit(scene, name, 10_000_000_000)
  const takerSide = 'bid'
  const at = { market: BTC, price: 60_000 }
  scenes.deal(scene, { maker: 'A', taker: 'B', takerSide }, { ...at, size: 2_648 })
  scenes.deal(scene, { maker: 'A', taker: 'C', takerSide }, { ...at, size: 1_111 })
  const end = scenes.START + 3_600_000
  const oracle = 59_907_250_000
  const tick = { type: 'OracleTick', market: BTC, price: oracle, observedAtMs: null, jump: true }
  for (scene.now += 5_000; scene.now < end; scene.now += 5_000) scenes.run(scene, tick)
  const events = scenes.run(scene, { type: 'Tick' })
  const fixed = scenes.only(events, 'FundingFixed').find((event) => event.market === BTC)
  assert.deepEqual([fixed?.rate, fixed?.oracle, fixed?.samples], [12_500, oracle, 719])
  assert.deepEqual(
    scenes.only(events, 'FundingPaid').map(({ lots, payment }) => [lots, payment]),
    [
      [-3_759, 28_148],
      [2_648, -19_830],
      [1_111, -8_320],
    ],
  )
  assert.equal(scenes.only(events, 'FundingClosed')[0]?.remainder, 2)
  assert.equal(scenes.accountView(scene, 2).balance, 2)
})

test('funding rates', () => {
  assert.equal(rateOf(0n, 50n), 12_500n)
  assert.equal(rateOf(2_000_000n, 50n), 187_500n)
  assert.equal(rateOf(-3_000_000n, 50n), -312_500n)
})

test('case 7: isolated margin, its closes, and a gap', () => {
  const scene = scenes.newScene()
  const A = scenes.deposit(scene, 'A', 4_000_000_000)
  scenes.deposit(scene, 'B', 500_000_000_000)
  scenes.deposit(scene, 'insurance', 1_000_000_000)
  const own = { account: A, market: ETH, proof: null }
  scenes.run(scene, { type: 'SetMarginMode', ...own, isolated: true })
  scenes.run(scene, { type: 'SetLeverage', ...own, leverage: 20 })
  scenes.deal(
    scene,
    { maker: 'B', taker: 'A', takerSide: 'bid' },
    { market: ETH, price: 30_000, size: 20_000 },
  )
  assert.equal(scenes.position(scene, 'A', ETH)?.wallet, 3_000_000_000)
  assert.equal(scenes.balance(scene, 'A'), 976_000_000)

  scenes.setMark(scene, ETH, 29_400)
  const closed = scenes.deal(
    scene,
    { maker: 'B', taker: 'A', takerSide: 'ask' },
    { market: ETH, price: 29_400, size: 7_001 },
  )
  const close = closed.flatMap(fillsOf)[0]
  assert.deepEqual([close?.fee, close?.pnl], [8_233_176, -420_060_000 - 8_233_176])
  const left = scenes.position(scene, 'A', ETH)
  assert.deepEqual([left?.wallet, left?.cost], [1_949_850_000, 38_997_000_000])
  assert.equal(scenes.balance(scene, 'A'), 1_597_856_824)

  const reduce = { market: ETH, side: 'ask', tif: 'IOC', reduceOnly: true } as const
  const moved = scenes.place(scene, 'A', { ...reduce, price: 28_000, size: 12_999 })
  assert.equal(scenes.only(moved, 'OrderPlaced')[0]?.price, 28_512)

  const events = scenes.setMark(scene, ETH, 28_400)
  assert.equal(scenes.only(events, 'LiquidationStarted')[0]?.equity, -129_990_000)
  assert.equal(scenes.only(events, 'InsurancePaid')[0]?.amount, 129_990_000)
  const took = scenes.only(events, 'BackstopTookOver')[0]
  assert.deepEqual([took?.lots, took?.value, took?.margin], [12_999, 36_917_160_000, 0])
  assert.equal(scenes.balance(scene, 'A'), 1_597_856_824)
  assert.equal(scenes.position(scene, 'A', ETH), undefined)
})

test('cases 8 and 9: a liquidation step, then the backstop', () => {
  const scene = scenes.newScene()
  scenes.setFees(scene, scenes.freeTiers)
  scenes.deposit(scene, 'A', 7_900_000_000)
  scenes.deposit(scene, 'B', 900_000_000_000)
  // The positions need more margin to open than to keep: A buys below a mark that falls later.
  scenes.setMark(scene, BTC, 60_300)
  const buys = { maker: 'B', taker: 'A', takerSide: 'bid' } as const
  const sells = { maker: 'B', taker: 'A', takerSide: 'ask' } as const
  scenes.deal(scene, buys, { market: BTC, price: 60_000, size: 500_000 })
  scenes.deal(scene, sells, { market: ETH, price: 30_000, size: 50_000 })
  scenes.setFees(scene, scenes.paidTiers)
  scenes.setMark(scene, ETH, 30_170)
  scenes.place(scene, 'B', { market: BTC, side: 'bid', price: 59_260, size: 168_350 })

  const first = scenes.setMark(scene, BTC, 59_400)
  const started = scenes.only(first, 'LiquidationStarted')[0]
  assert.deepEqual([started?.equity, started?.maintenance], [4_050_000_000, 4_478_500_000])
  const step = scenes.only(first, 'LiquidationStepped')[0]
  assert.deepEqual([step?.market, step?.lots, step?.limit], [BTC, 168_350, 59_252])
  const fill = first.flatMap(fillsOf)[0]
  assert.deepEqual(
    [fill?.kind, fill?.cause, fill?.fee, fill?.pnl],
    ['force_close_long', 'market_liquidation', 399_056_840, -1_245_790_000 - 399_056_840],
  )
  const after = scenes.accountView(scene, scene.ids.A)
  assert.equal(after.balance, 6_255_153_160)
  assert.deepEqual([after.equity, after.maintenance], [3_415_253_160, 3_478_501_000])

  const second = scenes.only(scenes.setMark(scene, BTC, 59_400), 'LiquidationStepped')[0]
  assert.deepEqual([second?.lots, second?.limit], [131_319, 59_252])

  scenes.setMark(scene, ETH, 30_310)
  const gone = scenes.setMark(scene, BTC, 58_900)
  const last = scenes.only(gone, 'LiquidationStarted')[0]
  assert.deepEqual([last?.equity, last?.maintenance], [1_057_003_160, 3_468_918_500])
  assert.deepEqual(
    scenes.only(gone, 'BackstopTookOver').map(({ market, lots, value, margin }) => {
      return [market, lots, value, margin]
    }),
    [
      [BTC, 331_650, 195_341_850_000, 595_219_958],
      [ETH, -50_000, 151_550_000_000, 461_783_201],
    ],
  )
  assert.equal(scenes.balance(scene, 'A'), 1)
  assert.deepEqual(scenes.accountView(scene, scene.ids.A).positions, [])
  const backstop = marketOf(scene.naive, ETH).backstop
  assert.equal(scenes.accountView(scene, backstop).positions[0]?.cost, -151_550_000_000)
})

test('case 10: deleveraging', () => {
  const scene = scenes.newScene()
  scenes.setFees(scene, scenes.freeTiers)
  scenes.deposit(scene, 'insurance', 400_333_333)
  scenes.run(scene, { type: 'SetFundDailyMax', dailyMax: 1_000_000 })
  scenes.deposit(scene, 'G', 2_000_000_001)
  for (const name of ['H', 'I', 'J']) scenes.deposit(scene, name, 20_000_000_000)
  scenes.deposit(scene, 'M', 900_000_000_000)
  const rows = [
    ['H', 20_000, 30_500],
    ['J', 12_000, 29_950],
    ['I', 7_000, 30_000],
  ] as const
  for (const [taker, size, price] of rows) {
    scenes.deal(scene, { maker: 'M', taker, takerSide: 'ask' }, { market: SOL, price, size })
  }
  const at = { market: SOL, price: 30_000, size: 30_000 }
  scenes.deal(scene, { maker: 'M', taker: 'G', takerSide: 'bid' }, at)
  const events = scenes.setMark(scene, SOL, 28_900)
  assert.equal(scenes.only(events, 'LiquidationStarted')[0]?.equity, -1_299_999_999)
  const paid = scenes.only(events, 'InsurancePaid')
  assert.deepEqual(
    paid.map(({ amount, fund }) => [amount, fund]),
    [[400_333_333, 0]],
  )
  const { H, J } = scene.ids
  assert.deepEqual(
    scenes.only(events, 'Deleveraged').map(({ counterparty, lots, value }) => {
      return [counterparty, lots, value]
    }),
    [
      [H, 20_000, 58_399_777_777],
      [J, 10_000, 29_199_888_889],
    ],
  )
  const pnls = events.flatMap(fillsOf).filter(({ role }) => role === 'maker')
  assert.deepEqual(
    pnls.map(({ pnl }) => pnl),
    [2_600_222_223, 750_111_111],
  )
  assert.deepEqual(held(scene, 'J', SOL), [-2_000, -5_990_000_000])
  assert.deepEqual(held(scene, 'I', SOL), [-7_000, -21_000_000_000])
  assert.equal(scenes.balance(scene, 'G'), 0)
})

test('case 11: entry price text', () => {
  const rows = [
    [7_411_324_360n, 12_352n, 100_000n, '60001.00680051813471502590674'],
    [4_411_274_020n, 7_352n, 100_000n, '60001.00680087051142546245919'],
    [1_000_001n, 3n, 1n, '0.3333336666666666666666666667'],
    [20_000_000n, 3n, 1_000n, '6666.666666666666666666666667'],
    [1n, 3n, 1n, '0.0000003333333333333333333333333333'],
    [1_797_000n, 3n, 100_000n, '59900'],
  ] as const
  for (const [cost, lots, unit, text] of rows) {
    assert.equal(entryPriceText(cost, lots, unit), text)
  }
})

test('case 12: requirement, withdrawable, liquidation price', () => {
  const scene = scenes.newScene()
  scenes.setFees(scene, scenes.freeTiers)
  for (const name of ['A', 'S']) {
    const account = scenes.deposit(scene, name, 500_000_000)
    scenes.run(scene, { type: 'SetLeverage', account, market: BTC, leverage: 20, proof: null })
  }
  const at = { market: BTC, price: 60_000, size: 10_000 }
  scenes.deal(scene, { maker: 'S', taker: 'A', takerSide: 'bid' }, at)
  scenes.setFees(scene, scenes.paidTiers)
  scenes.place(scene, 'A', { market: BTC, side: 'bid', price: 59_000, size: 4_000 })
  scenes.place(scene, 'A', { market: BTC, side: 'ask', price: 61_000, size: 2_500 })
  scenes.setMark(scene, BTC, 59_800)
  const view = scenes.accountView(scene, scene.ids.A)
  assert.equal(view.positions[0]?.requirement, 419_556_800)
  assert.equal(view.equity, 480_000_000)
  assert.equal(view.equity - (view.positions[0]?.requirement ?? 0), 60_443_200)
  assert.equal(view.withdrawable, 0)
  const market = marketOf(scene.naive, BTC)
  const price = (name: string): bigint | null => {
    return liquidationPrice(scene.naive, accountOf(scene.naive, scene.ids[name] ?? 0), market)
  }
  assert.equal(price('A'), 55_556n)
  assert.equal(scenes.accountView(scene, scene.ids.S).equity, 520_000_000)
  assert.equal(price('S'), 64_356n)
  const oi = 650_000_000_000_001n
  const bound = 500_000_000_000_000n
  assert.equal(scaledFraction(20_000n, oi, bound, 2n * bound), 314_001n)
})

test('prices: the clamp, the mark, the deduction of the book from a guarded price', () => {
  const scene = scenes.newScene({ impactValue: 1_000_000 })
  scenes.deposit(scene, 'A', 1_000_000_000_000)
  const tick = (at: scenes.Scene, price: number) => {
    const micro = price * 1_000_000
    const events = scenes.run(at, {
      type: 'OracleTick',
      market: BTC,
      price: micro,
      observedAtMs: null,
      jump: false,
    })
    return scenes.only(events, 'MarkUpdated')[0]
  }
  const guarded = () => [1n, -1n].map((sign) => guardedPrice(marketOf(scene.naive, BTC), sign))
  const size = 100
  scenes.place(scene, 'A', { market: BTC, side: 'bid', price: 57_000, size })
  scenes.place(scene, 'A', { market: BTC, side: 'ask', price: 57_100, size })
  assert.deepEqual(guarded(), [60_000n, 60_000n])
  scene.now += 1
  assert.equal(tick(scene, 60_000.5)?.mark, 60_001)
  assert.deepEqual(guarded(), [57_100n, 60_001n])
  const clamped = scenes.newScene()
  clamped.now += 1_000
  const mark = tick(clamped, 66_000)
  assert.deepEqual([mark?.oracle, mark?.catchingUp], [61_200_000_000, true])
})
