// The protocol of each place that publishes prices, written from its documentation and not from our
// reader of it: what a client has to send, what is answered, and what a price looks like.

import assert from 'node:assert/strict'
import type { PriceSourceKind } from '../../../src/protocol/admin/price-source-kinds.ts'

export type Said = Readonly<{
  symbol: string
  /** As it appears in the message; usually a decimal text. */
  price: string
  atMs: number
}>

export type Speech = Readonly<{
  wire: 'websocket' | 'events' | 'poll'
  /** Its names of the two markets of the scene, and of one that was not subscribed to. */
  symbols: readonly [string, string]
  stranger: string
  /** Checks a request of a client; gives the answer, null: none comes. */
  answer(text: string): string | null
  /** Checks the path and query of a client. */
  path(url: string): void
  price(said: Said): string
  /** The message when there is no price to publish. */
  heartbeat: string
  unsubscribed: string
  refusal: string
}>

const json = JSON.stringify
const noPath = (at: string) => (url: string) => assert.equal(url, at)
const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z')

const binance: Speech = {
  wire: 'websocket',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  stranger: 'BNBUSDT',
  path: noPath('/ws'),
  answer(text) {
    const params = ['btcusdt@aggTrade', 'ethusdt@aggTrade']
    assert.deepEqual(JSON.parse(text), { method: 'SUBSCRIBE', params, id: 1 })
    return '{"result":null,"id":1}'
  },
  price: ({ symbol, price, atMs }) =>
    `{"e":"aggTrade","E":${atMs + 3},"s":"${symbol}","a":12345,"p":"${price}","q":"100",` +
    `"f":100,"l":105,"T":${atMs},"m":true,"M":true}`,
  heartbeat: '{"result":null,"id":2}',
  unsubscribed: '{"e":"serverShutdown","E":1770123456789}',
  refusal: '{"error":{"code":2,"msg":"Invalid request: unknown symbol"},"id":1}',
}

const bybit: Speech = {
  wire: 'websocket',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  stranger: 'XRPUSDT',
  path: noPath('/v5/public/spot'),
  answer(text) {
    if (text === '{"op":"ping"}')
      return '{"success":true,"ret_msg":"pong","conn_id":"0970e817","op":"ping"}'
    const args = ['orderbook.1.BTCUSDT', 'orderbook.1.ETHUSDT']
    assert.deepEqual(JSON.parse(text), { op: 'subscribe', args })
    return '{"success":true,"ret_msg":"subscribe","conn_id":"2324d924","op":"subscribe"}'
  },
  price: ({ symbol, price, atMs }) =>
    `{"topic":"orderbook.1.${symbol}","type":"snapshot","ts":${atMs + 3},"data":` +
    `{"s":"${symbol}","b":[["${price}","0.0135"]],"a":[["${price}","0.4"]],"u":18521288,` +
    `"seq":7961638724},"cts":${atMs}}`,
  heartbeat: '{"success":true,"ret_msg":"pong","conn_id":"0970e817","op":"ping"}',
  unsubscribed: '{"success":true,"ret_msg":"","conn_id":"2324d924","op":"unsubscribe"}',
  refusal: '{"success":false,"ret_msg":"error:handler not found","conn_id":"1","op":"subscribe"}',
}

const okx: Speech = {
  wire: 'websocket',
  symbols: ['BTC-USDT', 'ETH-USDT'],
  stranger: 'LTC-USDT',
  path: noPath('/ws/v5/public'),
  answer(text) {
    if (text === 'ping') return 'pong'
    const args = ['BTC-USDT', 'ETH-USDT'].map((instId) => ({ channel: 'tickers', instId }))
    assert.deepEqual(JSON.parse(text), { op: 'subscribe', args })
    return json({ event: 'subscribe', arg: args[0], connId: 'a4d3ae55' })
  },
  price: ({ symbol, price, atMs }) =>
    `{"arg":{"channel":"tickers","instId":"${symbol}"},"data":[{"instType":"SPOT",` +
    `"instId":"${symbol}","last":"9999.99","lastSz":"0.1","askPx":"${price}","askSz":"11",` +
    `"bidPx":"${price}","bidSz":"5","open24h":"9000","ts":"${atMs}"}]}`,
  heartbeat: 'pong',
  unsubscribed:
    '{"event":"unsubscribe","arg":{"channel":"tickers","instId":"BTC-USDT"},"connId":"d0b44253"}',
  refusal: '{"event":"error","code":"60018","msg":"Wrong URL or channel","connId":"a4d3ae55"}',
}

const coinbase: Speech = {
  wire: 'websocket',
  symbols: ['BTC-USD', 'ETH-USD'],
  stranger: 'LTC-USD',
  path: noPath('/'),
  answer(text) {
    const request = JSON.parse(text)
    const channels = ['ticker', 'heartbeat']
    const product_ids = ['BTC-USD', 'ETH-USD']
    assert.deepEqual(request, { type: 'subscribe', product_ids, channels })
    return json({
      type: 'subscriptions',
      channels: channels.map((name) => ({ name, product_ids })),
    })
  },
  price: ({ symbol, price, atMs }) =>
    `{"type":"ticker","sequence":37475248783,"product_id":"${symbol}","price":"${price}",` +
    '"open_24h":"1310.79","volume_24h":"245532.79","best_bid":"1285.04","best_ask":"1285.27",' +
    `"side":"buy","time":"${iso(atMs)}","trade_id":370843401,"last_size":"11.4396987"}`,
  heartbeat:
    '{"type":"heartbeat","sequence":90,"last_trade_id":20,"product_id":"BTC-USD",' +
    '"time":"2014-11-07T08:19:28.464459Z"}',
  unsubscribed: '{"type":"subscriptions","channels":[]}',
  refusal:
    '{"type":"error","message":"Failed to subscribe","reason":"BTC-USD is not a valid product"}',
}

