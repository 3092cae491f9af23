// The pro class: watching compared with REST, unwatching, and trading.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as ccxt from 'ccxt'
import { BTC, ETH, num, type Pro, picked } from '../support/ccxt/ccxt-desk.ts'
import { desk } from '../support/ccxt/shared-desk.ts'
import type { Row } from '../support/http/api-client.ts'

// Nothing here waits for a time; the limit is for a test that waits in vain.
const patience = { timeout: 60_000 }
const SOL = 'SOL/USDC:USDC'

const fresh = async () => desk.pro(await desk.live.trader())

/** Watches until ccxt's cache has the expected data. It may have arrived before the watch, so the
 *  cache is checked first; nothing can arrive between the check and the watch. */
async function until(good: () => boolean, watch: () => Promise<unknown>): Promise<void> {
  while (!good()) await watch()
}

const byId = <T extends { id?: string | undefined }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.id, row]))

const wireBook = async (symbol: string, agg_level = 1) => {
  const { l } = await desk.read<{ l: Row[][] }>('/book', { symbol, agg_level })
  return l.map((levels) => levels.map(({ p, a }) => [num(p), num(a)]))
}

test('a watched book is that of /book after each change', patience, async () => {
  const trader = await fresh()
  await desk.live.price('SOL', '200')
  const first = await trader.watchOrderBook(SOL)
  assert.deepEqual([[...first.bids], [...first.asks]], [[], []])
  const seq = first.nonce!
  for (const price of [190, 191, 189]) {
    await trader.createOrderWs(SOL, 'limit', 'buy', 1, price)
    await trader.createOrderWs(SOL, 'limit', 'sell', 2, 400 - price)
  }
  const levels = () => [trader.orderbooks[SOL]!.bids, trader.orderbooks[SOL]!.asks]
  const full = () => levels().every(({ length }) => length === 3)
  await until(full, () => trader.watchOrderBook(SOL))
  const book = trader.orderbooks[SOL]!
  assert.deepEqual([[...book.bids], [...book.asks]], await wireBook('SOL'))
  assert.equal(book.bids[0]![0], 191)
  assert.ok(book.nonce! > seq)
  await trader.cancelAllOrdersWs(SOL)
  const empty = () => levels().every(({ length }) => length === 0)
  await until(empty, () => trader.watchOrderBook(SOL))
  assert.equal(await trader.unWatchOrderBook(SOL), true)
  assert.equal(trader.orderbooks[SOL], undefined)

  await trader.createOrderWs(SOL, 'limit', 'buy', 1, 190.01)
  await trader.createOrderWs(SOL, 'limit', 'buy', 1, 190.02)
  const coarse = await trader.watchOrderBook(SOL, undefined, {
    params: { source: 'book', symbol: 'SOL', agg_level: 100 },
  })
  assert.deepEqual([...coarse.bids], (await wireBook('SOL', 100))[0])
  assert.equal(coarse.bids.length, 1)
  await trader.cancelAllOrdersWs(SOL)
})

test('watched tickers, all and single, are those of /info/prices', patience, async () => {
  const trader = await fresh()
  const [tickers, one] = await Promise.all([trader.watchTickers(), trader.watchTicker(SOL)])
  assert.equal(one.last, 200)
  const prices = await desk.read<Row[]>('/info/prices')
  assert.equal(Object.keys(tickers).length, prices.length)
  await desk.live.price('SOL', '201')
  const lastIs = (price: number) => () => trader.tickers[SOL]?.last === price
  await until(lastIs(201), () => trader.watchTicker(SOL))
  const ticker = trader.tickers[SOL]!
  const row = (await desk.read<Row[]>('/info/prices')).find(({ symbol }) => symbol === 'SOL')!
  assert.deepEqual(
    [ticker.last, ticker.previousClose, ticker.quoteVolume],
    [num(row.mid), num(row.yesterday_price), num(row.volume_24h)],
  )
  assert.equal(await trader.unWatchTickers(), true)
  assert.deepEqual(trader.tickers, {})
  await desk.live.price('SOL', '200')
  const again = await trader.watchTickers([SOL])
  assert.deepEqual(Object.keys(again), [SOL])
  await until(lastIs(200), () => trader.watchTickers([SOL]))
})

/** The class's fields of an order over either transport. */
const orderFields = [
  ...['id', 'clientOrderId', 'symbol', 'side', 'type', 'status', 'price', 'amount', 'filled'],
  ...['remaining', 'average', 'reduceOnly', 'triggerPrice', 'timestamp', 'lastUpdateTimestamp'],
]
const tradeFields = [
  ...['id', 'order', 'symbol', 'side', 'price', 'amount', 'takerOrMaker', 'timestamp', 'fee'],
]

