// A stream with several addresses of one exchange continues at another address where it stopped,
// and reports the outcome of every request sent over it.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  ApiRefusal,
  Client,
  type Frame,
  type Gap,
  type Key,
  type Stream,
  type StreamOptions,
} from '../../src/client/index.ts'
import { FaultyProxy } from '../support/http/faulty-proxy.ts'
import { until } from '../support/http/held-sockets.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'
import { AlteredSockets } from '../support/streams/altered-socket.ts'

let live: Live
let one: FaultyProxy
let two: FaultyProxy
let alice: Key

before(async () => {
  live = await frozenSandbox()
  await live.price('BTC', '100000')
  one = await FaultyProxy.to(live.url)
  two = await FaultyProxy.to(live.url)
})
beforeEach(async () => {
  for (const proxy of [one, two]) {
    proxy.fault = () => 'none'
    proxy.seen.length = 0
  }
  alice = await live.trader()
})
/** Closed also when a test fails: an open stream reconnects forever. */
const streams: Stream[] = []
after(async () => {
  for (const stream of streams) stream.close()
  one.close()
  two.close()
  await live.close()
})

const limit = { symbol: 'BTC', tif: 'GTC', reduce_only: false, amount: '0.01' } as const
const bid = { ...limit, side: 'bid', price: '90000' } as const
const all = { all_symbols: true, exclude_reduce_only: false } as const

function made(options: StreamOptions = {}) {
  const client = new Client({ url: [one.url, two.url], signer: alice, tryMs: 10_000 })
  const stream = client.stream({ backoffMs: { first: 10, most: 50 }, ...options })
  streams.push(stream)
  return { client, stream }
}

const isOpen = (stream: Stream) => until(() => stream.health().latencyMs !== null)

test('an account channel continues at the other address without gap or repetition', async () => {
  const { client, stream } = made()
  const gaps: Gap[] = []
  const seen: number[] = []
  const lists: Frame<'orders'>[] = []
  const updates = {
    frame: ({ data }: Frame<'account_order_updates'>) => seen.push(...data.map(({ i }) => i)),
    gap: (gap: Gap) => gaps.push(gap),
  }
  await stream.subscribe('account_order_updates', {}, updates).ready
  stream.subscribe('orders', {}, (frame) => lists.push(frame))
  await until(() => lists.length === 1)
  const placed: number[] = []
  for (let round = 0; round < 6; round++) {
    const [from, to] = round % 2 === 0 ? [one, two] : [two, one]
    from.fault = (path) => (path.startsWith('/ws') ? 'unsent' : 'none')
    to.fault = () => 'none'
    const before = to.count('/ws')
    from.cut()
    for (let n = 0; n < 3; n++) {
      const order = await client.createOrder({ ...bid, price: String(90_000 + 10 * round + n) })
      placed.push(order.order_id)
    }
    await until(() => seen.length >= placed.length)
    assert.ok(to.count('/ws') > before)
  }
  assert.deepEqual([seen, gaps], [placed, []])
  assert.deepEqual(
    lists.map(({ begins }) => begins),
    [true, ...lists.slice(1).map(() => false)],
  )
  stream.close()
})

test('a standby is skipped, and a market channel starts again at another node', async () => {
  one.fault = () => 'standby'
  const { client, stream } = made()
  const bids: (string | null)[] = []
  await stream.subscribe('bbo', { symbol: 'BTC' }, ({ data }) => bids.push(data.b)).ready
  assert.ok(one.count('/ws') > 0 && two.count('/ws') > 0)
  const book = stream.book('BTC', () => undefined)
  await client.createOrder({ ...bid, price: '91000' })
  await until(() => bids.includes('91000') && book.bids[0]?.p === '91000')
  one.fault = () => 'none'
  two.fault = () => 'standby'
  two.cut()
  await client.createOrder({ ...bid, price: '92000' })
  await until(() => bids.includes('92000') && book.isWhole && book.bids[0]?.p === '92000')
  await client.cancelAllOrders(all)
  stream.close()
})

