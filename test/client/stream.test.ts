// The client's stream against a running exchange: live channels, trading, lost connections, books
// damaged in transit.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  ApiRefusal,
  type Book,
  Client,
  type Frame,
  type Gap,
  type Health,
  type Key,
  NetworkFailure,
  SlowReader,
  type Stream,
  type StreamOptions,
} from '../../src/client/index.ts'
import { allSources, type Source } from '../../src/protocol/streams/channels.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'
import { AlteredSockets } from '../support/streams/altered-socket.ts'
import { requireFits } from '../support/streams/stream-client.ts'

let live: Live
let alice: Key
let bob: Key

before(async () => {
  live = await frozenSandbox()
  alice = await live.trader('10000000')
  bob = await live.trader('10000000')
  await live.price('BTC', '100000')
  await live.price('ETH', '3000')
})
/** Closed also when a test fails: an open stream reconnects forever. */
const streams: Stream[] = []
after(async () => {
  for (const stream of streams) stream.close()
  await live.close()
})

const limit = { symbol: 'BTC', tif: 'GTC', reduce_only: false, amount: '0.01' } as const
const backoffMs = { first: 10, most: 50 }

function made(signer: Key = alice, options: StreamOptions = {}) {
  const sockets = new AlteredSockets()
  const client = new Client({ url: live.url, signer })
  const stream = client.stream({ openSocket: sockets.open, backoffMs, ...options })
  streams.push(stream)
  return { client, stream, sockets }
}

/** Resolves when `done` is true; checked after every event. */
async function until(done: () => boolean, what: string): Promise<void> {
  for (let left = 2_000; !done(); left--) {
    if (left === 0) assert.fail(`${what} did not happen`)
    await new Promise((next) => setTimeout(next, 5))
  }
}

test('every channel can be subscribed to by each of its names', async () => {
  const { stream } = made()
  const frames: Frame[] = []
  const params = { symbol: 'BTC', interval: '1m' } as const
  for (const source of allSources as readonly Source[])
    await stream.subscribe(source, params, (frame) => frames.push(frame as never)).ready
  for (const state of [
    'book_delta',
    'bbo',
    'prices',
    'orders',
    'positions',
    'account_data',
  ] as const)
    await until(() => frames.some(({ source }) => source === state), state)
  for (const { source, data, li } of frames) requireFits({ channel: source, data, li })
  assert.throws(() => stream.subscribe('prices', {}, () => undefined), /already subscribed to/)
  stream.close()
})

test('frames are typed, in order, and end with the subscription', async () => {
  const { client, stream } = made()
  const bids: (string | null)[] = []
  const bbo = stream.subscribe('bbo', { symbol: 'ETH' }, ({ data }) => bids.push(data.b))
  const fills: string[] = []
  const trades = stream.subscribe('account_trades', {}, ({ data }) =>
    fills.push(...data.map(({ s, a, ts }) => `${s} ${a} ${ts}`)),
  )
  await Promise.all([bbo.ready, trades.ready])
  await live.trade({ buyer: alice, seller: bob, symbol: 'ETH', price: '3000', amount: '0.5' })
  await until(() => fills.length > 0, 'the fill')
  assert.deepEqual(fills, ['ETH 0.5 open_long'])
  await client.createOrder({ ...limit, symbol: 'ETH', side: 'bid', price: '2900' })
  await until(() => bids.includes('2900'), 'the bid')
  bbo.close()
  const seen = bids.length
  await client.createOrder({ ...limit, symbol: 'ETH', side: 'bid', price: '2901' })
  await stream.call('cancel_all_orders', { all_symbols: true, exclude_reduce_only: false })
  assert.equal(bids.length, seen)
  stream.close()
})

test('trading over the socket: replies, rejections, and no connection', async () => {
  const { client, stream, sockets } = made()
  await stream.subscribe('account_data', {}, () => undefined).ready
  const { i, I, s } = await stream.call('create_order', { ...limit, side: 'bid', price: '90000' })
  assert.deepEqual([typeof i, I, s], ['number', null, 'BTC'])
  await stream.call('cancel_order', { symbol: 'BTC', order_id: i })
  const { results } = await stream.call('batch_orders', {
    actions: [{ type: 'Create', data: { ...limit, side: 'bid', price: '90000' } }],
  })
  assert.equal(results[0]?.i, results[0]?.order_id)
  const again = stream.call('cancel_order', { symbol: 'BTC', order_id: i })
  await assert.rejects(again, (error) => {
    assert.ok(error instanceof ApiRefusal)
    assert.deepEqual([error.code, error.reason], [6, 'ORDER_NOT_FOUND'])
    return true
  })
  sockets.alter = (message) => ('type' in message ? null : message)
  const unanswered = stream.call('cancel_all_orders', {
    all_symbols: true,
    exclude_reduce_only: false,
  })
  const failed = assert.rejects(unanswered, NetworkFailure)
  await until(() => JSON.stringify(sockets.sent.at(-1)).includes('cancel_all'), 'the request')
  sockets.shut = true
  sockets.cut()
  await failed
  const sent = sockets.sent.length
  await assert.rejects(
    stream.call('cancel_all_orders', { all_symbols: true, exclude_reduce_only: false }),
    /not connected/,
  )
  assert.equal(sockets.sent.length, sent)
  stream.close()
  await client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
})