test(
  'subscribe, then read, then continue misses no order (docs/api/ccxt.md)',
  patience,
  async () => {
    const key = await desk.live.trader()
    const [reader, trader] = [await desk.pro(key), await desk.pro(key)]
    const ids = [(await buy(trader, 0.01, 80_000)).id]
    const orders = new Map<string, ccxt.Order>()
    const apply = (changed: readonly ccxt.Order[]) => {
      for (const order of changed) orders.set(order.id!, order)
    }
    await reader.loadMarkets()
    let next = reader.watchOrders()
    await reader.watchOrderBook(BTC)
    ids.push((await buy(trader, 0.01, 80_001)).id)
    apply(await reader.fetchOpenOrders())
    ids.push((await buy(trader, 0.01, 80_002)).id)
    while (orders.size < 3) {
      apply(await next)
      next = reader.watchOrders()
    }
    assert.deepEqual([...orders.keys()].sort(), ids.map((id) => id!).sort())
    await trader.cancelAllOrdersWs()
    const isOpen = () => [...orders.values()].some(({ status }) => status === 'open')
    for (; isOpen(); next = reader.watchOrders()) apply(await next)
    // The last watch ends with its client.
    next.catch(() => undefined)
  },
)

test('trades, candles, own orders and own trades are those of REST', patience, async () => {
  const [maker, taker] = [await fresh(), await fresh()]
  await maker.createOrderWs(SOL, 'limit', 'sell', 1, 200.1)
  await maker.createOrderWs(SOL, 'limit', 'sell', 1, 200.2)
  // Requested before the order on the same connection, which keeps requests in order.
  const trades = taker.watchTrades(SOL)
  const candles = taker.watchOHLCV(SOL, '1m')
  const own = taker.watchMyTrades()
  const ofSymbol = taker.watchMyTrades(SOL)
  const orders = taker.watchOrders()
  const ordersOfSymbol = taker.watchOrders(SOL)
  const clientOrderId = randomUUID()
  const bought = await taker.createMarketOrderWs(SOL, 'buy', 1.5, undefined, { clientOrderId })
  assert.deepEqual([bought.status, bought.clientOrderId], ['open', clientOrderId])

  await Promise.all([trades, own, ofSymbol, orders, ordersOfSymbol])
  const done = (await taker.fetchOrders(SOL)).at(-1)!
  assert.deepEqual([done.id, done.status, done.filled], [bought.id, 'closed', 1.5])
  const watched = () => byId([...taker.orders!] as ccxt.Order[]).get(done.id)!
  await until(
    () => watched().status === 'closed',
    () => taker.watchOrders(SOL),
  )
  assert.deepEqual(picked(watched(), ...orderFields), picked(done, ...orderFields))

  const mine = await taker.fetchMyTrades(SOL)
  assert.equal(mine.length, 2)
  await until(
    () => taker.myTrades!.length === 2,
    () => taker.watchMyTrades(),
  )
  const seen = byId([...taker.myTrades!] as ccxt.Trade[])
  for (const trade of mine)
    assert.deepEqual(picked(seen.get(trade.id), ...tradeFields), picked(trade, ...tradeFields))
  const fetched = await taker.fetchTrades(SOL)
  await until(
    () => taker.trades[SOL]!.length === 2,
    () => taker.watchTrades(SOL),
  )
  const tape = byId([...taker.trades[SOL]!] as ccxt.Trade[])
  for (const trade of fetched)
    assert.deepEqual(picked(tape.get(trade.id), ...tradeFields), picked(trade, ...tradeFields))

  const { engine_now: until_ } = await desk.read<{ engine_now: number }>('/time')
  const [candle] = await taker.fetchOHLCV(SOL, '1m', until_ - (until_ % 60_000), 1, {
    until: until_,
  })
  await candles
  const last = () => taker.ohlcvs[SOL]!['1m']!.at(-1)! as number[]
  await until(
    () => last()[5] === candle![5],
    () => taker.watchOHLCV(SOL, '1m'),
  )
  assert.deepEqual(last(), candle)
  assert.deepEqual(last().slice(1), [200.1, 200.2, 200.1, 200.2, 1.5])
  await maker.cancelAllOrdersWs()
})

