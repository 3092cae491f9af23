// Reads of the present state, against the engine's own arithmetic and the rules' numbers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureOf } from '../../../test/support/picture.ts'
import { throughWorld } from '../../../test/support/random-world.ts'
import {
  BTC,
  ETH,
  freeTiers,
  given,
  levelAt,
  type Scene,
  START,
} from '../../../test/support/scene.ts'
import { accountOf, marketOf } from '../../../test/twin/core/lookup.ts'
import { liquidationPrice as naivePrice } from '../../../test/twin/liquidation/liquidation.ts'
import type { State } from '../engine.ts'
import { encodeState } from '../snapshot/encode.ts'
import { healthOf } from '../solvency/scope.ts'
import { viewOf } from './exchange-view.ts'

const accountIds = (state: State) => Array.from({ length: state.accounts.count }, (_, at) => at + 1)

/** Whether the scope of a position is healthy at this mark of its market. */
function isHealthyAt(state: State, account: number, market: number, price: number): boolean {
  const held = state.markets[market]!
  const { oracle } = held
  const isolated = state.positions.isolated[held.rowOf[account]!] === 1
  held.oracle = price * 1_000_000
  held.updateMark()
  const { equity, maintenance } = healthOf(state, { account, market: isolated ? market : 0 })
  held.oracle = oracle
  held.updateMark()
  return equity >= maintenance
}

// Worlds with tiers, isolated and cross positions on several markets, in crashes too: a liquidation
// price without a tier, a rounding or another position would be on the wrong tick in one.
test('a scope is healthy at its liquidation price and below maintenance one tick beyond', () => {
  let borders = 0
  for (const seed of [4, 13, 14, 17, 24, 28, 31, 36])
    throughWorld(seed, 200, ({ state }) => {
      const { positions } = viewOf(state)
      for (const account of accountIds(state))
        for (const { market, lots, liquidationPrice: price } of positions.of(account)) {
          const { tickMin, tickMax } = state.markets[market]!.params
          const healthy = (at: number) => isHealthyAt(state, account, market, at)
          if (price === null) assert.equal(healthy(tickMin), healthy(tickMax))
          else {
            assert.deepEqual([healthy(price), healthy(price - Math.sign(lots))], [true, false])
            borders += 1
          }
        }
      return undefined
    })
  assert.ok(borders > 500, `${borders}`)
})

test('the margin of a short is shown as that of a long', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 500_000_000, B: 10 ** 12 } })
  scene.buys('A', 'B', 10_000, 60_000)
  scene.mark(BTC, 60_100)
  const backings = ['A', 'B'].map((name) => scene.view.positions.backingOf(scene.id(name)))
  assert.deepEqual(
    backings.map(([backing]) => [backing?.lots, backing?.unrealised]),
    [
      [10_000, 10_000_000],
      [-10_000, -10_000_000],
    ],
  )
})

test('the other positions of a cross account move the liquidation price of each', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 500_000_000, B: 10 ** 12 } })
  scene.buys('A', 'B', 10_000, 60_000)
  scene.sells('A', 'B', 1_000, 30_000, ETH)
  scene.mark(ETH, 30_100)
  const prices = scene.view.positions.of(scene.id('A')).map((each) => each.liquidationPrice ?? 0)
  // 490,000,000 of equity, 60,000,000 and 30,100,000 of maintenance: (30,100,000 − 490,000,000 +
  // 6,000,000,000) ÷ 99,000 up, and (490,000,000 + 3,010,000,000 − 60,000,000) ÷ 101,000 down.
  assert.deepEqual(prices, [55_961, 34_059])
  for (const [at, market] of [BTC, ETH].entries()) {
    const healthy = (price: number) => isHealthyAt(scene.state, scene.id('A'), market, price)
    const beyond = prices[at]! + (at === 0 ? -1 : 1)
    assert.deepEqual([healthy(prices[at]!), healthy(beyond)], [true, false])
  }
})

