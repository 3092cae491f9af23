// What clients of the public API expect, on the public port and on their own: fields, words, price
// grids, pages and lists, empty or not.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import ccxt from 'ccxt'
import { newKey } from '../../src/client/key.ts'
import { rejections } from '../../src/core/commands/rejections.ts'
import { refusalText } from '../../src/gateway/refusal-text.ts'
import { ApiClient, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { type OpenApi, Published } from '../support/http/published.ts'
import { type Frame, StreamClient } from '../support/streams/stream-client.ts'

const live = await frozenSandbox(['--compat-port', '0'])
after(() => live.close())
const root = `http://127.0.0.1:${live.running.compatPort}`
const document = (await (await fetch(`${root}/openapi.json`)).json()) as OpenApi
const both = [live.api, new ApiClient(root, new Published(document))]
await live.price('BTC', '100000')
await live.price('ETH', '3500')
const [alice, bob] = [await live.trader('900000000'), await live.trader('800000000')]
await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '100000', amount: '1' })
const account = alice.address

test('an account has no spot balances, and names the price that triggers stops', async () => {
  for (const api of both) {
    const row = dataOf(await api.get('/account', { account }))
    assert.deepEqual(
      [row.spot_balances, row.spot_collateral, row.spot_market_value, row.pending_interest],
      [[], '0', '0', '0'],
    )
    assert.equal(row.use_ltp_for_stop_orders, false)
  }
})

test('spot, vaults and loans are empty lists under the paths that ccxt uses', async () => {
  for (const api of both) {
    const urls = { api: { public: '', private: '' } }
    urls.api.public = api === live.api ? `${live.url}/ccxt` : root
    const client = new ccxt.pacifica({ urls, enableRateLimit: false }) as unknown as Record<
      string,
      (query: Row) => Promise<Row>
    >
    for (const method of [
      'publicGetSpotAssets',
      'publicGetSpotAssetsBridgeInfo',
      'publicGetAccountSpotBalanceHistory',
      'publicGetAccountSpotAssetDepositHistory',
      'publicGetAccountSpotAssetWithdrawHistory',
      'publicGetAccountSpotAssetWithdrawPending',
      'publicGetLoanPool',
      'publicGetAccountLoan',
    ]) {
      const reply = await client[method]!({ account })
      assert.deepEqual([reply.success, reply.data], [true, []], method)
    }
    assert.deepEqual((await client.publicGetLakeList!({ account })).data, { lakes: [] })
  }
})

test('the leaderboard is sorted by equity, with profits', async () => {
  for (const api of both) {
    const rows = dataOf<Row[]>(await api.get('/leaderboard'))
    const equities = rows.map((row) => Number(row.equity_current))
    assert.deepEqual(
      equities,
      equities.toSorted((one, other) => other - one),
    )
    const [first, second] = rows
    assert.deepEqual([first!.address, second!.address], [alice.address, bob.address])
    const { account_equity } = dataOf(await api.get('/account', { account }))
    assert.equal(first!.equity_current, account_equity)
    assert.equal(first!.oi_current, '100000')
    const fee = (Number(account_equity) - 900_000_000).toString()
    assert.deepEqual([first!.pnl_1d, first!.pnl_all_time, first!.username], [fee, fee, null])
    assert.equal(dataOf<Row[]>(await api.get('/leaderboard', { limit: 1 })).length, 1)
    assert.deepEqual(dataOf(await api.get('/leaderboard', { limit: 101 })), rows)
    refused(await api.get('/leaderboard', { limit: 0 }), { status: 400, says: /limit must be/ })
  }
})

test('a book can be aggregated by 2 and 5 ticks: bids down, asks up, nothing lost', async () => {
  // ETH has ticks of 0.1.
  const bids = ['3490', '3490.1', '3490.2', '3490.4', '3490.7']
  const asks = ['3500.1', '3500.2', '3500.3', '3500.6', '3501']
  const place = (side: string, price: string) =>
    live.order(bob, { symbol: 'ETH', side, price, amount: '0.1', tif: 'ALO' })
  for (const price of bids) await place('bid', price)
  for (const price of asks) await place('ask', price)
  const expected = {
    2: [
      ['3490.6 1 1', '3490.4 1 1', '3490.2 1 1', '3490 2 2'],
      ['3500.2 2 2', '3500.4 1 1', '3500.6 1 1', '3501 1 1'],
    ],
    5: [
      ['3490.5 1 1', '3490 4 4'],
      ['3500.5 3 3', '3501 2 2'],
    ],
  }
  const shown = (l: unknown) =>
    (l as Row[][]).map((side) => side.map(({ p, a, n }) => `${p} ${n} ${Number(a) * 10}`))
  const stream = await StreamClient.open(`${root.replace('http', 'ws')}/ws`)
  for (const [level, sides] of Object.entries(expected)) {
    for (const api of both) {
      const { l } = dataOf(await api.get('/book', { symbol: 'ETH', agg_level: level, depth: 50 }))
      assert.deepEqual(shown(l), sides, `agg_level ${level}`)
    }
    const frame = stream.nextOf('book')
    await stream.subscribe('book', { symbol: 'ETH', agg_level: Number(level) })
    assert.deepEqual(shown(((await frame).data as Row).l), sides)
  }
  await stream.close()
  for (const api of both)
    refused(await api.get('/book', { symbol: 'ETH', agg_level: 3 }), {
      status: 400,
      says: /agg_level must be one of 1, 2, 5, 10, 100, 1000, 10000/,
    })
})