test('chases and icebergs over the socket, and their state', async () => {
  const { client, stream } = made()
  const seen: unknown[][] = []
  const subscription = stream.subscribe('account_algo_orders', {}, ({ data }) =>
    seen.push(data.map(({ order_id, kind, price }) => [order_id, kind, price])),
  )
  await subscription.ready
  const plan = { symbol: 'BTC', side: 'bid', amount: '0.1', reduce_only: false } as const
  const chase = await stream.call('create_chase_order', { ...plan, price: '90000' })
  const part = { price: '89000', display_amount: '0.02' }
  const iceberg = await stream.call('create_iceberg_order', { ...plan, ...part })
  assert.deepEqual([chase.s, chase.I, iceberg.s, iceberg.I], ['BTC', null, 'BTC', null])
  const both = [
    [iceberg.i, 'iceberg', '89000'],
    [chase.i, 'chase', '90000'],
  ]
  const last = () => JSON.stringify(seen.at(-1))
  await until(() => last() === JSON.stringify(both), 'both of them')
  const rows = await client.getAlgoOrders()
  assert.deepEqual(
    rows.map(({ order_id, kind, price }) => [order_id, kind, price]),
    both,
  )
  const late = { ...plan, price: '90000', expire_time: (rows[1]!.expire_time ?? 0) + 1 }
  await assert.rejects(stream.call('create_chase_order', late), (error) => {
    assert.ok(error instanceof ApiRefusal)
    assert.match(
      error.message,
      /INVALID_TIME: expire_time \d+ must be from \d+ to \d+: 1000 to 3600000 ms after/,
    )
    return true
  })
  for (const { i: order_id } of [chase, iceberg])
    await stream.call('cancel_order', { symbol: 'BTC', order_id })
  await until(() => last() === '[]', 'the end of both')
  stream.close()
})

test('forced disconnects: an account channel misses nothing and repeats nothing', async () => {
  const { client, stream, sockets } = made()
  const gaps: Gap[] = []
  const seen: number[] = []
  const orders: Frame<'orders'>[] = []
  const updates = stream.subscribe(
    'account_order_updates',
    {},
    {
      frame: ({ data }) => seen.push(...data.map(({ i }) => i)),
      gap: (gap) => gaps.push(gap),
    },
  )
  stream.subscribe('orders', {}, (frame) => orders.push(frame))
  await updates.ready
  await until(() => orders.length === 1, 'the list of orders')
  const placed: number[] = []
  for (let round = 0; round < 5; round++) {
    sockets.shut = true
    sockets.cut()
    await until(() => stream.health().state !== 'open', 'the end')
    for (let n = 0; n < 3; n++) {
      const price = String(90_000 + round * 10 + n)
      const order = await client.createOrder({ ...limit, side: 'bid', price })
      placed.push(order.order_id)
    }
    sockets.shut = false
    await until(() => seen.length >= placed.length, 'what was missed')
  }
  assert.deepEqual(seen, placed)
  assert.deepEqual(gaps, [])
  assert.deepEqual(
    orders.map(({ begins }) => begins),
    [true, ...orders.slice(1).map(() => false)],
  )
  const live = new Set(orders.flatMap(({ data }) => data.map(({ i }) => i)))
  for (const id of placed) assert.ok(live.has(id), `order ${id} is missing in the list`)
  await client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
  stream.close()
})

