// Guarded equity through both engines: what may be done while the oracle runs after a price that
// moved fast, and what may leave while a market is silent. The attacks paid before there was one.

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

test('case 65: a mark counts for its owner up to a part of its band (MARGIN-9)', () => {
  const row = worked('margin', 65)
  const [leverageMax, oracle = 0, ...marks] = row.given()
  const funds = { C: 10 ** 12 }
  const scene = given({ tiers: freeTiers, funds, market: { leverageMax } })
  const counted = marks.map((mark) => {
    scene.own('C', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
    scene.bid('C', 100_000, mark - 290, { tif: 'ALO' }).accepted()
    scene.ask('C', 100_000, mark + 290, { tif: 'ALO' }).accepted()
    scene.later(1_000).tick(BTC, oracle, { jump: true, external: mark * 1_000_000 })
    const { longMark, shortMark } = scene.state.markets[BTC]!
    return [longMark, shortMark]
  })
  row.says(...counted.map(([long]) => long), ...counted.map(([, short]) => short))
})

test('case 66: an unhealthy scope loses no part of a pushed mark to a friend (MARGIN-9)', () => {
  const row = worked('margin', 66)
  const [funds = 0, , , , , mark = 0, oracle = 0, lots = 0, low = 0] = row.given()
  const markets = ['BTC', 'ETH']
  const scene = given({ markets, tiers: freeTiers, funds: { A: funds, B: 10 ** 12, C: 10 ** 12 } })
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 500, 30_000, ETH)
  scene.bid('C', 100_000, mark - 290, { tif: 'ALO' })
  scene.ask('C', 100_000, mark + 290, { tif: 'ALO' })
  scene.later(1_000).tick(BTC, oracle, { jump: true, external: mark * 1_000_000 })
  const order = { market: ETH, reduceOnly: true, tif: 'IOC' } as const
  const { price } = scene.ask('A', lots, low, order).one('OrderPlaced')
  const { equity, maintenance } = scene.account('A')
  row.says(equity, maintenance, (mark - oracle) * 50_000, price)
})

test('case 62: a silent market keeps back its notional and no more (MARGIN-9)', () => {
  const row = worked('margin', 62)
  const [funds = 0, lots = 0, price = 0, ms = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { A: funds, B: 10 ** 12 } })
  scene.buys('A', 'B', lots, price, ETH)
  scene.wait(ms)
  assert.notEqual(scene.book(ETH).health, 'live')
  row.says(scene.account('A').withdrawable)
})

