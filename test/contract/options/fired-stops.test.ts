// Slippage of stop market orders, and triggered orders that stay active (TRIG-3), black box.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Key } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { dataOf, freshTimestamp, type Row, refused } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'
import { StreamClient } from '../../support/streams/stream-client.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const path = '/orders/stop/create'
const symbol = 'ETH'

/** An account that is long 2 ETH, with an empty book and a mark of 3500. */
async function long(): Promise<Key> {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price(symbol, '3500')
  await live.trade({ buyer: alice, seller: bob, symbol, price: '3500', amount: '2' })
  return alice
}

async function bids(price: string, amount: string): Promise<Key> {
  const maker = await live.trader()
  await live.order(maker, { symbol, side: 'bid', price, amount, tif: 'ALO' })
  return maker
}

const stopBody = (stop_order: Row, fields: Row = {}) => ({
  ...{ symbol, side: 'ask', reduce_only: true, stop_order },
  ...fields,
})
const stops = async (key: Key, stop_order: Row) =>
  Number(dataOf(await api.signed(key, path, stopBody(stop_order))).order_id)

/** The owner reads with an API key: an order that has not traded is shown to the owner only. */
const apiKeys = new Map<string, string>()
async function ownerOf(key: Key) {
  if (!apiKeys.has(key.address)) {
    const { body } = await api.signed<{ data: { api_key: string } }>(
      ...([key, '/account/api_keys/create'] as const),
    )
    apiKeys.set(key.address, body.data.api_key)
  }
  return { 'svc-api-key': apiKeys.get(key.address)! }
}
const readBy = async (key: Key, path: string) =>
  dataOf<Row[]>(await api.get(path, { account: key.address }, await ownerOf(key)))
const openOf = (key: Key) => readBy(key, '/orders')
const historyOf = (key: Key) => readBy(key, '/orders/history')
const eventsOf = async (key: Key, order_id: unknown) => {
  const query = { order_id: Number(order_id) }
  return dataOf<Row[]>(await api.get('/orders/history_by_id', query, await ownerOf(key)))
}
const streamOf = async (key: Key) =>
  StreamClient.open(`${live.url.replace('http', 'ws')}/ws`, await ownerOf(key))
const sizeOf = async ({ address: account }: Key) => {
  const { body } = await api.get<Row[]>('/positions', { account })
  return (body as unknown as Row[])[0]?.amount ?? '0'
}

test('a stop market order fills up to its slippage', async () => {
  const risk = dataOf<{ markets: Row[] }>(await api.get('/info/risk', { symbol })).markets[0]!
  const [tier] = risk.maintenance_tiers as Row[]
  assert.equal(
    Number(risk.stop_slippage_percent) / 100,
    Math.floor((Number(tier!.maintenance_fraction) * 1e6) / 2) / 1e6,
  )
  // 1 % below the price at which the stops fire: beyond the default, within 2 %.
  assert.ok(Number(risk.stop_slippage_percent) < 1)
  for (const [slips, left] of [
    [{}, '2'],
    [{ slippage_percent: '2' }, '0'],
    [{ slippage_percent: '0.5' }, '2'],
  ] as const) {
    const alice = await long()
    await stops(alice, { stop_price: '3400', ...slips })
    const maker = await bids('3366', '2')
    await live.price(symbol, '3400')
    assert.equal(await sizeOf(alice), left, JSON.stringify(slips))
    await leave(alice, maker)
  }
})

async function leave(...keys: Key[]): Promise<void> {
  const all = { all_symbols: true, exclude_reduce_only: false }
  for (const key of keys) dataOf(await api.signed(key, '/orders/cancel_all', all))
}

