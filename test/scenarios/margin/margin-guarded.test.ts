// Guarded equity through both engines: what is allowed while the oracle runs after a price that
// moved fast, while the book is away from it, and what may be withdrawn while a market is stale.
// Before guarded equity these attacks paid.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, type Scene } from '../../support/scene.ts'

const big = { orderValueMax: 2 ** 52 }

/** The feed goes on until the oracle has caught up, and the exchange until all is done. */
function catchUp(scene: Scene, ticks: number): void {
  scene.quietly(() => {
    for (let turn = 0; turn < 30; turn++) scene.later(3_000).tick(BTC, ticks)
    for (let turn = 0; turn < 10; turn++) scene.wait(1)
  })
}

test('case 61: guarded price, equity and limit while the oracle falls (MARGIN-9)', () => {
  const row = worked('margin', 61)
  const [lots = 0, price = 0, rich = 0, ms = 0, raw = 0, poor = 0, low = 0] = row.given()
  const falls = (funds: number) => {
    const scene = given({ tiers: freeTiers, funds: { A: funds, B: 10 ** 12 } })
    scene.buys('A', 'B', lots, price)
    scene.later(ms).tick(BTC, raw)
    return scene
  }
  const scene = falls(rich)
  const { equity, withdrawable } = scene.account('A')
  scene
    .own('A', 'Withdraw', { amount: withdrawable + 1 })
    .refused('OVER_WITHDRAWAL', withdrawable + 1, withdrawable)
  scene.own('A', 'Withdraw', { amount: withdrawable }).accepted()
  const ruined = falls(poor)
  ruined.bid('B', lots, low)
  const closing = ruined.ask('A', lots, low, { reduceOnly: true, tif: 'IOC' })
  const guarded = rich - lots * (price - raw) * 10
  row.says(
    ...[scene.book().mark, raw, equity, guarded, withdrawable],
    closing.one('OrderPlaced').price,
  )
  assert.equal(ruined.held('A')[0], lots)
})

/** Quotes of C on two ticks of each side, half of the impact value on each; old enough to count at
 *  the tick that follows. `side`: whose impact price comes out in halves of a tick. */
function dislocate(scene: Scene, bid: number, ask: number, side: 'bid' | 'ask' = 'bid'): void {
  const low = Math.floor(side === 'bid' ? bid : ask)
  const impactValue = 100 * 10 * (low + low + 1)
  scene.run({ type: 'ChangeMarket', market: BTC, change: { impactValue } }).accepted()
  scene.own('C', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  for (const price of [Math.ceil(bid), Math.floor(bid)])
    scene.bid('C', 100, price, { tif: 'ALO' }).accepted()
  scene.bid('C', 100, Math.floor(bid) - 1, { tif: 'ALO' }).accepted()
  for (const price of [Math.floor(ask), Math.ceil(ask)])
    scene.ask('C', 100, price, { tif: 'ALO' }).accepted()
  scene.ask('C', 100, Math.ceil(ask) + 1, { tif: 'ALO' }).accepted()
  scene.later(250).tick(BTC, scene.book().oracle / 1_000_000)
}

test('case 65: the book bounds what a position counts at (MARGIN-9)', () => {
  const row = worked('margin', 65)
  const [leverageMax, mark = 0, ...quotes] = row.given()
  const money = 10 ** 9
  const lots = 1_000
  /** A long of A, or a short of B, from its mark; all that it has lost may not be withdrawn. */
  const countsAt = (bid: number, ask: number, sign: number) => {
    const funds = { A: money, B: money, C: 10 ** 12 }
    const scene = given({ tiers: freeTiers, funds, market: { leverageMax } })
    scene.buys('A', 'B', lots, mark)
    dislocate(scene, bid, ask, sign > 0 ? 'ask' : 'bid')
    const { withdrawable, equity } = scene.account(sign > 0 ? 'A' : 'B')
    assert.deepEqual([scene.book().mark, equity], [mark, money])
    const lost = money - lots * mark - withdrawable
    return mark - (sign * lost) / (lots * 10)
  }
  const [bid = 0, ask = 0, higherBid = 0, higherAsk = 0] = quotes
  row.says(
    ...[countsAt(bid, ask, 1), countsAt(bid, ask, -1)],
    ...[countsAt(higherBid, higherAsk, 1), countsAt(higherBid, higherAsk, -1)],
  )
})

/** A is long 1,000 lots at 60,000 with this balance, and the book is at 57,000. */
function belowIndex(money: number, isolated = false, market = {}): Scene {
  const funds = { A: money, B: 10 ** 12, C: 10 ** 12 }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds, market })
  if (isolated) scene.own('A', 'SetMarginMode', { market: BTC, isolated }).accepted()
  scene.buys('A', 'B', 1_000, 60_000)
  dislocate(scene, 56_990.5, 57_000.5, 'ask')
  return scene
}

