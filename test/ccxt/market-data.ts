// Public reads of ccxt compared with our own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadSymbol } from 'ccxt'
import { BTC, ETH, num } from '../support/ccxt/ccxt-desk.ts'
import { desk } from '../support/ccxt/shared-desk.ts'
import type { Row } from '../support/http/api-client.ts'

test('markets have the price grid, the limits and the leverage of /info', async () => {
  const rest = desk.rest()
  const markets = await rest.loadMarkets()
  const info = (await desk.live.api.get<{ data: Row[] }>('/info')).body.data
  assert.deepEqual(
    Object.values(markets).map((market) => market!.id),
    info.map(({ symbol }) => symbol),
  )
  for (const row of info) {
    const market = markets[`${row.base_asset}/USDC:USDC`]!
    assert.deepEqual(market.precision, {
      amount: num(row.lot_size),
      price: num(row.tick_size),
    })
    const { leverage, price, cost } = market.limits
    assert.deepEqual(leverage, { min: 1, max: row.max_leverage })
    assert.deepEqual(price, { min: num(row.min_tick), max: num(row.max_tick) })
    assert.deepEqual(cost, { min: num(row.min_order_size), max: num(row.max_order_size) })
    assert.deepEqual(
      [market.type, market.swap, market.linear, market.created, market.active],
      ['swap', true, true, row.created_at, true],
    )
    assert.deepEqual(market.marginModes, { cross: row.isolated_only !== true, isolated: true })
  }
  assert.equal((await rest.fetchMarkets()).length, info.length)
  assert.equal((await rest.fetchSwapMarkets()).length, info.length)
  await assert.rejects(rest.fetchOrderBook('NOSUCH/USDC:USDC'), BadSymbol)
})

test('tickers, funding rates and open interest are those of /info/prices', async () => {
  const rest = desk.rest()
  const prices = await desk.read<Row[]>('/info/prices')
  const tickers = await rest.fetchTickers()
  const rates = await rest.fetchFundingRates()
  const interests = await rest.fetchOpenInterests()
  assert.equal(Object.keys(tickers).length, prices.length)
  for (const row of prices) {
    const symbol = `${row.symbol}/USDC:USDC`
    const { last, previousClose, quoteVolume, timestamp } = tickers[symbol]!
    assert.deepEqual([last, previousClose], [num(row.mid), num(row.yesterday_price)])
    assert.deepEqual([quoteVolume, timestamp], [num(row.volume_24h), row.timestamp])
    const rate = rates[symbol]!
    assert.deepEqual([rate.markPrice, rate.indexPrice], [num(row.mark), num(row.oracle)])
    assert.equal(rate.fundingRate, num(row.funding))
    assert.equal(rate.nextFundingRate, num(row.next_funding))
    const interest = interests[symbol]!
    assert.equal(interest.openInterestAmount, num(row.open_interest))
  }
  const btc = prices.find(({ symbol }) => symbol === 'BTC')!
  assert.ok(num(btc.open_interest) > 0 && num(btc.volume_24h) > 0)
  assert.equal((await rest.fetchTicker(BTC)).last, num(btc.mid))
  assert.deepEqual(Object.keys(await rest.fetchTickers([ETH])), [ETH])
  const { openInterestAmount, openInterestValue } = await rest.fetchOpenInterest(BTC)
  assert.equal(openInterestAmount, num(btc.open_interest))
  assert.equal(openInterestValue, num(btc.open_interest) * num(btc.mark))
  assert.deepEqual(await rest.fetchCurrenciesWs(), rest.currencies)
})

test('books and trades are those of /book and /trades', async () => {
  const rest = desk.rest()
  const maker = await desk.trader()
  const price = [99_000, 99_010, 101_000, 101_010]
  for (const [index, at] of price.entries())
    await maker.createOrder(BTC, 'limit', index < 2 ? 'buy' : 'sell', 0.01 * (index + 1), at)
  const book = await desk.read<{ l: Row[][]; t: number }>('/book', { symbol: 'BTC' })
  const sides = book.l.map((levels) => levels.map(({ p, a }) => [num(p), num(a)]))
  assert.ok(sides[0]!.length > 1 && sides[1]!.length > 1)
  const read = await rest.fetchOrderBook(BTC)
  assert.deepEqual([read.bids, read.asks], sides)
  assert.equal(read.timestamp, book.t)
  const level2 = await rest.fetchL2OrderBook(BTC)
  assert.deepEqual([level2.bids, level2.asks], sides)
  const grouped = await desk.read<{ l: Row[][] }>('/book', { symbol: 'BTC', agg_level: 1000 })
  const coarse = await rest.fetchOrderBook(BTC, undefined, { aggLevel: 1000 })
  assert.deepEqual(
    coarse.bids,
    grouped.l[0]!.map(({ p, a }) => [num(p), num(a)]),
  )
  assert.ok(coarse.bids.length < read.bids.length)

  const rows = await desk.read<Row[]>('/trades', { symbol: 'BTC' })
  const trades = await rest.fetchTrades(BTC)
  assert.ok(rows.length > 2)
  const byId = new Map(trades.map((trade) => [trade.id, trade]))
  for (const row of rows) {
    const trade = byId.get(String(row.history_id))!
    assert.deepEqual([trade.price, trade.amount], [num(row.price), num(row.amount)])
    assert.deepEqual([trade.timestamp, trade.symbol], [row.created_at, BTC])
    const buys = row.side === 'open_long' || row.side === 'close_short'
    assert.equal(trade.side, buys ? 'buy' : 'sell')
  }
  assert.equal((await rest.fetchTrades(BTC, undefined, 2)).length, 2)
})

test('candles of every timeframe, and those of the mark price, are those of /kline', async () => {
  const rest = desk.rest()
  const { engine_now: now } = await desk.read<{ engine_now: number }>('/time')
  for (const interval of Object.keys(rest.timeframes)) {
    const since = now - 2 * rest.parseTimeframe(interval) * 1000
    const query = { symbol: 'BTC', interval, start_time: since, end_time: now }
    const rows = await desk.read<Row[]>('/kline', query)
    assert.ok(rows.length > 0, interval)
    const wanted = rows.map(({ t, o, h, l, c, v }) => [t, num(o), num(h), num(l), num(c), num(v)])
    const candles = await rest.fetchOHLCV(BTC, interval, since, undefined, { until: now })
    // ccxt removes a candle that starts before `since`.
    assert.deepEqual(
      candles,
      wanted.filter(([start]) => (start as number) >= since),
    )
  }
  const start_time = now - 600_000
  const query = { symbol: 'BTC', interval: '1m', start_time, end_time: now }
  const paged = await rest.fetchOHLCV(BTC, '1m', start_time, 5, { paginate: true, until: now })
  assert.ok(paged.length <= 5 && paged.length > 0)
  const mark = (await rest.publicGetKlineMark(query)) as { data: readonly Row[] }
  assert.deepEqual(mark.data, await desk.read('/kline/mark', query))
  assert.ok(mark.data.length > 0)
})

test('in sandbox mode ccxt uses the other urls and requests no builder approval', async () => {
  const { live } = desk
  const trader = await desk.trader()
  const url = `${live.url}/ccxt`
  trader.urls.test = { public: url, private: url }
  trader.urls.api = { public: 'http://127.0.0.1:1', private: 'http://127.0.0.1:1' }
  trader.setSandboxMode(true)
  const { id } = await trader.createOrder(ETH, 'limit', 'buy', 0.1, 3_000)
  assert.equal(trader.options.builderFee, true)
  assert.equal((await trader.cancelOrder(id!, ETH)).status, 'canceled')
})