test('a repeated subscribe returns the present state, and counts once', async () => {
  const stream = await StreamClient.open(`${root.replace('http', 'ws')}/ws`)
  const states: readonly (readonly [string, Row])[] = [
    ['book', { symbol: 'BTC' }],
    ['book_delta', { symbol: 'BTC' }],
    ['bbo', { symbol: 'BTC' }],
    ['candle', { symbol: 'BTC', interval: '1m' }],
    ['prices', {}],
    ['account_positions', { account }],
    ['positions', { user: account }],
    ['orders', { user: account }],
    ['account_orders', { account }],
    ['account_info', { account }],
  ]
  for (const [source, params] of states) {
    const first = stream.nextOf(source)
    await stream.subscribe(source, params)
    const one = await first
    const again = stream.nextOf(source)
    const { channel } = await stream.subscribe(source, params)
    assert.equal(channel, 'subscribe', source)
    const timeless = ({ data }: Frame) =>
      JSON.stringify(data).replaceAll(/"(t|li|prev)":\d+,?/g, '')
    assert.equal(timeless(await again), timeless(one), source)
  }
  // Events are still sent once.
  const before = stream.of('account_orders').length
  const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01', tif: 'ALO' }
  const frame = stream.nextOf('account_orders')
  await live.order(alice, order)
  const rows = (await frame).data as Row[]
  assert.deepEqual([rows.at(-1)!.ip, rows.at(-1)!.p], ['90000', '90000'])
  await stream.settle()
  assert.equal(stream.of('account_orders').length, before + 1)
  // Event channels have no state to send.
  await stream.subscribe('trades', { symbol: 'BTC' })
  await stream.subscribe('trades', { symbol: 'BTC' })
  await stream.settle()
  assert.deepEqual(stream.of('trades'), [])
  await stream.close()
})

test('p is the price of an order without a fill, and then the average', async () => {
  const stream = await StreamClient.open(`${root.replace('http', 'ws')}/ws`)
  const first = stream.nextOf('account_orders')
  await stream.subscribe('account_orders', { account })
  const rows = (await first).data as Row[]
  assert.ok(rows.length > 0)
  for (const row of rows) assert.equal(row.p, row.ip)
  const buys = { symbol: 'BTC', side: 'bid', price: '99000', amount: '0.04', tif: 'ALO' }
  const { order_id } = await live.order(alice, buys)
  const sells = { ...buys, side: 'ask', price: '98000', amount: '0.01', tif: 'IOC' }
  await live.order(bob, sells)
  await stream.settle()
  const last = stream.of('account_orders').at(-1)!.data as Row[]
  const row = last.find(({ i }) => i === order_id)!
  assert.deepEqual([row.ip, row.p, row.f, row.os], ['99000', '99000', '0.01', 'partially_filled'])
  await stream.close()
})

test('errors for missing objects contain the words not found', async () => {
  const subject = { account, params: null }
  for (const name of Object.keys(rejections) as (keyof typeof rejections)[])
    if (name.includes('NOT_FOUND')) assert.match(refusalText(name, subject, [1, 2, 3]), /not found/)
  for (const api of both) {
    const words = { status: 404, says: /not found/ }
    refused(await api.get('/orders/history_by_id', { order_id: 999_999 }), words)
    refused(await api.get('/orders/twap/history_by_id', { order_id: 999_999 }), words)
    refused(await api.get('/account', { account: newKey().address }), { ...words, code: 1 })
    refused(await api.get('/nowhere'), words)
    const gone = await api.signed(alice, '/orders/cancel', { symbol: 'BTC', order_id: 999_999 })
    assert.match(String(gone.body.error), /^ORDER_NOT_FOUND: .*not found/)
  }
})

test('an offset is accepted where pages use it, otherwise rejected by name', async () => {
  const lists = [
    ['/trades/history', { account }],
    ['/orders/history', { account }],
    ['/funding/history', { account }],
    ['/account/balance/history', { account }],
    ['/orders/twap/history', { account }],
    ['/funding_rate/history', { symbol: 'BTC' }],
    ['/open_interest/history', { symbol: 'BTC' }],
    ['/index_price/history', { symbol: 'BTC' }],
    ['/liquidations', {}],
    ['/account/spot_balance/history', { account }],
  ] as const
  for (const api of both) {
    for (const [path, query] of lists) {
      dataOf(await api.get(path, { ...query, offset: 0 }))
      const says = /^MALFORMED_REQUEST: offset 1 is not served: ask with cursor/
      refused(await api.get(path, { ...query, offset: 1 }), { status: 400, says })
    }
  }
  const [plain] = both
  const all = (await plain!.get<Row[]>('/positions/history', { account })).body
  const rest = (await plain!.get<Row[]>('/positions/history', { account, offset: 1 })).body
  assert.deepEqual(rest, all.slice(1))
})