test('a node that is behind the data already seen is left for another', async () => {
  const sockets = new AlteredSockets()
  const { client, stream } = made({ openSocket: sockets.open })
  const places: number[] = []
  const { ready } = stream.subscribe('account_order_updates', {}, ({ li }) => places.push(li))
  await ready
  await client.createOrder(bid)
  await until(() => places.length === 1)
  let confirmed = 0
  sockets.alter = (message) => {
    if (message.channel !== 'subscribe' || confirmed > 0) return message
    confirmed += 1
    return { ...message, li: places[0]! - 1, data: { ...(message.data as object), resumed: false } }
  }
  const reasons: (string | null)[] = []
  sockets.cut()
  await until(() => {
    reasons.push(stream.health().ended)
    return confirmed === 1 && stream.health().latencyMs !== null && sockets.opened >= 3
  })
  assert.ok(
    reasons.some((why) => /^it is at entry \d+, and \d+ was seen elsewhere$/.test(why ?? '')),
  )
  await client.createOrder(bid)
  await until(() => places.length === 2)
  stream.close()
})

test('reads over HTTP are never older than the data of the stream', async () => {
  const { client, stream } = made()
  const places: number[] = []
  await stream.subscribe('account_order_updates', {}, ({ li }) => places.push(li)).ready
  await live.order(alice, bid)
  await until(() => places.length === 1)
  await client.getOpenOrders()
  const read = one.seen.findLast(({ path }) => path.startsWith('/orders'))
  assert.equal(read!.headers['openperp-min-seq'], `${places[0]}`)
  stream.close()
})

test('an order over the socket whose reply is lost still has its outcome reported', async () => {
  const sockets = new AlteredSockets()
  const { client, stream } = made({ openSocket: sockets.open, timeoutMs: 500 })
  await isOpen(stream)
  sockets.alter = (message) => ('type' in message ? null : message)
  const { i, I, s } = await stream.call('create_order', bid)
  const [order, ...others] = (await client.getOrderHistory()).rows
  assert.deepEqual([i, I, s], [order!.order_id, order!.client_order_id, 'BTC'])
  assert.deepEqual(others, [])
  const edit = { symbol: 'BTC', order_id: i!, price: '90100', amount: '0.02' }
  const edited = await stream.call('edit_order', edit)
  assert.deepEqual([typeof edited.i, edited.s], ['number', 'BTC'])
  const ref = { symbol: 'BTC', order_id: edited.i! }
  assert.deepEqual(await stream.call('cancel_order', ref), { i: edited.i, I: null, s: 'BTC' })
  const stop = { symbol: 'BTC', side: 'ask', reduce_only: false } as const
  const stopped = await stream.call('create_stop_order', {
    ...stop,
    stop_order: { stop_price: '80000', amount: '0.01' },
  })
  assert.equal(typeof stopped.I, 'string')
  const { results } = await stream.call('batch_orders', {
    actions: [{ type: 'Create', data: bid }],
  })
  assert.deepEqual([results[0]!.i, results[0]!.success], [results[0]!.order_id, true])
  const refused = stream.call('create_order', { ...bid, amount: '9000' })
  await assert.rejects(refused, (error) => (error as ApiRefusal).reason === 'REFUSED')
  stream.close()
  await client.cancelAllOrders(all)
})

test('without a connection an order is sent over HTTP, and a rejection is final', async () => {
  one.fault = (path) => (path.startsWith('/ws') ? 'unsent' : 'none')
  two.fault = one.fault
  const { stream } = made()
  const { i } = await stream.call('create_order', bid)
  assert.equal(typeof i, 'number')
  await assert.rejects(stream.call('create_order', { ...bid, amount: '9000' }), ApiRefusal)
  assert.deepEqual(await stream.call('cancel_all_orders', all), { cancelled_count: 1 })
  one.fault = () => 'none'
  await isOpen(stream)
  await assert.rejects(stream.call('cancel_order', { symbol: 'BTC', order_id: i! }), ApiRefusal)
  const cancels = [...one.seen, ...two.seen].filter(({ path }) => path === '/orders/cancel')
  assert.deepEqual(cancels, [], 'the last one went over the socket')
  stream.close()
})

test('cancel on disconnect is armed again at the other address', async () => {
  const { client, stream } = made()
  await isOpen(stream)
  await stream.cancelOnDisconnect({})
  await client.createOrder(bid)
  one.cut()
  await until(async () => (await client.getOpenOrders()).rows.length === 0)
  await until(() => two.count('/ws') > 0 && stream.health().latencyMs !== null)
  await client.createOrder(bid)
  await until(async () => {
    for (const proxy of [one, two]) proxy.cut()
    return (await client.getOpenOrders()).rows.length === 0
  })
  stream.close()
})