const kraken: Speech = {
  wire: 'websocket',
  symbols: ['BTC/USD', 'ETH/USD'],
  stranger: 'ALGO/USD',
  path: noPath('/v2'),
  answer(text) {
    if (text === '{"method":"ping"}')
      return '{"method":"pong","time_in":"2023-09-24T14:10:23.799685Z","time_out":"2023"}'
    const params = { channel: 'ticker', symbol: ['BTC/USD', 'ETH/USD'], event_trigger: 'bbo' }
    assert.deepEqual(JSON.parse(text), { method: 'subscribe', params })
    return (
      '{"method":"subscribe","result":{"channel":"ticker","snapshot":true,' +
      '"symbol":"BTC/USD"},"success":true,"time_in":"2023-09-25T09:04:31.742599Z"}'
    )
  },
  // Its prices are numbers.
  price: ({ symbol, price, atMs }) =>
    `{"channel":"ticker","type":"update","data":[{"symbol":"${symbol}","bid":${price},` +
    `"bid_qty":740.0,"ask":${price},"ask_qty":740.0,"last":0.10035,"volume":997038.98383185,` +
    `"vwap":0.10148,"low":0.09979,"high":0.10285,"timestamp":"${iso(atMs)}"}]}`,
  heartbeat: '{"channel":"heartbeat"}',
  unsubscribed:
    '{"method":"unsubscribe","result":{"channel":"ticker","symbol":"BTC/USD"},"success":true}',
  refusal:
    '{"error":"Currency pair not supported BTC/USD","method":"subscribe","success":false,' +
    '"symbol":"BTC/USD"}',
}

const hyperliquid: Speech = {
  wire: 'websocket',
  symbols: ['BTC', 'ETH'],
  stranger: 'SOL',
  path: noPath('/ws'),
  answer(text) {
    if (text === '{"method":"ping"}') return '{"channel":"pong"}'
    const request = JSON.parse(text)
    assert.ok(['BTC', 'ETH'].includes(request.subscription?.coin), text)
    const subscription = { type: 'bbo', coin: request.subscription.coin }
    assert.deepEqual(request, { method: 'subscribe', subscription })
    return json({ channel: 'subscriptionResponse', data: request })
  },
  price: ({ symbol, price, atMs }) =>
    `{"channel":"bbo","data":{"coin":"${symbol}","time":${atMs},"bbo":[` +
    `{"px":"${price}","sz":"1.25","n":3},{"px":"${price}","sz":"0.80","n":2}]}}`,
  heartbeat: '{"channel":"pong"}',
  unsubscribed:
    '{"channel":"subscriptionResponse","data":{"method":"unsubscribe","subscription":' +
    '{"type":"bbo","coin":"BTC"}}}',
  refusal: '{"channel":"error","data":"Invalid subscription"}',
}

const pythIds = ['e62df6c8b4a85fe1', 'ff61491a93111214', 'ef0d8b6fda2ceba4'].map((id) =>
  id.repeat(4),
)

const pyth: Speech = {
  wire: 'events',
  symbols: [`0x${pythIds[0]}`, pythIds[1]!],
  stranger: pythIds[2]!,
  path(url) {
    const { pathname, searchParams } = new URL(url, 'http://hermes')
    assert.equal(pathname, '/v2/updates/price/stream')
    assert.deepEqual(searchParams.getAll('ids[]'), pythIds.slice(0, 2))
    assert.equal(searchParams.get('parsed'), 'true')
  },
  answer: () => null,
  // A whole number of hundred-millionths.
  price: ({ symbol, price, atMs }) =>
    `{"binary":{"encoding":"hex","data":["504e4155"]},"parsed":[{"id":` +
    `"${symbol.replace(/^0x/, '')}","price":{"price":"${hundredMillionths(price)}",` +
    `"conf":"3141592","expo":-8,"publish_time":${Math.floor(atMs / 1_000)}},"ema_price":` +
    '{"price":"6000000000","conf":"1","expo":-8,"publish_time":1},"metadata":{"slot":1}}]}',
  heartbeat: '',
  unsubscribed: '{"parsed":[]}',
  refusal: '{"parsed":null,"error":"no such feed"}',
}

function hundredMillionths(price: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(price)) return price
  const [whole, fraction = ''] = price.split('.') as [string, string?]
  return `${whole}${fraction.padEnd(8, '0').slice(0, 8)}`
}

const http: Speech = {
  wire: 'poll',
  symbols: ['/bitcoin/usd', '/list/1/a~1b'],
  stranger: '/litecoin/usd',
  path: noPath('/prices?key=1'),
  answer: () => null,
  // Both prices are in one answer, as numbers and as text.
  price: ({ symbol, price, atMs }) =>
    `"time":${atMs},${
      symbol === '/bitcoin/usd'
        ? `"bitcoin":{"usd":${price}}`
        : symbol === '/list/1/a~1b'
          ? `"list":[{},{"a/b":"${price}"}]`
          : `"litecoin":{"usd":${price}}`
    }`,
  heartbeat: '"status":"ok"',
  unsubscribed: '"status":"gone"',
  refusal: '"error":"rate limited"',
}

export const speeches: Readonly<Record<PriceSourceKind, Speech>> = {
  binance,
  bybit,
  okx,
  coinbase,
  kraken,
  hyperliquid,
  pyth,
  http,
}