test('an open stop shows the slippage that it was set with, and only that', async () => {
  const alice = await long()
  const { address: account } = alice
  const stream = await streamOf(alice)
  await stream.subscribe('account_orders', { account })
  const [explicit, byDefault] = [
    await stops(alice, { stop_price: '3400', slippage_percent: '1.5' }),
    await stops(alice, { stop_price: '3300' }),
  ]
  const levels = { take_profit: { stop_price: '3700', slippage_percent: '0.25' } }
  const tpsl = { symbol, side: 'ask', ...levels, stop_loss: { stop_price: '3200' } }
  assert.equal((await api.signed(alice, '/positions/tpsl', tpsl)).status, 200)
  const slippageBy = (rows: readonly Row[], id: string) =>
    rows.map((row) => [row[id], row.slippage_percent]).sort()
  const rows = slippageBy(await openOf(alice), 'order_id')
  assert.deepEqual(rows.slice(0, 2), [
    [explicit, '1.5'],
    [byDefault, undefined],
  ])
  assert.deepEqual(
    rows.slice(2).map(([, slips]) => slips),
    ['0.25', undefined],
  )
  await stream.settle()
  const streamed = stream.of('account_orders').at(-1)!.data as Row[]
  assert.deepEqual(slippageBy(streamed, 'i'), rows)
  await stream.close()
  const fresh = await streamOf(alice)
  await fresh.subscribe('account_orders', { account })
  await fresh.settle()
  assert.deepEqual(slippageBy(fresh.of('account_orders')[0]!.data as Row[], 'i'), rows)
  await fresh.close()
  await leave(alice)
})

test('a slippage out of range, or on an order without one, is rejected', async () => {
  const alice = await long()
  const stop = (slippage_percent: unknown, more: Row = {}) =>
    api.signed(alice, path, stopBody({ stop_price: '3400', slippage_percent, ...more }))
  const field = 'stop_order\\.slippage_percent'
  const says = (text: string) => new RegExp(text)
  refused(await stop('10.0001'), {
    ...{ status: 422, code: 59 },
    says: says(`INVALID_AMOUNT: ${field} 10\\.0001 is above the maximum of 10`),
  })
  for (const bad of ['-1', '101', '0.00001', 'much'])
    refused(await stop(bad), {
      ...(bad === 'much' ? { status: 400 } : { status: 422, code: 59 }),
      says: bad === 'much' ? says(field) : says(`${field} ${bad} is not a percentage from 0 to 10`),
    })
  refused(await stop(1), { status: 400, says: says(`${field} must be a string`) })
  refused(await stop('1', { limit_price: '3390' }), {
    ...{ status: 400, says: says(`${field} is of a stop at the market`) },
  })
  // Levels of a position, in the form with `account` alone.
  const tpsl = (stop_loss: Row) =>
    api.signed(alice, '/positions/tpsl', { symbol, side: 'ask', stop_loss })
  refused(await tpsl({ stop_price: '3400', slippage_percent: '11' }), {
    ...{ status: 400, says: /stop_loss\.slippage_percent 11 is above the maximum of 10/ },
  })
  refused(await tpsl({ stop_price: '3400', slippage_percent: '1', limit_price: '3390' }), {
    ...{ status: 400, says: /stop_loss\.slippage_percent is of a stop at the market/ },
  })
  const level = { stop_price: '3400', slippage_percent: '1' }
  const order = { symbol, side: 'bid', price: '3450', amount: '1', tif: 'GTC', reduce_only: false }
  const leg = { side: 'ask', amount: '1', reduce_only: true }
  const elsewhere: readonly (readonly [string, Row])[] = [
    ['/orders/create', { ...order, stop_loss: level }],
    [path, stopBody({ stop_price: '3400' }, { reduce_only: false, stop_loss: level })],
    [
      '/orders/oco/create',
      {
        symbol,
        legs: [
          { ...leg, price: '3600' },
          { ...leg, ...level },
        ],
      },
    ],
  ]
  for (const [where, body] of elsewhere)
    refused(await api.signed(alice, where, body), {
      ...{ status: 400, says: /slippage_percent is not a field of this request/ },
    })
  assert.deepEqual(await openOf(alice), [])
})

