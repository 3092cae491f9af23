// Market data, black box: GET /info to the letter, and the other market reads.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dataOf, type Query, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live

const infoFields = [
  ...['symbol', 'tick_size', 'min_tick', 'max_tick', 'lot_size', 'max_leverage', 'isolated_only'],
  ...['min_order_size', 'max_order_size', 'funding_rate', 'next_funding_rate', 'created_at'],
  ...['instrument_type', 'base_asset'],
]
/** Shortest exact form: no exponent, no trailing zeros, never -0. */
const decimal = /^(?!-0$)-?(0|[1-9]\d*)(\.\d*[1-9])?$/

test('info has the envelope of the contract, and a market has exactly its fields', async () => {
  const answer = await api.get('/info')
  assert.deepEqual(Object.keys(answer.body), ['success', 'data', 'error', 'code'])
  const markets = dataOf<Row[]>(answer)
  assert.ok(markets.length >= 8)
  for (const market of markets) {
    assert.deepEqual(Object.keys(market), infoFields)
    for (const name of ['tick_size', 'min_tick', 'max_tick', 'lot_size', 'min_order_size'])
      assert.match(String(market[name]), decimal)
    for (const name of ['max_order_size', 'funding_rate', 'next_funding_rate'])
      assert.match(String(market[name]), decimal)
    for (const name of ['max_leverage', 'created_at'])
      assert.ok(Number.isSafeInteger(market[name]) && Number(market[name]) > 0)
    assert.equal(typeof market.isolated_only, 'boolean')
    assert.equal(market.instrument_type, 'perpetual')
    assert.equal(market.base_asset, market.symbol)
  }
  const symbols = markets.map(({ symbol }) => symbol)
  for (const symbol of ['BTC', 'ETH', 'SOL']) assert.ok(symbols.includes(symbol))
  assert.ok(new Set(markets.map(({ tick_size }) => tick_size)).size >= 5)
  assert.equal(markets.filter(({ isolated_only }) => isolated_only).length, 1)
  const times = markets.map(({ created_at }) => Number(created_at))
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  )
})

test('prices, fees, risk parameters and time are shown', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('SOL', '170')
  await live.trade({ buyer: alice, seller: bob, symbol: 'SOL', price: '170', amount: '2' })
  const prices = dataOf<Row[]>(await api.get('/info/prices'))
  const sol = prices.find(({ symbol }) => symbol === 'SOL')!
  assert.deepEqual(
    [sol.mark, sol.mid, sol.oracle, sol.open_interest, sol.volume_24h],
    ['170', '170', '170', '2', '340'],
  )
  await live.order(alice, { symbol: 'SOL', side: 'bid', price: '169', amount: '1' })
  await live.order(bob, { symbol: 'SOL', side: 'ask', price: '170.01', amount: '1' })
  const [mid] = dataOf<Row[]>(await api.get('/info/prices')).filter((row) => row.symbol === 'SOL')
  assert.equal(mid!.mid, '169.505')
  const fees = dataOf<Row[]>(await api.get('/info/fees'))
  assert.deepEqual(fees[0], { level: 0, maker_fee_rate: '0.00015', taker_fee_rate: '0.0004' })
  const all = dataOf<{ markets: Row[]; insurance: Row }>(await api.get('/info/risk'))
  assert.equal(all.markets.length, prices.length)
  for (const { status } of all.markets) assert.equal(status, 'live')
  const one = dataOf<{ markets: Row[] }>(await api.get('/info/risk', { symbol: 'SOL' }))
  assert.deepEqual(
    one.markets.map(({ symbol }) => symbol),
    ['SOL'],
  )
  const time = dataOf<{ now: number; engine_now: number }>(await api.get('/time'))
  assert.ok(Math.abs(time.now - Date.now()) < 60_000)
  const clock = dataOf(await api.get('/sandbox/clock'))
  assert.equal(time.engine_now, clock.engine_now)
})

test('book levels have price, size and count, aggregated and limited as requested', async () => {
  const alice = await live.trader()
  await live.price('DOGE', '0.2')
  const order = { symbol: 'DOGE', amount: '100' }
  for (const price of ['0.19999', '0.19999', '0.19991', '0.1985'])
    await live.order(alice, { ...order, side: 'bid', price })
  await live.order(alice, { ...order, side: 'ask', price: '0.20001' })
  const book = async (query = {}) =>
    dataOf<{ s: string; l: [Row[], Row[]]; t: number; li: number }>(
      await api.get('/book', { symbol: 'DOGE', ...query }),
    )
  const plain = await book()
  assert.deepEqual(Object.keys(plain), ['s', 'l', 't', 'li'])
  assert.deepEqual(plain.l, [
    [
      { p: '0.19999', a: '200', n: 2 },
      { p: '0.19991', a: '100', n: 1 },
      { p: '0.1985', a: '100', n: 1 },
    ],
    [{ p: '0.20001', a: '100', n: 1 }],
  ])
  assert.deepEqual((await book({ depth: 1 })).l[0], [{ p: '0.19999', a: '200', n: 2 }])
  assert.deepEqual((await book({ agg_level: 10 })).l, [
    [
      { p: '0.1999', a: '300', n: 3 },
      { p: '0.1985', a: '100', n: 1 },
    ],
    [{ p: '0.2001', a: '100', n: 1 }],
  ])
  const bad: readonly (readonly [Row, RegExp])[] = [
    [{ agg_level: 3 }, /agg_level must be one of 1, 2, 5, 10, 100, 1000, 10000/],
    [{ depth: 0 }, /depth must be >= 1/],
    [{ depth: 1_001 }, /depth must be <= 1000/],
  ]
  for (const [query, says] of bad) {
    const answer = await api.get('/book', { symbol: 'DOGE', ...query } as never)
    refused(answer, { status: 400, says })
    const keys = ['success', 'data', 'error', 'code']
    assert.deepEqual(Object.keys(answer.body), keys)
    assert.deepEqual([answer.body.success, answer.body.data], [false, null])
  }
  refused(await api.get('/book'), { status: 400, says: /lacks symbol/ })
})