test('the liquidation prices of the worked numbers (MARGIN-9)', () => {
  for (const [side, price] of [
    ['bid', 55_556],
    ['ask', 64_356],
  ] as const) {
    const scene = given({ tiers: freeTiers, funds: { A: 500_000_000, B: 10 ** 12 } })
    if (side === 'bid') scene.buys('A', 'B', 10_000, 60_000)
    else scene.sells('A', 'B', 10_000, 60_000)
    scene.mark(BTC, 59_800)
    const [position] = scene.view.positions.of(scene.id('A'))
    assert.equal(position?.liquidationPrice, price)
    const twin = [accountOf(scene.naive, scene.id('A')), marketOf(scene.naive, BTC)] as const
    assert.equal(Number(naivePrice(scene.naive, ...twin)), price)
  }
})

test('the numbers of an account are those of the engine', () => {
  let funded = 0
  for (const seed of [0, 3, 24])
    throughWorld(seed, 150, ({ state }) => {
      for (const picture of pictureOf(state).accounts) {
        const numbers = viewOf(state).accounts.numbersOf(picture.account)
        const required = picture.positions.reduce((sum, { requirement }) => sum + requirement, 0)
        const isolated = picture.positions.filter((each) => each.isolated && each.lots !== 0)
        const wallets = isolated.reduce((sum, { wallet }) => sum + wallet, 0)
        assert.deepEqual(
          [numbers.balance, numbers.pending, numbers.crossEquity, numbers.crossMaintenance],
          [picture.balance, picture.pending, picture.equity, picture.maintenance],
        )
        assert.equal(numbers.withdrawable, picture.withdrawable)
        assert.equal(numbers.marginUsed, required + wallets)
        assert.equal(numbers.spendable, Math.max(0, picture.equity - required))
        assert.equal(numbers.orders + numbers.stops, picture.orders.length)
        if (numbers.positions > 0) funded += 1
      }
      return undefined
    })
  assert.ok(funded > 500, `${funded}`)
})

test('the account of the worked numbers (MARGIN-9)', () => {
  const scene = given({ funds: { A: 500_000_000, B: 10 ** 12 } })
  scene.run({ type: 'SetFeeTiers', tiers: freeTiers })
  scene.own('A', 'SetLeverage', { market: BTC, leverage: 20 })
  scene.buys('A', 'B', 10_000, 60_000)
  scene.run({ type: 'SetFeeTiers', tiers: [{ volumeDollars: 0, makerPpm: 150, takerPpm: 400 }] })
  scene.mark(BTC, 59_800)
  scene.bid('A', 4_000, 59_000)
  scene.ask('A', 2_500, 61_000)
  const numbers = scene.view.accounts.numbersOf(scene.id('A'))
  assert.equal(numbers.crossEquity, 480_000_000)
  assert.equal(numbers.marginUsed, 419_556_800)
  assert.equal(numbers.spendable, 60_443_200)
  assert.equal(numbers.withdrawable, 0)
})

const hour = 3_600_000

/** An hour of samples with a premium, then the first command of the next hour. */
function intoNextHour(scene: Scene): void {
  scene.quietly(() => {
    for (scene.later(5_000); scene.now < START + hour; scene.later(5_000)) scene.mark(BTC, 60_000)
    scene.now = START + hour
    scene.run({ type: 'Tick' })
  })
}

// More positions than one command settles: the payments of the last accounts are still open, and a
// reader must see them all the same.
test('a read includes funding that no command has settled yet, and settles nothing', () => {
  const names = Array.from({ length: 150 }, (_, at) => `holder-${at}`)
  const scene = given({
    market: { impactValue: 1_000_000 },
    markets: ['BTC'],
    funds: { B: 10 ** 12 },
  })
  scene.quietly(() => {
    for (const name of names) scene.deposit(name, 10 ** 9)
    for (const [at, name] of names.entries()) {
      if (at % 3 === 0) scene.own(name, 'SetMarginMode', { market: BTC, isolated: true })
      if (at % 2 === 0) scene.buys(name, 'B', 1_000 + at, 60_000)
      else scene.sells(name, 'B', 1_000 + at, 60_000)
    }
    scene.bid('B', 1_000, 60_120)
  })
  intoNextHour(scene)
  const unsettled = names.filter((name) => {
    const row = scene.state.markets[BTC]!.rowOf[scene.id(name)]!
    return scene.state.positions.fundingEpoch[row]! < scene.state.markets[BTC]!.poolEpoch
  })
  assert.ok(unsettled.length > 10, `${unsettled.length}`)
  const bytes = encodeState(scene.state)
  const read = (name: string) => {
    const { updatedAt: _, ...position } = scene.view.positions.of(scene.id(name))[0]!
    return { position, numbers: scene.view.accounts.numbersOf(scene.id(name)) }
  }
  const before = unsettled.map(read)
  const wish = (name: string) =>
    scene.view.orders.preview({
      ...{ type: 'PlaceOrder', account: scene.id(name), market: BTC, proof: null, side: 'bid' },
      ...{ price: 59_000, size: 100, tif: 'GTC', reduceOnly: false, clientOrderId: null },
      ...{ takeProfit: null, stopLoss: null },
    } as never)
  const previews = unsettled.map(wish)
  assert.deepEqual(encodeState(scene.state), bytes)
  const paid = new Set(before.map(({ position }) => Math.sign(position.fundingPaid)))
  assert.deepEqual([...paid].sort(), [-1, 1])
  for (const name of unsettled)
    scene.own(name, 'CancelAllOrders', { market: null, excludeReduceOnly: false }).accepted()
  assert.equal(scene.state.openPools, 0)
  assert.deepEqual(unsettled.map(read), before)
  assert.deepEqual(unsettled.map(wish), previews)
})

