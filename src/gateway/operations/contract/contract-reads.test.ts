// The contract's reads, to the field.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressNamed,
  exchangeOf,
  fillRowsOf,
  refusedWith,
  replyOf,
} from '../../../../test/support/desk.ts'
import { BTC, ETH, given, type Scene, START } from '../../../../test/support/scene.ts'
import { getCcxtPositions } from './get-ccxt-positions.ts'
import { getInfo } from './get-info.ts'
import { getPositionHistory } from './get-position-history.ts'
import { getPositions } from './get-positions.ts'

const alice = addressNamed('alice')
const bob = addressNamed('bob')
const funds = { [alice]: 1_000_000_000, [bob]: 5_000_000_000 }

/** The worked numbers 1 to 4 of UNITS-5. */
function workedTrades(scene: Scene, steps: number): void {
  const trades = [
    () => scene.buys(alice, bob, 12_345, 60_001),
    () => scene.sells(bob, alice, 7, 60_013),
    () => scene.buys(bob, alice, 5_000, 60_500),
    () => scene.sells(alice, bob, 10_000, 59_900),
  ]
  for (const trade of trades.slice(0, steps)) trade()
}

test('a cross position is shown to the field, its margin net of the fees it has paid', async () => {
  const scene = given({ funds })
  workedTrades(scene, 2)
  scene.later(123)
  const positions = await replyOf<unknown[]>(getPositions, exchangeOf(scene), { account: alice })
  assert.deepEqual(positions, [
    {
      amount: '0.12352',
      createdAt: '2023-11-14T23:00:00.000000Z',
      entryPrice: '60001.00680051813471502590674',
      isolated: false,
      // 12,352 × 600,000 − 7,411,324,360 − 2,962,850 − 631
      margin: '-3.087841',
      side: 'bid',
      symbol: 'BTC',
      updatedAt: '2023-11-14T23:00:00.000000Z',
    },
  ])
  const [short] = await replyOf<{ side: string }[]>(getPositions, exchangeOf(scene), {
    account: bob,
  })
  assert.equal(short?.side, 'ask')
})

test('an isolated position shows its wallet, and a flat one is not listed', async () => {
  const scene = given({ funds: { [alice]: 4_000_000_000, [bob]: 10 ** 12 } })
  scene.own(alice, 'SetMarginMode', { market: ETH, isolated: true })
  scene.own(alice, 'SetLeverage', { market: ETH, leverage: 20 })
  scene.buys(alice, bob, 20_000, 30_000, ETH)
  scene.sells(alice, bob, 7_001, 29_400, ETH)
  const list = () =>
    replyOf<Record<string, unknown>[]>(getPositions, exchangeOf(scene), { account: alice })
  const [position] = await list()
  assert.deepEqual(
    [position?.amount, position?.isolated, position?.margin, position?.symbol],
    ['12.999', true, '1949.85', 'ETH'],
  )
  scene.sells(alice, bob, 12_999, 29_400, ETH)
  assert.deepEqual(await list(), [])
})

test('an unknown address has no positions; an invalid one is refused', async () => {
  const exchange = exchangeOf(given())
  assert.deepEqual(await replyOf(getPositions, exchange, { account: addressNamed('absent') }), [])
  for (const account of ['alice', `${alice}1`, alice.slice(4), 'O0Il']) {
    const error = await refusedWith(replyOf(getPositions, exchange, { account }))
    assert.deepEqual([error.status, error.code, error.errorName], [400, 400, 'INVALID_ADDRESS'])
    assert.match(error.message, /^INVALID_ADDRESS: Invalid public key/)
  }
})

test('where reads are the owner’s, only a key of that account reads it', async () => {
  const scene = given({ funds })
  workedTrades(scene, 1)
  const exchange = exchangeOf(scene, { reads: 'owner', rows: { fills: fillRowsOf(scene) } })
  const account = { account: alice }
  for (const operation of [getPositions, getCcxtPositions, getPositionHistory])
    for (const key of [null, bob]) {
      const error = await refusedWith(replyOf(operation, exchange, account, key))
      assert.deepEqual([error.status, error.errorName], [401, 'CREDENTIALS_REQUIRED'])
    }
  assert.equal((await replyOf<[]>(getPositions, exchange, account, alice)).length, 1)
  const everyone = await refusedWith(replyOf(getPositionHistory, exchange, {}, alice))
  assert.equal(everyone.status, 401)
})

type Record_ = Record<string, unknown>

test('position history: one record per side and direction, profit net of the fee', async () => {
  const scene = given({ funds })
  workedTrades(scene, 4)
  const exchange = exchangeOf(scene, { rows: { fills: fillRowsOf(scene) } })
  const records = await replyOf<Record_[]>(getPositionHistory, exchange, { account: alice })
  const shown = records.map((each) => [each.eventType, each.amount, each.pnl, each.fee])
  assert.deepEqual(shown, [
    ['open_short', '0.02648', '-0.634461', '0.634461'],
    ['close_long', '0.07352', '-9.18756', '1.76154'],
    ['close_long', '0.05', '24.49591', '0.45375'],
    ['open_long', '0.00007', '-0.000631', '0.000631'],
    ['open_long', '0.12345', '-2.96285', '2.96285'],
  ])
  assert.deepEqual(records[3], {
    amount: '0.00007',
    counterParty: bob,
    createdAt: '2023-11-14T23:00:00.000000Z',
    entryPrice: '60001.00680051813471502590674',
    eventType: 'open_long',
    fee: '0.000631',
    historyId: 4,
    isMaker: true,
    pnl: '-0.000631',
    price: '60013',
    symbol: 'BTC',
  })
})

