// What anyone may read of the markets.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressNamed, exchangeOf, refusedWith, replyOf } from '../../../../test/support/desk.ts'
import { BTC, given, START } from '../../../../test/support/scene.ts'
import { bookQuery } from '../../../protocol/schemas/market-replies.ts'
import { Check } from '../../../protocol/schemas/typebox.ts'
import type { Exchange } from '../../exchange.ts'
import { getBook } from './get-book.ts'
import { getRisk } from './get-risk.ts'
import { getTrades } from './get-trades.ts'
import { getFees, getPrices, getTime } from './venue-reads.ts'

const alice = addressNamed('alice')
const bob = addressNamed('bob')
const funds = { [alice]: 10 ** 12, [bob]: 10 ** 12 }
type Row = Record<string, unknown>

test('prices: the middle may be half a tick, and is the mark while a side is empty', async () => {
  const scene = given({ markets: ['BTC', 'ETH'], funds })
  scene.buys(alice, bob, 250, 60_000)
  scene.bid(alice, 10, 59_990)
  const known = { volume24h: 150_000_001, oracle24hAgo: 59_907_250_000 }
  const prices = () => replyOf<Row[]>(getPrices, exchangeOf(scene, known))
  const [alone] = await prices()
  assert.equal(alone?.mid, '60000')
  scene.ask(bob, 10, 60_001)
  const [btc, eth] = await prices()
  assert.deepEqual(btc, {
    symbol: 'BTC',
    mark: '60000',
    mid: '59995.5',
    oracle: '60000',
    funding: '0',
    next_funding: '0.0000125',
    open_interest: '0.0025',
    volume_24h: '150.000001',
    yesterday_price: '59907.25',
    timestamp: START,
  })
  assert.deepEqual([eth?.mark, eth?.mid], ['3000', '3000'])
})

test('fee levels and times', async () => {
  const tiers = [
    { volumeDollars: 0, makerPpm: 150, takerPpm: 400 },
    { volumeDollars: 1_000, makerPpm: -50, takerPpm: 300 },
  ]
  const scene = given({ tiers })
  assert.deepEqual(await replyOf(getFees, exchangeOf(scene)), [
    { level: 0, maker_fee_rate: '0.00015', taker_fee_rate: '0.0004' },
    { level: 1, maker_fee_rate: '-0.00005', taker_fee_rate: '0.0003' },
  ])
  const early = exchangeOf(scene, { wallNow: START - 50 })
  assert.deepEqual(await replyOf(getTime, early), { now: START - 50, engine_now: START })
  const clock = { engineNow: START + 7, wallNow: START, frozen: true, offsetMs: 7 }
  const sandbox = { clock: () => clock } as unknown as Exchange['sandbox']
  const frozen = { ...exchangeOf(scene), sandbox }
  assert.deepEqual(await replyOf(getTime, frozen), { now: START, engine_now: START + 7 })
})

test('risk: tiers that an immediate change keeps, and pending changes', async () => {
  const scene = given({ markets: ['SOL'], funds })
  const change = { leverageMax: 10 }
  scene.run({ type: 'ChangeMarket', market: BTC, change, immediate: true }).accepted()
  type Risk = { markets: Row[] }
  const shown = async () => (await replyOf<Risk>(getRisk, exchangeOf(scene), {})).markets[0]!
  const tier = { from_value: '0', max_leverage: 10, maintenance_fraction: '0.05' }
  const kept = { ...tier, max_leverage: 50, maintenance_fraction: '0.01' }
  const { risk_tiers, kept_tiers, funding_rate_clamp } = await shown()
  assert.deepEqual(risk_tiers, [{ ...tier, initial_fraction: '0.1' }])
  assert.deepEqual(kept_tiers, [{ until: START + 3_600_000, tiers: [kept] }])
  assert.equal(funding_rate_clamp, '0.005')
  scene.wait(3_600_000)
  const after = await shown()
  assert.deepEqual(after.kept_tiers, [])
  assert.deepEqual([after.risk_tiers, after.funding_rate_clamp], [risk_tiers, '0.025'])
})