test('a batch and the websocket place stops with a slippage', async () => {
  const alice = await long()
  const data = stopBody({ stop_price: '3400', slippage_percent: '3' })
  const actions = [{ type: 'CreateStop', data }]
  const options = { type: 'batch_orders', timestamp: freshTimestamp() } as const
  const batch = await api.post('/orders/batch', await signedBody(alice, { actions }, options))
  const { results } = dataOf<{ results: Row[] }>(batch)
  assert.deepEqual([results[0]?.success, results[0]?.error], [true, null])
  const stream = await streamOf(alice)
  const op = 'create_stop_order'
  const body = await api.body(alice, path, stopBody({ stop_price: '3300', slippage_percent: '4' }))
  const reply = stream.next(({ id }) => id === 'one', op)
  stream.send({ id: 'one', params: { [op]: body } })
  assert.equal((await reply).code, 200)
  assert.deepEqual(
    (await openOf(alice)).map((row) => row.slippage_percent),
    ['4', '3'],
  )
  await stream.close()
  await leave(alice)
})

test('the order of a fired stop is triggered until its position is closed', async () => {
  const alice = await long()
  const { address: account } = alice
  const client_order_id = randomUUID()
  const stream = await streamOf(alice)
  for (const channel of ['account_orders', 'account_order_updates', 'orders'])
    await stream.subscribe(channel, { account })
  const stop = await stops(alice, { stop_price: '3400', slippage_percent: '1', client_order_id })
  const maker = await bids('3390', '0.5')
  const { engine_now } = dataOf<Row>(await api.get('/time', {}))
  await live.price(symbol, '3400')
  const open = await openOf(alice)
  assert.equal(open.length, 1)
  const { order_id, created_at, updated_at, ...rest } = open[0]!
  assert.deepEqual([created_at, updated_at], [engine_now, engine_now])
  assert.deepEqual(rest, {
    ...{ client_order_id, symbol, side: 'ask', price: '3366' },
    ...{ initial_amount: '2', filled_amount: '0.5', cancelled_amount: '0', stop_price: null },
    ...{ order_type: 'market', stop_parent_order_id: stop, reduce_only: true },
    ...{ expire_time: Number(engine_now) + 600_000, triggered: true },
  })
  const listed = (await historyOf(alice)).find((each) => each.order_id === order_id)
  assert.deepEqual([listed?.order_status, listed?.triggered], ['partially_filled', true])
  const events = await eventsOf(alice, order_id)
  assert.deepEqual(
    events.map(({ event_type, order_status }) => [event_type, order_status]),
    [
      ['fulfill_market', 'partially_filled'],
      ['stop_upgrade', 'open'],
    ],
  )
  // Existing clients find an open order.
  const compat = await readBy(alice, '/ccxt/api/v1/orders')
  assert.deepEqual(
    compat.map((each) => [each.order_id, each.filled_amount]),
    [[order_id, '0.5']],
  )
  await stream.settle()
  // It continues at the next price; once it has closed its position, it is no longer shown.
  await bids('3380', '1.5')
  await live.price(symbol, '3395')
  assert.equal(await sizeOf(alice), '0')
  assert.deepEqual(await openOf(alice), [])
  const ended = (await historyOf(alice)).find((each) => each.order_id === order_id)
  assert.deepEqual([ended?.order_status, ended?.triggered], ['filled', undefined])
  await stream.settle()
  const rows = stream.of('account_order_updates').flatMap((frame) => frame.data as Row[])
  assert.deepEqual(
    rows.filter(({ i }) => i === order_id).map((each) => [each.oe, each.os, each.triggered]),
    [
      ['stop_upgrade', 'open', true],
      ['fulfill_market', 'partially_filled', true],
      ['fulfill_market', 'filled', undefined],
    ],
  )
  const lists = stream.of('account_orders').map((frame) => frame.data as Row[])
  assert.ok(lists.flat().some(({ i, triggered }) => i === order_id && triggered === true))
  assert.deepEqual(lists.at(-1), [])
  const short = stream.of('orders').flatMap((frame) => frame.data as Row[])
  assert.deepEqual(
    short.filter(({ i }) => i === order_id).map(({ r, triggered }) => [r, triggered]),
    [
      ['2', true],
      ['1.5', true],
      ['0', undefined],
    ],
  )
  await stream.close()
  await leave(maker)
})