test('position history filters by market, time, account, and pages by limit, offset', async () => {
  const scene = given({ funds })
  workedTrades(scene, 2)
  scene.later(1_000)
  scene.buys(alice, bob, 100, 30_000, ETH)
  const exchange = exchangeOf(scene, { rows: { fills: fillRowsOf(scene) } })
  const ids = async (request: Record_) =>
    (await replyOf<{ historyId: number }[]>(getPositionHistory, exchange, request)).map(
      ({ historyId }) => historyId,
    )
  const all = await ids({})
  assert.deepEqual(
    all,
    all.toSorted((one, other) => other - one),
  )
  assert.equal(all.length, 6)
  assert.deepEqual(await ids({ limit: 2, offset: 1 }), all.slice(1, 3))
  assert.deepEqual(await ids({ symbol: 'ETH' }), all.slice(0, 2))
  assert.deepEqual(await ids({ end_time: START }), all.slice(2))
  assert.deepEqual(await ids({ start_time: START + 1_000, account: alice }), [5])
  const errors = [
    { request: { symbol: 'btc' }, name: 'BOOK_NOT_FOUND' },
    { request: { start_time: 2, end_time: 1 }, name: 'MALFORMED_REQUEST' },
    { request: { account: 'x' }, name: 'INVALID_ADDRESS' },
  ]
  for (const { request, name } of errors) {
    const error = await refusedWith(replyOf(getPositionHistory, exchange, request))
    assert.deepEqual([error.status, error.errorName], [400, name])
  }
})

test('a deleveraging has the price that its value gives', async () => {
  const scene = given({ funds })
  workedTrades(scene, 1)
  const [fill] = fillRowsOf(scene)
  const forced = { kind: 'force_close_long', cause: 'deleverage', price: 0 } as const
  const row = { ...fill!, ...forced, lots: 3, value: 20_000_000, order: 0 }
  const exchange = exchangeOf(scene, { rows: { fills: [row] } })
  const [record] = await replyOf<Record_[]>(getPositionHistory, exchange, {})
  // 20 USD for 0.00003 BTC.
  assert.equal(record?.price, '666666.6666666666666666666667')
  assert.equal(record?.eventType, 'force_close_long')
})

test('markets are shown to the field, oldest first, and settled ones not at all', async () => {
  const scene = given({ markets: ['ETH'] })
  scene.later(10).list('BTC', { isolatedOnly: true })
  const markets = await replyOf<Record_[]>(getInfo, exchangeOf(scene))
  assert.deepEqual(
    markets.map(({ symbol }) => symbol),
    ['ETH', 'BTC'],
  )
  assert.deepEqual(markets[0], {
    symbol: 'ETH',
    tick_size: '0.1',
    min_tick: '0.1',
    max_tick: '100000',
    lot_size: '0.001',
    max_leverage: 50,
    isolated_only: false,
    min_order_size: '1',
    max_order_size: '1000000',
    funding_rate: '0',
    next_funding_rate: '0.0000125',
    created_at: START,
    instrument_type: 'perpetual',
    base_asset: 'ETH',
  })
  assert.deepEqual([markets[1]?.created_at, markets[1]?.isolated_only], [START + 10, true])
  scene.run({ type: 'SettleMarket', market: 1, price: 30_000 })
  const left = await replyOf<Record_[]>(getInfo, exchangeOf(scene))
  assert.deepEqual(
    left.map(({ symbol }) => symbol),
    ['BTC'],
  )
})

test('the form for clients: milliseconds, margin 0 on cross, a liquidation price', async () => {
  const scene = given({ tiers: [{ volumeDollars: 0, makerPpm: 0, takerPpm: 0 }], funds })
  scene.sells(alice, bob, 10_000, 60_000)
  scene.mark(BTC, 59_800)
  const reply = await replyOf(getCcxtPositions, exchangeOf(scene), { account: alice })
  assert.deepEqual(reply, {
    rows: [
      {
        symbol: 'BTC',
        side: 'ask',
        amount: '0.1',
        entry_price: '60000',
        margin: '0',
        funding: '0',
        isolated: false,
        // (1,000,000,000 + 6,000,000,000) ÷ 101,000, rounded down
        liquidation_price: '69306',
        created_at: START,
        updated_at: START,
      },
    ],
    last_order_id: scene.state.seq,
  })
  const none = await replyOf(getCcxtPositions, exchangeOf(scene), { account: addressNamed('new') })
  assert.deepEqual(none.rows, [])
})