test('the estimate of the next rate becomes the fixed rate (FUND-2)', () => {
  const scene = given({ market: { impactValue: 1_000_000 }, funds: { A: 10 ** 12 } })
  const btc = () => scene.view.markets.get(BTC)!
  assert.equal(btc().nextFundingRate, 12_500)
  scene.bid('A', 1_000, 60_120)
  scene.later(5_000).mark(BTC, 60_000)
  // One sample of 2,000,000 ppb and 718 points ahead: the first point of the hour has passed.
  const hoped = Math.trunc((2_000_000 * 719) / 720)
  assert.equal(btc().nextFundingRate, Math.trunc((hoped - 500_000) / 8))
  scene.quietly(() => {
    for (scene.later(5_000); scene.now < START + hour; scene.later(5_000)) scene.mark(BTC, 60_000)
  })
  const estimate = btc().nextFundingRate
  assert.equal(btc().fundingRate, 0)
  scene.now = START + hour
  scene.run({ type: 'Tick' })
  assert.equal(btc().fundingRate, estimate)
  assert.notEqual(estimate, 0)
})

test('the next rate is 0 without enough samples, and in a closed market (FUND-2)', () => {
  const scene = given({ markets: ['BTC'] })
  const rate = () => scene.view.markets.get(BTC)!.nextFundingRate
  // No prices arrive, so there is no sample. The newest point is still to be sampled, so that 360
  // points are ahead, and then 359.
  scene.wait(360 * 5_000).lacks('PremiumSampled')
  assert.equal(rate(), 12_500)
  scene.wait(5_000)
  assert.equal(rate(), 0)
  scene.wait(hour / 2)
  assert.equal(rate(), 12_500)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  assert.equal(rate(), 0)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  assert.equal(rate(), 12_500)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 }).accepted()
  assert.equal(rate(), 0)
})

test('the status of a market is the strictest that applies', () => {
  const scene = given({ markets: ['BTC', 'ETH'] })
  const status = () => scene.view.markets.get(BTC)!.status
  assert.equal(status(), 'live')
  scene.later(1_000).tick(BTC, 66_000)
  assert.equal(status(), 'catching_up')
  scene.wait(10_001)
  assert.equal(status(), 'stale')
  scene.wait(50_000)
  assert.equal(status(), 'cancel_only')
  scene.revive(BTC)
  assert.equal(status(), 'live')
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  assert.equal(status(), 'cancel_only')
  scene.run({ type: 'SetExchangeMode', mode: 'halted' })
  assert.equal(status(), 'halted')
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  assert.equal(status(), 'settled')
})

test('book levels round bids down and asks up, to the requested depth', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 10 ** 12 } })
  for (const price of [59_999, 59_995, 59_990, 59_989, 59_000]) scene.bid('A', 10, price)
  for (const price of [60_001, 60_009, 60_010, 60_011, 61_000]) scene.ask('A', 20, price)
  scene.bid('A', 5, 59_990)
  const gathered = scene.view.books.depth(BTC, 2, 10)
  assert.deepEqual(gathered.bids, [
    { price: 59_990, lots: 35, orders: 4 },
    { price: 59_980, lots: 10, orders: 1 },
  ])
  assert.deepEqual(gathered.asks, [
    { price: 60_010, lots: 60, orders: 3 },
    { price: 60_020, lots: 20, orders: 1 },
  ])
  const exact = scene.view.books.depth(BTC, 1_000, 1)
  assert.deepEqual(
    exact.bids.map(({ price }) => price),
    [59_999, 59_995, 59_990, 59_989, 59_000],
  )
  assert.deepEqual(exact.asks.at(-1), { price: 61_000, lots: 20, orders: 1 })
})