test('data that the exchange no longer has is a gap, and the list starts again', async () => {
  const { client, stream, sockets } = made()
  const events: string[] = []
  const handlers = (name: string) => ({
    frame: ({ begins }: Frame) => events.push(`${name} ${begins ? 'begins' : 'goes on'}`),
    gap: ({ reason }: Gap) => events.push(`${name} ${reason}`),
  })
  await stream.subscribe('orders', {}, handlers('orders') as never).ready
  await stream.subscribe('trades', { symbol: 'BTC' }, handlers('trades') as never).ready
  await until(() => events.includes('orders begins'), 'the list')
  sockets.alter = (message) => {
    const data = message.data as Record<string, unknown> | undefined
    if (message.channel !== 'subscribe' || data?.resumed !== true) return message
    return { ...message, data: { ...data, resumed: false } }
  }
  events.length = 0
  sockets.cut()
  await until(() => events.length >= 2, 'the gaps')
  assert.deepEqual(events, ['orders not_resumed', 'trades reconnected'])
  await client.createOrder({ ...limit, side: 'bid', price: '90000' })
  await until(() => events.length >= 3, 'a frame')
  assert.equal(events[2], 'orders begins')
  await client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
  stream.close()
})

test('a missing frame is noticed with the next one', async () => {
  const { client, stream, sockets } = made()
  const events: string[] = []
  await stream.subscribe(
    'account_order_updates',
    {},
    {
      frame: ({ data }) => events.push(data.map(({ oe }) => oe).join()),
      gap: ({ reason }) => events.push(reason),
    },
  ).ready
  let lost = 0
  sockets.alter = (message) => {
    if (message.channel !== 'account_order_updates' || lost++ > 0) return message
    return null
  }
  const { order_id } = await client.createOrder({ ...limit, side: 'bid', price: '90000' })
  await client.cancelOrder({ symbol: 'BTC', order_id })
  await until(() => events.length >= 2, 'the cancel')
  const next = await client.createOrder({ ...limit, side: 'bid', price: '90000' })
  await until(() => events.length >= 3, 'the next order')
  await client.cancelOrder({ symbol: 'BTC', order_id: next.order_id })
  assert.deepEqual(events.slice(0, 3), ['sequence', 'cancel', 'make'])
  stream.close()
})

const picture = ({ bids, asks }: Book) => ({
  bids: bids.map(({ p, a, n }) => ({ p, a, n })),
  asks: asks.map(({ p, a, n }) => ({ p, a, n })),
})

async function sameAsRest(client: Client, book: Book): Promise<void> {
  const { l } = await client.getBook({ symbol: 'BTC', depth: 100 })
  const [bids, asks] = l
  await until(
    () => book.isWhole && JSON.stringify(picture(book)) === JSON.stringify({ bids, asks }),
    'the same book as over HTTP',
  )
}

async function quote(client: Client, from: number): Promise<void> {
  for (let n = 0; n < 12; n++) {
    await client.createOrder({ ...limit, side: 'bid', price: String(from - n * 7) })
    await client.createOrder({ ...limit, side: 'ask', price: String(from + 20_000 - n * 9) })
  }
}

test('a book is rebuilt from its changes; a lost or altered one is repaired', async () => {
  const { client, stream, sockets } = made()
  const reasons: string[] = []
  const book = stream.book('BTC', { gap: ({ reason }) => reasons.push(reason) })
  await quote(client, 90_000)
  await sameAsRest(client, book)
  assert.deepEqual(reasons, [])
  const isDelta = ({ channel, data }: Readonly<Record<string, unknown>>) =>
    channel === 'book_delta' && (data as { prev: unknown }).prev !== null

  let lost = 0
  sockets.alter = (message) => {
    if (!isDelta(message) || lost > 0) return message
    lost += 1
    return null
  }
  await quote(client, 89_000)
  await client.createOrder({ ...limit, side: 'bid', price: '91000' })
  await sameAsRest(client, book)
  assert.deepEqual([lost, reasons], [1, ['sequence']])

  let altered = 0
  sockets.alter = (message) => {
    if (!isDelta(message) || altered > 0) return message
    altered += 1
    const text = JSON.stringify(message).replaceAll(/"a":"[^"]+"/g, '"a":"77"')
    return JSON.parse(text)
  }
  await client.createOrder({ ...limit, side: 'bid', price: '92000' })
  await sameAsRest(client, book)
  assert.deepEqual([altered, reasons], [1, ['sequence', 'checksum']])

  sockets.cut()
  await until(() => !book.isWhole, 'the end')
  await client.createOrder({ ...limit, side: 'bid', price: '93000' })
  await sameAsRest(client, book)
  await client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
  await sameAsRest(client, book)
  stream.close()
})