test('an unknown market has the same error wherever it is named', async () => {
  const sentence = /^BOOK_NOT_FOUND: no market has this symbol; GET \/api\/v1\/info lists them all/
  const alice = await live.trader()
  const symbol = 'NOPE'
  const order = { symbol, side: 'bid', price: '1', amount: '1', tif: 'GTC', reduce_only: false }
  const start_time = 0
  const answers = [
    [400, 3, await api.get('/book', { symbol })],
    [400, 3, await api.get('/trades', { symbol })],
    [400, 3, await api.get('/kline', { symbol, interval: '1m', start_time })],
    [400, 3, await api.get('/funding_rate/history', { symbol })],
    [400, 3, await api.get('/info/risk', { symbol })],
    [400, 3, await api.get('/orders/history', { symbol, account: alice.address })],
    [400, 3, await live.sandbox('oracle', { symbol, price: '1' })],
    [422, 3, await api.signed(alice, '/orders/create', order)],
    [422, 3, await api.signed(alice, '/account/leverage', { symbol, leverage: 2 })],
    [400, 400, await api.get('/positions/history', { symbol })],
    [400, 400, await api.signed(alice, '/orders/cancel', { symbol, order_id: 1 })],
    [400, 400, await api.signed(alice, '/positions/tpsl', { symbol, side: 'bid' })],
  ] as const
  for (const [status, code, answer] of answers) {
    refused(answer, { status, code, says: sentence })
    assert.equal(answer.body.error, answers[0][2].body.error)
  }
})

test('the public trades are paged by time', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('SOL', '170')
  for (const amount of ['1', '2', '3', '4', '5']) {
    await live.trade({ buyer: alice, seller: bob, symbol: 'SOL', price: '170', amount })
    dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
  }
  const tape = async (query: Query = {}) =>
    dataOf<Row[]>(await api.get('/trades', { symbol: 'SOL', ...query }))
  const all = await tape()
  assert.deepEqual(
    all.slice(0, 5).map(({ amount }) => amount),
    ['5', '4', '3', '2', '1'],
  )
  const times = all.map(({ created_at }) => Number(created_at))
  assert.deepEqual(await tape({ start_time: times[2]! }), all.slice(0, 3))
  assert.deepEqual(await tape({ start_time: times[3]!, end_time: times[1]! }), all.slice(1, 4))
  assert.deepEqual(await tape({ end_time: times[1]! - 1, limit: 2 }), all.slice(2, 4))
  assert.deepEqual(await tape({ end_time: '9223372036854775807' }), all)
  assert.deepEqual(await tape({ start_time: 0, limit: 4_000 }), all)
  assert.deepEqual(await tape({ end_time: times.at(-1)! - 1 }), [])
  const found: Row[] = []
  for (let end_time = times[0]!; ; ) {
    const page = (await tape({ end_time, limit: 2 })).filter(
      (row) => !found.some(({ history_id }) => history_id === row.history_id),
    )
    if (page.length === 0) break
    found.push(...page)
    end_time = Number(page.at(-1)!.created_at)
  }
  assert.deepEqual(found, all)
  const reversed = { symbol: 'SOL', start_time: 2, end_time: 1 }
  refused(await api.get('/trades', reversed), { status: 400, says: /start_time must not be after/ })
})

test('trades are one row per match, newest first, as of one sequence number', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('XAU', '3400')
  const deal = { symbol: 'XAU', price: '3400' }
  await live.trade({ buyer: alice, seller: bob, ...deal, amount: '0.5' })
  await live.trade({ buyer: bob, seller: alice, ...deal, amount: '0.2' })
  const answer = await api.get('/trades', { symbol: 'XAU' })
  const { last_order_id, next_cursor, has_more, ...rest } = answer.body
  assert.deepEqual(Object.keys(rest), ['success', 'data', 'error', 'code'])
  assert.deepEqual([next_cursor, has_more], [null, false])
  assert.equal(last_order_id, live.running.exchange.seq())
  const trades = dataOf<Row[]>(answer)
  assert.deepEqual(
    trades.map((row) => [row.side, row.amount, row.price, row.event_type, row.cause]),
    [
      ['close_short', '0.2', '3400', 'fulfill_taker', 'normal'],
      ['open_long', '0.5', '3400', 'fulfill_taker', 'normal'],
    ],
  )
  const names = 'amount cause created_at event_type history_id price side'
  assert.equal(Object.keys(trades[0]!).sort().join(' '), names)
  const one = dataOf<Row[]>(await api.get('/trades', { symbol: 'XAU', limit: 1 }))
  assert.deepEqual(one, trades.slice(0, 1))
  for (const limit of ['4001', '9223372036854775807'])
    assert.deepEqual(dataOf(await api.get('/trades', { symbol: 'XAU', limit })), trades)
  for (const limit of [0, -1, '1.5'])
    refused(await api.get('/trades', { symbol: 'XAU', limit }), { status: 400, says: /limit must/ })
})