test('open orders are resting, waiting, stops and levels, newest first', () => {
  const market = { speedBumpMs: 200 }
  const scene = given({ market, markets: ['BTC'], funds: { A: 10 ** 12, B: 10 ** 12 } })
  scene.ask('B', 1_000, 60_000, { tif: 'ALO' })
  scene.bid('A', 400, 60_000, { tif: 'IOC' })
  scene.wait(200)
  const takeProfit = levelAt(61_000, { limitPrice: 61_100, size: 30 })
  const place = { tif: 'ALO', clientOrderId: 'mine', takeProfit, stopLoss: levelAt(58_000) }
  scene.bid('A', 100, 59_000, place)
  scene.ask('A', 300, 62_000, { tif: 'ALO', reduceOnly: true })
  scene.stop('A', 'bid', levelAt(63_000, { size: 7 }))
  scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', stopLoss: levelAt(57_000) })
  scene.take('A', 'bid', 50)
  const orders = scene.view.orders.openOf(scene.id('A'))
  const seen = orders.map((each) => [each.orderType, each.side, each.price, each.initialLots])
  assert.deepEqual(seen, [
    ['market', 'bid', 60_600, 50],
    ['stop_loss_market', 'ask', 0, 400],
    ['stop_market', 'bid', 0, 7],
    ['limit', 'ask', 62_000, 300],
    ['stop_loss_market', 'ask', 0, 100],
    ['take_profit_limit', 'ask', 61_100, 30],
    ['limit', 'bid', 59_000, 100],
  ])
  const ids = orders.map(({ order }) => order)
  assert.deepEqual(ids, scene.account('A').orders.toReversed())
  const parent = ids.at(-1)!
  assert.deepEqual(
    orders.map((each) => each.parent),
    [null, null, null, null, parent, parent, null],
  )
  assert.deepEqual(
    orders.map((each) => each.stopPrice),
    [null, 57_000, 63_000, null, 58_000, 61_000, null],
  )
  assert.equal(orders.at(-1)!.clientOrderId, 'mine')
  assert.equal(scene.view.accounts.numbersOf(scene.id('A')).stops, 4)
  const [partly] = scene.view.orders.openOf(scene.id('B'))
  assert.deepEqual([partly?.initialLots, partly?.filledLots], [1_000, 400])
})

test('a level that shrank with its position shows the difference', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 10 ** 12, B: 10 ** 12 } })
  scene.buys('A', 'B', 400, 60_000)
  const takeProfit = levelAt(61_000, { size: 300 })
  scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', takeProfit })
  const amounts = () => {
    const [level] = scene.view.orders.openOf(scene.id('A'))
    return [level?.initialLots, level?.cancelledLots]
  }
  assert.deepEqual(amounts(), [300, 0])
  scene.sells('A', 'B', 250, 60_000)
  assert.deepEqual(amounts(), [300, 150])
})

test('settings are listed where they differ from the defaults', () => {
  const scene = given({ funds: { A: 10 ** 10 } })
  const settings = () =>
    scene.view.accounts
      .settingsOf(scene.id('A'))
      .filter(({ differs }) => differs)
      .map(({ market, isolated, leverage, at }) => ({ market, isolated, leverage, at }))
  scene.bid('A', 100, 59_000)
  assert.deepEqual(settings(), [])
  scene.later(5).own('A', 'SetLeverage', { market: BTC, leverage: 10 })
  scene.own('A', 'SetMarginMode', { market: ETH, isolated: true })
  assert.deepEqual(settings(), [
    { market: BTC, isolated: false, leverage: 10, at: START + 5 },
    { market: ETH, isolated: true, leverage: 50, at: START + 5 },
  ])
  scene.own('A', 'SetLeverage', { market: BTC, leverage: 50 })
  scene.own('A', 'SetMarginMode', { market: ETH, isolated: false })
  assert.deepEqual(settings(), [])
})