test('in a silent market orders that need more than the notional keep that back (MARGIN-7)', () => {
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

test('who can carry the price that is coming may buy while it comes (MARGIN-4)', () => {
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

// An old position, ten times levered, that is dead at the raw price: what is left of it at the mark
// would go to a friend who buys a part of it far below.
test('a position that is dead at the raw price cannot be emptied to a friend (MARGIN-5)', () => {
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

test('a smaller leverage asks for guarded equity, or the wallet of the position (MARGIN-8)', () => {
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

test('who is liquidated first is decided at the mark, not at raw prices (LIQ-1, MARGIN-3)', () => {
  const funds = { S: 86_000_000, L: 62_000_000, B: 10 ** 12 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  const mode = (name: string) => scene.run({ type: 'SetMarketMode', market: BTC, mode: name })
  scene.mark(BTC, 61_000)
  scene.buys('L', 'B', 5_000, 61_000)
  // Nobody is liquidated on the way.
  mode('post_only')
  scene.mark(BTC, 59_000)
  mode('open')
  scene.sells('S', 'B', 5_000, 59_000)
  // At 60,180 the long has 21,000,000 left and the short 27,000,000; at 70,000 the latter owes.
  const told = scene.later(1_000).tick(BTC, 70_000)
  assert.deepEqual(
    told.all('LiquidationStarted').map(({ account, equity }) => [account, equity]),
    [
      [scene.id('L'), 21_000_000],
      [scene.id('S'), 27_000_000],
    ],
  )
})

const grid = { tickMin: 54_000, tickMax: 66_000 }

test('case 67: marks count beyond a grid that the oracle has left (MARGIN-3)', () => {
  const row = worked('margin', 67)
  const [leverageMax, tickMin, tickMax, ...oracles] = row.given()
  assert.deepEqual({ tickMin, tickMax }, grid)
  const scene = given({ market: { ...grid, leverageMax }, markets: ['BTC'] })
  const counted = oracles.flatMap((oracle) => {
    const { mark } = scene.mark(BTC, oracle).one('MarkUpdated')
    const { longMark, shortMark } = scene.state.markets[BTC]!
    return [mark, longMark, shortMark]
  })
  row.says(...counted)
})

test('nobody opens at the edge of a grid that the oracle has left (MARGIN-3, MARGIN-4)', () => {
  for (const [oracle, edge, loser] of [
    [72_589, grid.tickMax, 'ask'],
    [48_604, grid.tickMin, 'bid'],
  ] as const) {
    const funds = { A: 20_000_000_000, B: 20_000_000_000 }
    const scene = given({ market: grid, markets: ['BTC'], tiers: freeTiers, funds })
    scene.mark(BTC, oracle)
    scene.place('A', loser === 'ask' ? 'bid' : 'ask', 1_400_000, edge, { tif: 'ALO' }).accepted()
    const taken = scene.place('B', loser, 1_400_000, edge, { tif: 'IOC' })
    assert.equal(taken.one('CommandRejected').rejection, 'INSUFFICIENT_BALANCE')
  }
})

test('whoever holds is liquidated as the oracle leaves the grid (MARGIN-3, LIQ-1)', () => {
  for (const [edge, side, oracles] of [
    [grid.tickMax, 'ask', [66_000, 66_500, 67_000, 67_500]],
    [grid.tickMin, 'bid', [54_000, 53_500, 53_000, 52_500]],
  ] as const) {
    const funds = { A: 10 ** 12, B: 300_000_000 }
    const scene = given({ market: grid, markets: ['BTC'], tiers: freeTiers, funds })
    scene.mark(BTC, edge)
    scene.place('A', side === 'ask' ? 'bid' : 'ask', 20_000, edge, { tif: 'ALO' }).accepted()
    scene.place('B', side, 20_000, edge, { tif: 'IOC' }).accepted()
    const fallen = oracles.map((oracle) => {
      const told = scene.later(3_000).mark(BTC, oracle)
      return told.all('LiquidationStarted').some(({ account }) => account === scene.id('B'))
    })
    assert.deepEqual(fallen.slice(0, 2), [false, false])
    assert.ok(fallen.includes(true))
  }
})

test('a price of twice the highest tick or more is none (PRICE-1, UNITS-4)', () => {
  const scene = given({ market: grid, markets: ['BTC'] })
  const most = 2 * grid.tickMax - 1
  scene.tick(BTC, most + 0.000001).refused('INVALID_PRICE', most * 1_000_000 + 1)
  scene.tick(BTC, 60_000, { external: 10 ** 15 }).accepted()
  scene.mark(BTC, most).accepted()
  const change = { tickMax: 2 * grid.tickMax }
  scene.run({ type: 'ChangeMarket', market: BTC, change }).accepted()
  scene.mark(BTC, most + 1).accepted()
})

test('case 68: an isolated short is not dead at birth at a pushed mark (MARGIN-4, LIQ-1)', () => {
  const row = worked('margin', 68)
  const [leverageMax, oracle = 0, mark = 0, lots = 0, low = 0, high = 0] = row.given()
  const funds = { A: 10 ** 11, B: 10 ** 12, C: 10 ** 12 }
  const scene = given({ market: { leverageMax }, markets: ['BTC'], tiers: freeTiers, funds })
  const cancelled = (name: string) =>
    scene.own(name, 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
  const pushed = () => {
    scene.bid('C', 100_000, mark - 290, { tif: 'ALO' }).accepted()
    scene.ask('C', 100_000, mark + 290, { tif: 'ALO' }).accepted()
    const told = scene.later(1_000).tick(BTC, oracle, { external: mark * 1_000_000 })
    assert.equal(told.one('MarkUpdated').mark, mark)
    cancelled('C')
    return told
  }
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
  pushed()
  const { shortMark } = scene.state.markets[BTC]!
  scene.bid('B', lots, low, { tif: 'ALO' }).accepted()
  const { rejection, first, second } = scene
    .ask('A', lots, low, { tif: 'IOC' })
    .one('CommandRejected')
  row.names(rejection)
  cancelled('B')
  scene.sells('A', 'B', lots, high)
  const { wallet = 0, cost = 0 } = scene.position('A') ?? {}
  const worth = wallet - lots * shortMark * 10 - cost
  row.says(shortMark, first, second, lots * mark * 0.5, worth)
  pushed().lacks('LiquidationStarted')
})