test('other accounts see a triggered order once it has ended, in replies and streams', async () => {
  const alice = await long()
  const { address: account } = alice
  const stranger = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
  await stranger.subscribe('account_order_updates', { account })
  await stops(alice, { stop_price: '3400' })
  await live.price(symbol, '3400')
  const [row] = await openOf(alice)
  const seen = async () => {
    const open = dataOf<Row[]>(await api.get('/orders', { account }))
    const past = dataOf<Row[]>(await api.get('/orders/history', { account }))
    await stranger.settle()
    const frames = stranger.of('account_order_updates').flatMap((frame) => frame.data as Row[])
    const isIt = ({ order_id, i }: Row) => (order_id ?? i) === row!.order_id
    return [open, past, frames].map((rows) =>
      rows.filter(isIt).map((each) => [each.os ?? each.order_status, each.f ?? each.filled_amount]),
    )
  }
  assert.deepEqual(await seen(), [[], [], []])
  await bids('3400', '0.5')
  await live.price(symbol, '3400')
  assert.equal((await openOf(alice))[0]?.filled_amount, '0.5')
  assert.deepEqual(await seen(), [[], [], []])
  await bids('3400', '1.5')
  await live.price(symbol, '3400')
  const [, past, frames] = await seen()
  assert.deepEqual(past, [['filled', '2']])
  assert.deepEqual(frames!.at(-1), ['filled', '2'])
  await stranger.close()
})

test('a triggered order can be cancelled as an order and as a stop, by both ids', async () => {
  for (const where of ['/orders/cancel', '/orders/stop/cancel'])
    for (const by of ['order_id', 'client_order_id']) {
      const alice = await long()
      const client_order_id = randomUUID()
      await stops(alice, { stop_price: '3400', client_order_id })
      await live.price(symbol, '3400')
      const [row] = await openOf(alice)
      assert.equal(row?.triggered, true)
      const answer = await api.signed(alice, where, { symbol, [by]: row[by] })
      assert.equal(answer.status, 200)
      assert.deepEqual(await openOf(alice), [])
      const past = (await historyOf(alice)).find((each) => each.order_id === row.order_id)
      assert.deepEqual(
        [past?.order_status, past?.reason, past?.triggered],
        ['cancelled', 'owner', undefined],
      )
      assert.equal((await eventsOf(alice, row.order_id))[0]?.event_type, 'cancel')
    }
})

test('a triggered order ends with its position, or ten minutes after it fired', async () => {
  const fired = async () => {
    const alice = await long()
    await stops(alice, { stop_price: '3400' })
    await live.price(symbol, '3400')
    const [row] = await openOf(alice)
    assert.equal(row?.triggered, true)
    return { alice, order: row.order_id }
  }
  const endOf = async ({ alice, order }: Awaited<ReturnType<typeof fired>>) => {
    const row = (await historyOf(alice)).find((each) => each.order_id === order)!
    const [last] = await eventsOf(alice, order)
    return [row.order_status, row.reason, row.cancelled_amount, last?.event_type]
  }
  const closed = await fired()
  const maker = await bids('3000', '2')
  const close = { symbol, side: 'ask', price: '3000', amount: '2', tif: 'IOC', reduce_only: true }
  await live.order(closed.alice, close)
  assert.deepEqual(await endOf(closed), ['cancelled', 'reduce_only', '2', 'force_cancel'])
  await leave(maker)
  const late = await fired()
  dataOf(await live.sandbox('clock', { advance_ms: 599_999 }))
  assert.equal((await openOf(late.alice)).length, 1)
  dataOf(await live.sandbox('clock', { advance_ms: 1 }))
  assert.deepEqual(await endOf(late), ['cancelled', 'expired', '2', 'expired'])
})

test('a fired stop that may open a position, or has a limit, is not triggered', async () => {
  const alice = await long()
  dataOf(await api.signed(alice, path, stopBody({ stop_price: '3400', limit_price: '3450' })))
  const opens = stopBody({ stop_price: '3400', amount: '1' }, { reduce_only: false })
  dataOf(await api.signed(alice, path, opens))
  await live.price(symbol, '3400')
  const rows = await openOf(alice)
  assert.deepEqual(
    rows.map(({ order_type, price, triggered }) => [order_type, price, triggered]),
    [['limit', '3450', undefined]],
  )
  await leave(alice)
})