test('risk: parameters, reserves and bounds', async () => {
  const riskTiers = [{ fromValue: 1_000_000_000, maxLeverage: 25 }]
  const scene = given({ market: { riskTiers, speedBumpMs: 200 }, funds })
  scene.deposit('insurance', 5_000_000)
  type Risk = { markets: Row[]; insurance: Row; fees: Row; limits: Row }
  const risk = await replyOf<Risk>(getRisk, exchangeOf(scene), {})
  assert.equal(risk.markets.length, 3)
  assert.deepEqual(risk.insurance, { address: 'insurance', balance: '5' })
  assert.deepEqual(risk.fees, { address: 'fees', balance: '0' })
  assert.deepEqual([risk.limits.api_keys_per_account, risk.limits.slippage_percent_max], [5, '100'])
  const { markets } = await replyOf<Risk>(getRisk, exchangeOf(scene), { symbol: 'SOL' })
  assert.deepEqual(markets, [
    {
      symbol: 'SOL',
      status: 'live',
      mode: 'open',
      owner_limit: null,
      guarded_price: { long: '300', short: '300' },
      price_state: 'live',
      price_age_ms: 0,
      sources_apart: null,
      stale_after_ms: 10_000,
      observed_within_ms: 1_000,
      min_sources: 2,
      max_leverage: 50,
      risk_tiers: [
        {
          from_value: '0',
          max_leverage: 50,
          initial_fraction: '0.02',
          maintenance_fraction: '0.01',
        },
        {
          from_value: '1000',
          max_leverage: 25,
          initial_fraction: '0.04',
          maintenance_fraction: '0.02',
        },
      ],
      kept_tiers: [],
      pending_changes: [],
      maintenance_tiers: [
        { from_notional: '0', maintenance_fraction: '0.01', deduction: '0' },
        { from_notional: '1000', maintenance_fraction: '0.02', deduction: '10' },
      ],
      band: { near: '1', far: '1' },
      stop_slippage_percent: '0.5',
      speedbump_ms: 200,
      open_interest: '0',
      open_interest_cap: '10995116277.76',
      owner_interest_cap: '45035996273704.96',
      open_interest_scaling: { lower: '0', upper: '0' },
      impact_notional: '20000',
      // Half of the maintenance fraction is below 4 %.
      funding_samples_min: 360,
      funding_rate_clamp: '0.005',
      backstop: { address: 'backstop-SOL', balance: '0' },
      liquidation: {
        fee_part: '0.4',
        fee_max: '0.0075',
        concession: '0.5',
        dry_max: 3,
        step_max: '100000',
      },
      backstop_notional_cap: '1125899906.842624',
      backstop_daily_loss_cap: '1125899906.842624',
    },
  ])
})

test('a book has bids, then asks, best first, with the place it is true at', async () => {
  const scene = given({ markets: ['ETH'], funds })
  scene.bid(alice, 10, 29_999)
  scene.bid(bob, 5, 29_999)
  scene.ask(bob, 1_500, 30_010)
  scene.later(9).wait(1)
  const reply = await replyOf(getBook, exchangeOf(scene), { symbol: 'ETH' })
  assert.deepEqual(reply, {
    s: 'ETH',
    l: [[{ p: '2999.9', a: '0.015', n: 2 }], [{ p: '3001', a: '1.5', n: 1 }]],
    t: START + 10,
    li: scene.state.seq,
  })
  const coarse = await replyOf(getBook, exchangeOf(scene), { symbol: 'ETH', agg_level: 100 })
  assert.deepEqual(coarse.l, [[{ p: '2990', a: '0.015', n: 2 }], [{ p: '3010', a: '1.5', n: 1 }]])
})

test('the depth of a book and its grids are bounded', () => {
  const fits = (more: Row) => Check(bookQuery, { symbol: 'BTC', ...more })
  assert.ok([1, 2, 5, 10, 100, 1_000, 10_000].every((agg_level) => fits({ agg_level })))
  assert.ok(![0, 3, 50, 100_000, 1.5].some((agg_level) => fits({ agg_level })))
  assert.deepEqual(
    [0, 1, 1_000, 1_001].map((depth) => fits({ depth })),
    [false, true, true, false],
  )
})

test('trades show one row per match, seen from the taker', async () => {
  const scene = given({ funds })
  const row = { seq: 1, atMs: START, market: BTC, side: 'ask', price: 60_010, lots: 7 } as const
  const trades = [
    { ...row, history: 9, kind: 'force_close_long', cause: 'market_liquidation' },
    { ...row, history: 5, kind: 'open_short', cause: 'normal' },
  ] as const
  const exchange = exchangeOf(scene, { trades })
  const reply = await replyOf<{ rows: Row[] }>(getTrades, exchange, { symbol: 'BTC' })
  assert.deepEqual(reply.rows[0], {
    history_id: 9,
    event_type: 'fulfill_taker',
    price: '60010',
    amount: '0.00007',
    side: 'close_long',
    cause: 'market_liquidation',
    created_at: START,
  })
  const one = await replyOf<{ rows: Row[] }>(getTrades, exchange, { symbol: 'BTC', limit: 1 })
  assert.equal(one.rows.length, 1)
})

test('a market that is not listed is 400, without repeating the symbol', async () => {
  const exchange = exchangeOf(given())
  for (const operation of [getBook, getTrades, getRisk]) {
    const error = await refusedWith(replyOf(operation, exchange, { symbol: 'UNKNOWN' }))
    assert.deepEqual([error.status, error.code], [400, 3])
    assert.doesNotMatch(error.message, /UNKNOWN/)
  }
})