// Guarded equity is 30,000,000 less than equity.
test('profit that the book does not confirm cannot back new orders (MARGIN-3, MARGIN-4)', () => {
  const scene = belowIndex(48_599_999)
  assert.equal(scene.account('A').equity, 48_599_999)
  scene.ask('B', 1_000, 30_000, { market: ETH })
  // 2 % of 600,000,000 for what is held, and of 330,000,000 for what is bought.
  scene
    .bid('A', 110, 30_000, { market: ETH, tif: 'IOC' })
    .refused('INSUFFICIENT_BALANCE', 18_600_000, 18_599_999)
  scene.deposit('A', 1).accepted()
  scene.bid('A', 110, 30_000, { market: ETH, tif: 'IOC' }).includes({ type: 'Traded' })
})

test('nor may it leave, by withdrawal or by a smaller leverage (MARGIN-3, MARGIN-7)', () => {
  const scene = belowIndex(100_000_000)
  // A tenth of 600,000,000 stays, and the loss at 57,000.
  assert.equal(scene.account('A').withdrawable, 10_000_000)
  scene
    .own('A', 'Withdraw', { amount: 10_000_001 })
    .refused('OVER_WITHDRAWAL', 10_000_001, 10_000_000)
  const set = (leverage: number) => scene.own('A', 'SetLeverage', { market: BTC, leverage })
  // 70,000,000 of guarded equity; 600,000,000 at 8x are 75,000,000.
  set(8).refused('INSUFFICIENT_BALANCE', 75_000_000, 70_000_000)
  set(9).accepted()
  const own = belowIndex(100_000_000, true)
  const move = (amount: number) => own.own('A', 'MoveIsolatedMargin', { market: BTC, amount })
  move(40_000_000).accepted()
  // 52,000,000 less 30,000,000, and 2 % of 600,000,000.
  move(-10_000_001).refused('INSUFFICIENT_BALANCE', 10_000_001, 10_000_000)
  move(-10_000_000).accepted()
})

test('the book neither causes nor prevents a liquidation (MARGIN-3, LIQ-1)', () => {
  // Healthy at mark with 8,000,000, far below zero at the book.
  const scene = belowIndex(13_000_000)
  scene.mark(BTC, 59_500).lacks('LiquidationStarted')
  assert.deepEqual(
    [scene.account('A').equity, scene.account('A').maintenance],
    [8_000_000, 5_950_000],
  )
  // A short is not saved by it either.
  const short = given({
    markets: ['BTC'],
    tiers: freeTiers,
    funds: { A: 13_000_000, B: 10 ** 12, C: 10 ** 12 },
  })
  short.sells('A', 'B', 1_000, 60_000)
  dislocate(short, 56_990.5, 57_000.5)
  short.mark(BTC, 60_800).includes({ type: 'LiquidationStarted', account: short.id('A') })
})

test('orders count from the next tick on, whatever their age (PRICE-6, MARGIN-3)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 8, B: 10 ** 12, C: 10 ** 12 } })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.ask('C', 40_000, 57_000, { tif: 'ALO' }).accepted()
  assert.equal(scene.account('A').withdrawable, 40_000_000)
  // A price outside the grid does not count as a tick.
  scene.tick(BTC, 2_000_000).refused('INVALID_PRICE', 2_000_000_000_000)
  assert.equal(scene.account('A').withdrawable, 40_000_000)
  scene.tick(BTC, 60_000)
  assert.equal(scene.account('A').withdrawable, 10_000_000)
})