test('after unwatch no more updates arrive', patience, async () => {
  const [maker, taker] = [await fresh(), await fresh()]
  const watches = [taker.watchTrades(SOL), taker.watchMyTrades(), taker.watchOrders()]
  const candle = taker.watchOHLCV(SOL, '1m')
  await maker.createOrderWs(SOL, 'limit', 'sell', 1, 200.1)
  await taker.createOrderWs(SOL, 'limit', 'buy', 1, 200.1)
  await Promise.all([...watches, candle])
  assert.equal(await taker.unWatchTrades(SOL), true)
  assert.equal(await taker.unWatchMyTrades(), true)
  assert.equal(await taker.unWatchOrders(), true)
  assert.equal(await taker.unWatchOHLCV(SOL, '1m'), true)
  await assert.rejects(taker.unWatchOrders(SOL), ccxt.NotSupported)
  await assert.rejects(taker.unWatchMyTrades(SOL), ccxt.NotSupported)

  // A trade, and then a book frame that is sent after any frame of that trade.
  await taker.watchOrderBook(SOL)
  await maker.createOrderWs(SOL, 'limit', 'sell', 1, 200.1)
  await taker.createOrderWs(SOL, 'limit', 'buy', 1, 200.1)
  await maker.createOrderWs(SOL, 'limit', 'sell', 1, 210)
  await until(
    () => taker.orderbooks[SOL]!.asks[0]?.[0] === 210,
    () => taker.watchOrderBook(SOL),
  )
  assert.equal(taker.trades[SOL], undefined)
  assert.equal(taker.orders?.length ?? 0, 0)
  assert.equal(taker.myTrades?.length ?? 0, 0)
  assert.equal(taker.ohlcvs[SOL]?.['1m'], undefined)

  // And it can be watched again.
  const again = taker.watchMyTrades(SOL)
  await taker.createOrderWs(SOL, 'limit', 'buy', 0.5, 210)
  assert.equal((await again).at(-1)!.amount, 0.5)
  await maker.cancelAllOrdersWs()
})

test('orders are placed, edited and cancelled over the socket', patience, async () => {
  const trader = await fresh()
  const open = async () => (await trader.fetchOpenOrders()).map(({ id }) => id).sort()
  const params = { clientOrderId: randomUUID(), timeInForce: 'PO' }
  const first = await trader.createOrderWs(ETH, 'limit', 'buy', 0.1, 3_000, params)
  assert.deepEqual([first.clientOrderId, first.status], [params.clientOrderId, 'open'])
  const edited = await trader.editOrderWs(first.id!, ETH, 'limit', 'buy', 0.2, 3_001)
  assert.equal(edited.clientOrderId, params.clientOrderId)
  const { price, amount } = await trader.fetchOrder(edited.id!)
  assert.deepEqual([price, amount], [3_001, 0.2])
  assert.deepEqual(await open(), [edited.id])
  const cancelled = await trader.cancelOrderWs(edited.id!, ETH)
  assert.equal(cancelled.id, edited.id)
  assert.deepEqual(await open(), [])

  const ids: string[] = []
  for (const at of [3_002, 3_003, 3_004, 3_005])
    ids.push((await trader.createOrderWs(ETH, 'limit', 'buy', 0.1, at)).id!)
  const many = await trader.cancelOrdersWs([ids[0]!, '999999999'], ETH)
  assert.deepEqual(
    many.map(({ id, status }) => [id, status]),
    [
      [ids[0], 'canceled'],
      [undefined, 'closed'],
    ],
  )
  const [all] = await trader.cancelAllOrdersWs(ETH, { excludeReduceOnly: false })
  assert.deepEqual((all!.info as Row).data, { cancelled_count: 3 })
  assert.deepEqual(await open(), [])
})

test(
  'a rejection over the socket has the class and the message that it has over REST',
  patience,
  async () => {
    const trader = await desk.pro(await desk.live.trader('1000'))
    const other = await stranger(trader)
    const cases = [
      [
        () => trader.cancelOrderWs('999999999', BTC),
        ccxt.OrderNotFound,
        /ORDER_NOT_FOUND: no open order/,
      ],
      [() => buy(trader, 10, 100_000), ccxt.InsufficientFunds, /INSUFFICIENT_BALANCE: /],
      [() => buy(trader, 0.00001, 100_000), ccxt.InvalidOrder, /ORDER_AMOUNT_TOO_LOW: /],
      [() => buy(other, 0.01, 90_000), ccxt.AuthenticationError, /Verification failed/],
      [
        () => buy(trader, 0.01, 90_000, { timestamp: 1 }),
        ccxt.BadRequest,
        /EXPIRED: Invalid message/,
      ],
    ] as const
    for (const [call, thrown, says] of cases)
      await assert.rejects(call, (error: Error) => {
        assert.equal(error.constructor.name, thrown.name, error.message)
        assert.match(error.message, says)
        return true
      })
    const stop = { triggerPrice: 110_000 }
    await assert.rejects(trader.createOrderWs(BTC, 'limit', 'buy', 1, 1, stop), ccxt.NotSupported)
    // The connection continues after all of this.
    await buy(trader, 0.01, 90_000)
    await trader.cancelAllOrdersWs()
  },
)

const buy = (trader: Pro, amount: number, price: number, params: Row = {}) =>
  trader.createOrderWs(BTC, 'limit', 'buy', amount, price, params)

async function stranger(trader: Pro): Promise<Pro> {
  const { address } = await desk.live.trader()
  return desk.pro({ address, secret: trader.privateKey!, sign: () => '' })
}