test('a book that stays altered is requested again, but with increasing pauses', async () => {
  const waits: number[] = []
  const timers = {
    now: () => performance.now(),
    random: () => 0,
    after(ms: number, run: () => void) {
      if (ms < 15_000) waits.push(ms)
      const timer = setTimeout(run, ms < 15_000 ? 0 : ms)
      return () => clearTimeout(timer)
    },
  }
  const { client, stream, sockets } = made(alice, { timers })
  sockets.alter = (message) => {
    const { channel, data } = message as { channel?: string; data?: object }
    return channel === 'book_delta' ? { ...message, data: { ...data, cs: 1 } } : message
  }
  const book = stream.book('BTC', {})
  await until(() => waits.length >= 7, 'repairs')
  assert.deepEqual(waits.slice(0, 7), [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  sockets.alter = (message) => message
  await sameAsRest(client, book)
  stream.close()
})

test('a revert is reported to every subscription, which then starts again', async () => {
  const { client, stream } = made()
  const events: string[] = []
  const reasons: string[] = []
  const { id } = await client.sandboxSnapshot()
  await stream.subscribe(
    'orders',
    {},
    {
      frame: ({ begins, data, gap }) =>
        events.push(`${begins} ${data.length} ${gap === null ? 'none' : gap.reason}`),
    },
  ).ready
  const book = stream.book('BTC', { gap: ({ reason }) => reasons.push(reason) })
  await client.createOrder({ ...limit, side: 'bid', price: '90000' })
  await until(() => events.length === 2 && book.bids.length === 1, 'the order')
  await client.sandboxRevert({ id })
  await client.sandboxSetClock({ freeze: true })
  await until(() => events.length === 3 && book.isWhole, 'the revert')
  assert.deepEqual(events, ['true 0 none', 'false 1 none', 'true 0 reverted'])
  assert.deepEqual(reasons, ['reverted'])
  assert.deepEqual(picture(book), { bids: [], asks: [] })
  stream.close()
})

test('a loop reads frames, and leaving it ends the subscription', async () => {
  const { client, stream, sockets } = made()
  const follow = stream.follow('account_order_updates', {})
  await until(() => stream.health().latencyMs !== null, 'a connection')
  for (const price of ['90001', '90002', '90003'])
    await client.createOrder({ ...limit, side: 'bid', price })
  const prices: (string | null)[] = []
  for await (const { data } of follow) {
    prices.push(...data.map(({ ip }) => ip))
    if (prices.length === 3) break
  }
  assert.deepEqual(prices, ['90001', '90002', '90003'])
  assert.ok(sockets.sent.some(({ method }) => method === 'unsubscribe'))
  const ended = stream.follow('prices', {})
  stream.close()
  for await (const _ of ended) assert.fail('the stream is closed')
  await client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
})

test('with a slow reader a state keeps its newest frame, events end in an error', async () => {
  const { client, stream } = made()
  const newest = stream.follow('bbo', { symbol: 'BTC' }, 1)
  const events = stream.follow('account_order_updates', {}, 2)
  await until(() => stream.health().latencyMs !== null, 'a connection')
  for (const price of ['90001', '90002', '90003', '90004'])
    await client.createOrder({ ...limit, side: 'bid', price })
  await stream.call('schedule_cancel', { time: null })
  await assert.rejects(events.next(), SlowReader)
  const { value } = await newest.next()
  assert.equal(value?.data.b, '90004')
  await client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
  stream.close()
})

test('a rejection by the exchange ends the subscription with the reason', async () => {
  const { stream } = made()
  const refused: string[] = []
  const none = stream.subscribe(
    'bbo',
    { symbol: 'NONE' },
    {
      frame: () => assert.fail(),
      refused: (error) => refused.push((error as ApiRefusal).reason),
    },
  )
  await assert.rejects(none.ready, ApiRefusal)
  assert.deepEqual(refused, ['BOOK_NOT_FOUND'])
  await assert.rejects(async () => {
    for await (const _ of stream.follow('bbo', { symbol: 'NONE' })) assert.fail()
  }, ApiRefusal)
  const other = { account: bob.address }
  assert.throws(() => stream.subscribe('orders', other, () => undefined), /of one account/)
  const anonymous = new Client({ url: live.url }).stream()
  assert.throws(() => anonymous.subscribe('orders', {}, () => undefined), /is of an account/)
  anonymous.close()
  stream.close()
})

test('cancel on disconnect can be armed before the connection is open', async () => {
  const { stream, sockets } = made()
  assert.notEqual(stream.health().state, 'open')
  await stream.cancelOnDisconnect({})
  const armed = sockets.sent.filter(({ method }) => method === 'cancel_on_disconnect')
  assert.equal(armed.length, 1)
  stream.close()

  const closed = made().stream
  const arming = closed.cancelOnDisconnect({})
  closed.close()
  await assert.rejects(arming, NetworkFailure)

  const taken = made().stream
  const first = taken.cancelOnDisconnect({})
  await Promise.all([first, taken.cancelOnDisconnect(null)])
  taken.close()
})

test('cancel on disconnect is armed again on every connection', async () => {
  const { client, stream, sockets } = made()
  await until(() => stream.health().state === 'open', 'a connection')
  await stream.cancelOnDisconnect({})
  for (let round = 0; round < 2; round++) {
    const armed = () => sockets.sent.filter(({ method }) => method === 'cancel_on_disconnect')
    await until(() => armed().length === round + 1, 'arming')
    await client.createOrder({ ...limit, side: 'bid', price: '90000' })
    sockets.cut()
    await until(() => stream.health().state !== 'open', 'the end')
    await until(() => stream.health().latencyMs !== null, 'a new connection')
    for (let rows = 1; rows > 0; ) rows = (await client.getOpenOrders()).rows.length
  }
  stream.close()
})

test('the health of a connection: latency, time since a frame, growing waits', async () => {
  const states: Health['state'][] = []
  const waits: number[] = []
  const timers = {
    now: () => performance.now(),
    random: () => 0.5,
    after(ms: number, run: () => void) {
      if (ms < 5_000) waits.push(ms)
      const timer = setTimeout(run, ms < 5_000 ? 1 : ms)
      return () => clearTimeout(timer)
    },
  }
  const onHealth = ({ state }: Health) => states.at(-1) !== state && states.push(state)
  const { stream, sockets } = made(alice, {
    timers,
    onHealth,
    backoffMs: { first: 100, most: 1_000 },
  })
  await until(() => stream.health().latencyMs !== null, 'a pong')
  const { latencyMs, silentMs, failures } = stream.health()
  assert.ok(latencyMs! >= 0 && silentMs! >= 0 && failures === 0)
  sockets.shut = true
  sockets.cut()
  await until(() => stream.health().failures >= 6, 'failures')
  assert.deepEqual(waits.slice(0, 6), [75, 150, 300, 600, 750, 750])
  assert.match(stream.health().ended ?? '', /ECONNREFUSED/)
  sockets.shut = false
  await until(() => stream.health().latencyMs !== null && stream.health().failures === 0, 'a pong')
  stream.close()
  assert.equal(stream.health().state, 'closed')
  await until(() => states.at(-1) === 'closed', 'the last state')
  assert.deepEqual(states.slice(0, 3), ['connecting', 'open', 'waiting'])
})

test('a connection without frames is closed and reopened', async () => {
  const { stream, sockets } = made(alice, { pingMs: 20, timeoutMs: 150 })
  await until(() => stream.health().latencyMs !== null, 'a pong')
  sockets.alter = () => null
  await until(() => sockets.opened > 1, 'another connection')
  sockets.alter = (message) => message
  await until(() => stream.health().latencyMs !== null, 'a pong')
  stream.close()
})

test('with reads for owners only, a socket without headers sends its key each time', async () => {
  const owners = await frozenSandbox(['--reads', 'owner'])
  try {
    const key = await owners.trader()
    const visitor = new Client({ url: owners.url, signer: key })
    const { api_key: apiKey } = (await visitor.createApiKey()).data
    const sockets = new AlteredSockets()
    // As in a browser.
    const openSocket = Object.assign((url: string) => sockets.open(url, {}), {
      leavesHeadersOut: true as const,
    })
    const errors: string[] = []
    const onError = ({ message }: Error) => errors.push(message)
    const streamOf = (given: string | undefined) =>
      new Client({
        ...{ url: owners.url, signer: key, apiKey: given, openSocket },
        signReads: false,
      }).stream({ backoffMs, onError })
    const orders: (readonly [number, string])[] = []
    const stream = streamOf(apiKey)
    const { ready } = stream.subscribe('account_orders', {}, ({ data }) => {
      for (const { i, os } of data) orders.push([i, os])
    })
    await ready
    sockets.cut()
    const order = { ...limit, side: 'bid', price: '90000' } as const
    await owners.price('BTC', '100000')
    const { order_id } = await visitor.createOrder(order)
    await until(() => orders.some(([id]) => id === order_id), 'the order')
    const methods = sockets.sent.map(({ method }) => method).filter((method) => method !== 'ping')
    assert.deepEqual(methods, ['authenticate', 'subscribe', 'authenticate', 'subscribe'])
    stream.close()
    assert.deepEqual(errors, [])
    for (const given of [undefined, `${apiKey.slice(0, 9)}1111111111111111`]) {
      const refused = streamOf(given)
      await assert.rejects(refused.subscribe('orders', {}, () => undefined).ready, { status: 401 })
      refused.close()
    }
    assert.match(errors.join(), /^INVALID_API_KEY: [^,]*$/)
  } finally {
    await owners.close()
  }
})