test('a book in which nothing matches has no gap; the tick that opens it has (MARGIN-3)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 8, B: 10 ** 12, C: 10 ** 12 } })
  scene.buys('A', 'B', 1_000, 60_000)
  const mode = (name: string) => scene.run({ type: 'SetMarketMode', market: BTC, mode: name })
  mode('post_only')
  scene.ask('C', 40_000, 57_000, { tif: 'ALO' }).accepted()
  scene.tick(BTC, 60_000)
  assert.equal(scene.account('A').withdrawable, 40_000_000)
  mode('open')
  scene.wait(10_001)
  scene.tick(BTC, 60_000).includes({ type: 'FeedHealthChanged', health: 'live' })
  assert.equal(scene.account('A').withdrawable, 10_000_000)
})

test('an isolated position is not opened where the book is worth less (MARGIN-4)', () => {
  const funds = { A: 10 ** 11, B: 10 ** 12, C: 10 ** 12 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  dislocate(scene, 59_290.5, 59_300.5, 'ask')
  scene.own('C', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  scene.ask('B', 1_000, 60_000)
  // 2 % of 600,000,000 less 700 ticks, against 1 %.
  scene
    .bid('A', 1_000, 60_000, { tif: 'IOC' })
    .refused('IMMEDIATE_LIQUIDATION', 12_000_000 - 7_000_000, 6_000_000)
  scene.own('B', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  // Beyond the mark the premium comes along: the loss is the same.
  scene.ask('B', 1_000, 60_300)
  scene
    .bid('A', 1_000, 60_300, { tif: 'IOC' })
    .refused('IMMEDIATE_LIQUIDATION', 12_060_000 - 7_000_000, 6_000_000)
  scene.own('B', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  scene.ask('B', 1_000, 59_890)
  // At 59,890 the loss against the book is 5,900,000, and 2 % are 11,978,000.
  scene.bid('A', 1_000, 59_890, { tif: 'IOC' }).includes({ type: 'Traded', lots: 1_000 })
})

/** The lowest price at which A may sell this many lots. */
function lowestSale(scene: Scene, lots: number): number {
  const outcome = scene.ask('A', lots, 1_000, { reduceOnly: true, tif: 'ALO' })
  return outcome.one('OrderPlaced').price
}

test('how far a close may go is decided by guarded equity, row by row (MARGIN-5)', () => {
  // Guarded: 70,000,000 of 6,000,000. All of it may go for 50,000, and so may a half.
  const sound = belowIndex(100_000_000)
  assert.equal(lowestSale(sound, 1_000), 50_000)
  assert.equal(lowestSale(sound, 500), 50_000)
  // Guarded 3,000,000, below maintenance, with 33,000,000 at mark: a half may lose a half.
  const thin = belowIndex(33_000_000)
  assert.equal(lowestSale(thin, 1_000), 56_700)
  assert.equal(lowestSale(thin, 500), 56_700)
  // Guarded −2,000,000: the whole at 57,200 or better, and a half too.
  const owing = belowIndex(28_000_000)
  assert.equal(lowestSale(owing, 1_000), 57_200)
  assert.equal(lowestSale(owing, 500), 57_200)
})

test('case 69: a part closes at the bankruptcy price in several tiers too (MARGIN-9)', () => {
  const row = worked('margin', 69)
  const [fromValue = 0, maxLeverage = 0, leverageMax, lots = 0, entry = 0] = row.given()
  const [money = 0, ask = 0, part = 0] = row.given().slice(5)
  const market = { leverageMax, riskTiers: [{ fromValue, maxLeverage }] }
  const scenes = [false, true].map((isolated) => belowIndex(money, isolated, market))
  const [cross, isolated] = scenes as [Scene, Scene]
  // The wallet of the isolated position gets all that the account has.
  const [position] = isolated.account('A').positions
  const amount = money - (position?.wallet ?? 0)
  isolated.own('A', 'MoveIsolatedMargin', { market: BTC, amount }).accepted()
  const limits = scenes.map((scene) => [lowestSale(scene, lots), lowestSale(scene, part)])
  assert.deepEqual(limits[1], limits[0])
  const guarded = money - lots * (entry - Math.floor(ask)) * 10
  row.says(cross.account('A').maintenance, guarded, ...limits[0]!)
  // And it is sold at that price, in parts too.
  for (const scene of scenes) {
    scene.own('A', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
    scene.own('C', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
    const limit = limits[0]![0]!
    for (const size of [100, 300, 100]) scene.bid('B', size, limit).accepted()
    const sold = scene.ask('A', part, limit, { reduceOnly: true, tif: 'IOC' })
    assert.equal(sold.all('Traded').length, 3)
    assert.equal(scene.held('A')[0], lots - part)
  }
})

test('profit that the book does not confirm is not lost to a friend (MARGIN-5)', () => {
  // Two positions: profit of BTC at mark does not back a sale of ETH far below.
  const funds = { A: 100_000_000, B: 10 ** 12, C: 10 ** 12 }
  const scene = given({ markets: ['BTC', 'ETH'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 1_000, 57_000)
  scene.buys('A', 'B', 1_000, 30_000, ETH)
  dislocate(scene, 56_990.5, 57_000.5, 'ask')
  const { equity, maintenance } = scene.account('A')
  assert.deepEqual([equity, maintenance], [130_000_000, 36_000_000])
  const order = { market: ETH, reduceOnly: true, tif: 'ALO' } as const
  const { price } = scene.ask('A', 1_000, 1_000, order).one('OrderPlaced')
  // 100,000,000 guarded, of which BTC keeps its 6 of 36 parts.
  assert.equal(price, Math.ceil(30_000 - (100_000_000 * 30) / 36 / 100_000))
})

test('case 62: a stale market holds back its notional and no more (MARGIN-9)', () => {
  const row = worked('margin', 62)
  const [funds = 0, lots = 0, price = 0, ms = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { A: funds, B: 10 ** 12 } })
  scene.buys('A', 'B', lots, price, ETH)
  scene.wait(ms)
  assert.notEqual(scene.book(ETH).health, 'live')
  row.says(scene.account('A').withdrawable)
})

test('in a stale market orders that need more than the notional hold that back (MARGIN-7)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 9, B: 10 ** 12 } })
  scene.buys('A', 'B', 1, 30_000, ETH)
  scene.bid('A', 999, 30_000, { market: ETH })
  scene.wait(60_001)
  // 2 % of a thousand lots of three dollars, not the three dollars of one.
  assert.equal(scene.account('A').withdrawable, 10 ** 9 - 60_000_000)
})

// Two accounts of 100,000 dollars at 50x. The raw price falls by a fifth, and one sells to the
// other at a mark that is still above it; whatever the buyer lacks in the end the fund would pay.
test('two accounts that trade at the old mark take nothing out (MARGIN-4)', () => {
  for (const isolated of [false, true]) {
    const funds = { A: 10 ** 11, B: 10 ** 11, insurance: 10 ** 13 }
    const scene = given({ market: big, tiers: freeTiers, funds })
    for (const name of ['A', 'B']) scene.own(name, 'SetMarginMode', { market: BTC, isolated })
    scene.later(1_000).tick(BTC, 48_000)
    const { mark } = scene.book()
    for (const size of [8_000_000, 1_000_000, 300_000]) {
      scene.ask('A', size, mark, { tif: 'ALO' })
      scene.bid('B', size, mark, { tif: 'IOC' })
      // And the other way round: the buyer rests.
      scene.own('A', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
      scene.bid('B', size, mark, { tif: 'ALO' })
      scene.ask('A', size, mark, { tif: 'IOC' })
      scene.own('B', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
    }
    catchUp(scene, 48_000)
    const wealth = (name: string) => {
      const { equity, positions } = scene.account(name)
      const wallets = positions
        .filter((each) => each.isolated)
        .map(({ wallet, lots, cost }) => {
          return wallet + lots * scene.book().mark * 10 - cost
        })
      return wallets.reduce((sum, each) => sum + each, equity)
    }
    assert.ok(wealth('A') + wealth('B') <= 2 * 10 ** 11, `${wealth('A')} and ${wealth('B')}`)
    assert.equal(scene.balance('insurance'), 10 ** 13)
  }
})

test('an account that can carry the coming price may buy while it comes (MARGIN-4)', () => {
  const scene = given({ market: big, tiers: freeTiers, funds: { A: 10 ** 11, B: 10 ** 12 } })
  scene.later(1_000).tick(BTC, 48_000)
  const { mark } = scene.book()
  scene.ask('B', 10 ** 6, mark)
  // A lot at 58,800 loses 108,000 until 48,000, and needs 11,760: 835,004 lots are too many.
  scene.bid('A', 835_004, mark).refused('INSUFFICIENT_BALANCE', 9_819_647_040, 9_819_568_000)
  scene.bid('A', 835_003, mark).accepted()
  // A short is guarded by the mark: it gains by what is coming.
  assert.ok(scene.account('B').withdrawable > 0)
})

// An old position, ten times levered, that is bankrupt at the raw price: what is left of it at the
// mark would go to a friend who buys a part of it far below.
test('a position bankrupt at the raw price cannot be emptied to a friend (MARGIN-5)', () => {
  for (const isolated of [false, true]) {
    const scene = given({ tiers: freeTiers, funds: { A: 70_000_000, B: 10 ** 9, C: 10 ** 12 } })
    scene.deposit('insurance', 10 ** 12)
    scene.own('A', 'SetMarginMode', { market: BTC, isolated })
    scene.own('A', 'SetLeverage', { market: BTC, leverage: 10 })
    scene.buys('A', 'C', 1_000, 60_000)
    scene.later(1_000).tick(BTC, 48_000)
    for (const [lots, reduceOnly] of [
      [50, true],
      [100, false],
      [1_000, true],
    ] as const) {
      scene.bid('B', lots, 30_000, { tif: 'ALO' }).accepted()
      scene.ask('A', lots, 30_000, { tif: 'IOC', reduceOnly })
      scene.own('B', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
    }
    assert.equal(scene.held('A')[0], 1_000)
    assert.equal(scene.balance('B'), 10 ** 9)
    catchUp(scene, 48_000)
    assert.ok(scene.balance('A') + scene.balance('B') <= 70_000_000 + 10 ** 9)
  }
})

test('isolated margin leaves only beyond the guarded loss (MARGIN-6)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 9, B: 10 ** 12 } })
  const move = (amount: number) => scene.own('A', 'MoveIsolatedMargin', { market: BTC, amount })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys('A', 'B', 1_000, 60_000)
  move(200_000_000).accepted()
  scene.later(1_000).tick(BTC, 48_000)
  // 212 M less 120 M to the raw price, and 2 % of 588 M.
  move(-80_240_001).refused('INSUFFICIENT_BALANCE', 80_240_001, 80_240_000)
  move(-80_240_000).accepted()
})

test('a smaller leverage needs guarded equity, or the wallet of the position (MARGIN-8)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 200_000_000, B: 10 ** 12 } })
  const set = (leverage: number) => scene.own('A', 'SetLeverage', { market: BTC, leverage })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.later(1_000).tick(BTC, 48_000)
  // 80 M of guarded equity; 588 M at 7x are 84,000,504.
  set(7).refused('INSUFFICIENT_BALANCE', 84_000_504, 80_000_000)
  set(8).accepted()
  const own = given({ tiers: freeTiers, funds: { A: 200_000_000, B: 10 ** 12 } })
  own.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  own.buys('A', 'B', 1_000, 60_000)
  const lower = (leverage: number) => own.own('A', 'SetLeverage', { market: BTC, leverage })
  lower(40).refused('INSUFFICIENT_BALANCE', 15_000_000, 12_000_000)
  own.own('A', 'MoveIsolatedMargin', { market: BTC, amount: 3_000_000 }).accepted()
  lower(40).accepted()
})

test('liquidations are ordered by the mark, not by raw prices (LIQ-1, MARGIN-3)', () => {
  const funds = { S: 86_000_000, L: 62_000_000, B: 10 ** 12 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  const mode = (name: string) => scene.run({ type: 'SetMarketMode', market: BTC, mode: name })
  scene.mark(BTC, 61_000)
  scene.buys('L', 'B', 5_000, 61_000)
  // No account is liquidated on the way.
  mode('post_only')
  scene.mark(BTC, 59_000)
  mode('open')
  scene.sells('S', 'B', 5_000, 59_000)
  // At 60,180 the long has 21,000,000 left and the short 27,000,000; at 70,000 the latter owes.
  const outcome = scene.later(1_000).tick(BTC, 70_000)
  assert.deepEqual(
    outcome.all('LiquidationStarted').map(({ account, equity }) => [account, equity]),
    [
      [scene.id('L'), 21_000_000],
      [scene.id('S'), 27_000_000],
    ],
  )
})
