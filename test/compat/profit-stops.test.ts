// A take-profit from a client that can only send a stop price. The port for existing clients turns
// it into one; on the contract's port the direction has to be given.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import ccxt from 'ccxt'
import { ApiClient, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { type OpenApi, Published } from '../support/http/published.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const live = await frozenSandbox(['--compat-port', '0'])
after(() => live.close())
await live.price('BTC', '100000')
const root = `http://127.0.0.1:${live.running.compatPort}`
const document = (await (await fetch(`${root}/openapi.json`)).json()) as OpenApi
const clients = new ApiClient(root, new Published(document))

type Trader = Awaited<ReturnType<typeof live.trader>>
type StopWish = Readonly<{ side: string; stop: string; reduceOnly?: boolean; limit?: string }>

const bodyOf = ({ side, stop, reduceOnly = true, limit }: StopWish, options: Row = {}) => ({
  symbol: 'BTC',
  side,
  reduce_only: reduceOnly,
  stop_order: {
    stop_price: stop,
    amount: '0.1',
    ...(limit === undefined ? {} : { limit_price: limit }),
    ...options,
  },
})
const stopOf = (trader: Trader, wish: StopWish, options: Row = {}, api = clients) =>
  api.signed(trader, '/orders/stop/create', bodyOf(wish, options))
const reached = { status: 422, code: 16, says: /^INVALID_STOP_TICK/ }

/** Both entered at 100,000; the mark is there. */
async function pair() {
  const [long, short] = [await live.trader(), await live.trader()]
  await live.price('BTC', '100000')
  await live.trade({ buyer: long, seller: short, symbol: 'BTC', price: '100000', amount: '0.1' })
  return { long, short }
}

const openOf = async ({ address: account }: Trader) =>
  dataOf<Row[]>(await clients.get('/orders', { account }))

test('a reduce-only stop beyond mark and entry is a take-profit, in every list', async () => {
  const { long, short } = await pair()
  const stream = await StreamClient.open(`${root.replace('http', 'ws')}/ws`)
  await stream.subscribe('account_orders', { account: long.address })
  const { order_id } = dataOf<{ order_id: number }>(
    await stopOf(long, { side: 'ask', stop: '110000' }),
  )
  const limited = dataOf(await stopOf(short, { side: 'bid', stop: '90000', limit: '90500' }))

  const [row] = await openOf(long)
  assert.deepEqual(
    [row!.order_id, row!.order_type, row!.stop_price, row!.trigger_direction],
    [order_id, 'take_profit_market', '110000', 'gte'],
  )
  const [other] = await openOf(short)
  assert.deepEqual(
    [other!.order_id, other!.order_type, other!.trigger_direction],
    [limited.order_id, 'take_profit_limit', 'lte'],
  )
  await stream.settle()
  const frame = stream.of('account_orders').at(-1)!
  assert.deepEqual(
    (frame.data as Row[]).map(({ i, ot }) => [i, ot]),
    [[order_id, 'take_profit_market']],
  )
  await stream.close()
  const { address } = long
  const history = dataOf<Row[]>(await clients.get('/orders/history', { account: address }))
  assert.equal(history.find((each) => each.order_id === order_id)!.order_type, row!.order_type)
  const events = async () =>
    dataOf<Row[]>(await clients.get('/orders/history_by_id', { order_id })).map(
      ({ event_type, order_type }) => `${event_type} ${order_type}`,
    )
  assert.deepEqual(await events(), ['stop_created take_profit_market'])
  await live.price('BTC', '109999')
  assert.equal((await events()).length, 1)
  await live.price('BTC', '110000')
  assert.equal((await events())[0], 'stop_triggered take_profit_market')
})

test('a stop that would not take profit is rejected as before', async () => {
  const { long, short } = await pair()
  const open = stopOf(long, { side: 'ask', stop: '110000', reduceOnly: false })
  refused(await open, reached)
  refused(await stopOf(short, { side: 'ask', stop: '110000' }), reached)
  const flat = await live.trader()
  refused(await stopOf(flat, { side: 'ask', stop: '110000' }), reached)
  const explicit = await stopOf(long, { side: 'ask', stop: '110000' }, { trigger_direction: 'lte' })
  refused(explicit, reached)
  refused(await stopOf(long, { side: 'ask', stop: '100000' }), reached)
  // A protective stop of a losing position that arrives too late.
  await live.price('BTC', '95000')
  refused(await stopOf(long, { side: 'ask', stop: '97000' }), reached)
  await live.price('BTC', '105000')
  refused(await stopOf(short, { side: 'bid', stop: '103000' }), reached)
  // Beyond the mark, not beyond the entry.
  await live.price('BTC', '99000')
  refused(await stopOf(long, { side: 'ask', stop: '99500' }), reached)
  assert.deepEqual(await openOf(long), [])
})

test('a batch is treated alike, and the port of the contract never does it', async () => {
  const { long } = await pair()
  const wish = { side: 'ask', stop: '110000' } as const
  refused(await stopOf(long, wish, {}, live.api), { ...reached, status: 422 })
  const data = await clients.body(long, '/orders/stop/create', bodyOf(wish))
  const actions = [{ type: 'CreateStop', data }]
  const { results } = dataOf<{ results: Row[] }>(await clients.post('/orders/batch', { actions }))
  assert.equal(results[0]!.success, true)
  const turned = dataOf(await stopOf(long, wish, { trigger_direction: 'gte' }, live.api))
  assert.deepEqual(
    (await openOf(long)).map(({ order_id, order_type }) => [order_id, order_type]),
    [
      [turned.order_id, 'take_profit_market'],
      [results[0]!.order_id, 'take_profit_market'],
    ],
  )
})

test('ccxt sets a take-profit with triggerPrice', async () => {
  const { short } = await pair()
  const urls = { api: { public: root, private: root, ws: { public: `${root}/ws` } } }
  const { address: walletAddress, secret: privateKey } = short
  const options = { expiryWindow: 60_000 }
  const client = new ccxt.pacifica({ walletAddress, privateKey, urls, options })
  client.enableRateLimit = false
  const params = { triggerPrice: 90_000, reduceOnly: true }
  const { id } = await client.createOrder('BTC/USDC:USDC', 'limit', 'buy', 0.1, undefined, params)
  const [order] = await client.fetchOpenOrders('BTC/USDC:USDC')
  assert.deepEqual([order?.id, order?.triggerPrice, order?.reduceOnly], [id, 90_000, true])
})
