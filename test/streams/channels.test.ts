// The websocket from outside: every channel, what it begins with and what it says then. The client
// holds each frame to the schema of its channel, in which no field may be too many.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Key } from '../../src/client/key.ts'
import { allSources, channelOfSource, declared } from '../../src/protocol/streams/channels.ts'
import { stateBehind } from '../support/opened-state.ts'
import { type Json, keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { type Frame, StreamClient, seenSources } from '../support/streams/stream-client.ts'

const alice = keyNamed(1)
const bob = keyNamed(2)
let exchange: LiveExchange
let client: StreamClient

before(async () => {
  seenSources.clear()
  exchange = await LiveExchange.start([], {}, undefined, 2_000)
  await exchange.client().sandboxSetClock({ freeze: true })
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  await exchange.fund(alice)
  await exchange.fund(bob)
  client = await StreamClient.open(exchange.wsUrl)
})
after(async () => {
  await client.close()
  await exchange.close()
})

const order = (side: string, price: string, amount: string, more: Json = {}) => ({
  ...{ symbol: 'BTC', side, price, amount, tif: 'GTC', reduce_only: false, ...more },
})

let requests = 0

/** The reply of the websocket to a signed request. */
async function trade(key: Key, op: string, fields: Json): Promise<Frame> {
  requests += 1
  const id = `r${requests}`
  const body = await exchange.signed(key, op as never, fields)
  const reply = client.next((frame) => frame.id === id, op)
  client.send({ id, params: { [op]: body } })
  return reply
}

const paramsOf = (source: string): Json => {
  const { of } = declared[channelOfSource(source)!]
  if (of === 'account') return { account: alice.address }
  if (of === 'all') return {}
  return of === 'interval' ? { symbol: 'BTC', interval: '1m' } : { symbol: 'BTC' }
}

test('every source is acknowledged twice with its params, then comes its state', async () => {
  for (const source of allSources) {
    const params = { source, ...paramsOf(source) }
    const { sends } = declared[channelOfSource(source)!]
    const from = client.frames.length
    const first = sends === 'events' ? null : client.nextOf(source)
    const { data, li } = await client.subscribe(source, paramsOf(source))
    assert.deepEqual(data, { ...params, data: params })
    assert.equal(li, exchange.running.exchange.seq())
    // A market that never traded has no candle of trades yet.
    if (source !== 'candle') await first
    else first?.catch(() => undefined)
    await client.settle()
    // Checkpoints come at any time.
    if (source === 'checkpoints') continue
    const own = client.frames.slice(from).filter(({ channel }) => channel === source)
    assert.equal(own.length, sends === 'events' || source === 'candle' ? 0 : 1, source)
  }
})

test('orders, fills, positions and balances are published on all their channels', async () => {
  const from = client.frames.length
  const since = (source: string) =>
    client.frames.slice(from).filter(({ channel }) => channel === source)
  // Public rows are flushed at their own pace: after a slow flush comes a rest.
  const heard = async (source: string) => {
    while (since(source).length === 0) await client.nextOf(source)
  }
  const rested = await trade(bob, 'create_order', order('ask', '100010', '0.1', { tif: 'ALO' }))
  assert.deepEqual([rested.code, rested.type], [200, 'create_order'])
  const level = { stop_price: '90000' }
  const id = '7a1f8f5e-0d8f-4b7a-9c39-3b7b1f2f8a10'
  const bought = await trade(
    alice,
    'create_order',
    order('bid', '100010', '0.05', { client_order_id: id, stop_loss: level }),
  )
  const { i } = bought.data as { i: number }
  assert.deepEqual(bought.data, { i, I: id, s: 'BTC' })
  await client.settle()
  await heard('trades')
  const [fill] = (since('account_trades')[0]!.data ?? []) as Json[]
  const [printed] = (since('trades')[0]!.data ?? []) as Json[]
  assert.deepEqual(fill, {
    ...{ h: printed!.h, i, I: id, u: alice.address, c: bob.address, s: 'BTC', a: '0.05' },
    ...{ p: '100010', o: '100010', f: '2.0002', n: '-2.0002', e: 'open_long' },
    ...{ te: 'fulfill_taker', ts: 'open_long', tc: 'normal', t: printed!.t, li: printed!.li },
  })
  assert.deepEqual([printed!.u, printed!.c, printed!.side], [alice.address, bob.address, 'bid'])
  for (const source of ['user_trade_history', 'userTrades'])
    assert.deepEqual(since(source)[0]!.data, [fill])
  const updates = since('account_order_updates').flatMap(({ data }) => data as Json[])
  assert.deepEqual(
    updates.map(({ i: order, oe, os, f, lp, tp }) => [order, oe, os, f, lp, tp]),
    [
      [i, 'make', 'open', '0', null, null],
      [i + 1, 'stop_created', 'open', '0', null, 'mark_price'],
      [i, 'fulfill_limit', 'filled', '0.05', '100010', null],
      [i + 1, 'stop_parent_order_filled', 'open', '0', null, 'mark_price'],
    ],
  )
  const [position] = since('positions').at(-1)!.data as Json[]
  const { d, a, p, m } = position!
  // Its profit, which GET /positions reports as margin, is not in `m`: it is a cross position.
  assert.deepEqual([d, a, p, m], ['bid', '0.05', '100010', '0'])
  const account = since('account_data').at(-1)!.data as Json
  assert.deepEqual([account.b, account.pc, account.sc], ['999997.9998', 1, 1])
  await heard('book_delta')
  await heard('bbo')
})

test('the equity of the cross account is published next to the total', async () => {
  const erin = keyNamed(5)
  await exchange.fund(erin)
  await exchange.client(erin).updateMarginMode({ symbol: 'BTC', is_isolated: true })
  await trade(bob, 'create_order', order('ask', '100010', '0.1'))
  await trade(erin, 'create_order', order('bid', '100010', '0.1'))
  await client.settle()
  const from = client.frames.length
  await client.subscribe('account_data', { account: erin.address })
  await client.settle()
  const frames = client.frames.slice(from).filter(({ channel }) => channel === 'account_data')
  const published = frames.map(({ data }) => data as Json).findLast(({ u }) => u === erin.address)!
  const path = `/account?account=${erin.address}`
  const { data: read } = await exchange.get<{ data: Json }>(path)
  assert.deepEqual(
    [published.ae, published.ce, published.b],
    [read.account_equity, read.cross_account_equity, read.balance],
  )
  assert.equal(published.ce, published.b, 'an isolated position is not of the cross account')
  assert.notEqual(published.ae, published.ce)
})

test('published order events are those of the history, with the same fields', async () => {
  const placed = await trade(alice, 'create_order', order('bid', '95000', '0.02'))
  const { i } = placed.data as { i: number }
  const edited = await trade(alice, 'edit_order', {
    ...{ symbol: 'BTC', order_id: i, price: '95100', amount: '0.03' },
  })
  const { i: next } = edited.data as { i: number }
  await trade(alice, 'cancel_order', { symbol: 'BTC', order_id: next })
  await client.settle()
  for (const id of [i, next]) {
    const { data } = await exchange.get<{ data: Json[] }>(`/orders/history_by_id?order_id=${id}`)
    const published = client
      .of('account_order_updates')
      .flatMap(({ data: rows }) => rows as Json[])
      .filter((row) => row.i === id)
    assert.deepEqual(
      published.map(({ oe, os, price, a, f, ut }) => [oe, os, price, a, f, ut]),
      data
        .map((row) => [
          ...[row.event_type, row.order_status, row.price, row.initial_amount],
          ...[row.filled_amount, row.created_at],
        ])
        .reverse(),
    )
  }
})

test('an order with an expiry shows it; the rows of others have no such field', async () => {
  const from = client.frames.length
  const { engine_now } = (await exchange.get<{ data: { engine_now: number } }>('/time')).data
  const expire_time = engine_now + 60_000
  const timed = { ...order('bid', '95000', '0.02'), expire_time, stp: 'cancel_taker' }
  const idOf = ({ data }: Frame) => (data as { i: number }).i
  const first = idOf(await trade(alice, 'create_order', timed))
  const edit = { symbol: 'BTC', order_id: first, price: '95100', amount: '0.03' }
  const edited = idOf(await trade(alice, 'edit_order', edit))
  const stop_order = { stop_price: '120000', amount: '0.01' }
  const stop = { symbol: 'BTC', side: 'bid', reduce_only: false, stop_order, expire_time }
  const waits = idOf(await trade(alice, 'create_stop_order', stop))
  const batch = await trade(alice, 'batch_orders', {
    actions: [
      { type: 'Create', data: timed },
      { type: 'Create', data: order('bid', '94000', '0.02') },
      { type: 'Create', data: { ...timed, tif: 'IOC' } },
    ],
  })
  const { results } = batch.data as unknown as { results: Json[] }
  assert.match(String(results[2]!.error), /INVALID_ORDER_TYPE: expire_time .* and IOC does not/)
  const [inBatch, plain] = results.map(({ i }) => Number(i)) as [number, number]
  const early = await trade(alice, 'create_order', { ...timed, expire_time: engine_now })
  assert.match(String(early.err), /INVALID_TIME: expire_time \d+ must be at least/)
  await client.settle()
  const rows = (source: string) =>
    client.frames
      .slice(from)
      .filter(({ channel }) => channel === source)
      .flatMap(({ data }) => data as Json[])
  const late = await StreamClient.open(exchange.wsUrl)
  for (const source of ['orders', 'account_orders', 'account_order_updates']) {
    const begun = rows(source)
    for (const id of [first, edited, waits, inBatch])
      for (const row of begun.filter(({ i }) => i === id))
        assert.equal(row.expire_time, expire_time)
    const others = begun.filter(({ i }) => i === plain)
    assert.ok(others.length > 0 && others.every((row) => !('expire_time' in row)))
    if (source === 'account_order_updates') continue
    const list = late.nextOf(source)
    await late.subscribe(source, { account: alice.address })
    const published = ((await list).data as Json[]).map(({ i, expire_time: time }) => [i, time])
    for (const id of [edited, waits, inBatch])
      assert.ok(published.some(([i, time]) => i === id && time === expire_time))
    assert.ok(published.some(([i, time]) => i === plain && time === undefined))
  }
  await late.close()
  await exchange.client().sandboxSetClock({ advance_ms: 60_000 })
  await client.settle()
  const ended = rows('account_order_updates').filter(({ oe }) => oe === 'expired')
  assert.deepEqual(
    ended.map(({ i, os, expire_time: time }) => [i, os, time]),
    [edited, waits, inBatch].map((id) => [id, 'cancelled', expire_time]),
  )
  await trade(alice, 'cancel_order', { symbol: 'BTC', order_id: plain })
})

test('protection is published with its state and the orders that it cancels', async () => {
  const from = client.frames.length
  const rows = (source: string) =>
    client.frames
      .slice(from)
      .filter(({ channel }) => channel === source)
      .flatMap(({ data }) => data as Json[])
  const limits = { symbol: 'BTC', window_ms: 1_000, frozen_ms: 5_000, max_amount: '0.02' }
  await trade(alice, 'set_mmp', limits)
  const quote = order('ask', '100010', '0.02', { tif: 'ALO' })
  const shown = (await trade(alice, 'create_order', { ...quote, mmp: true })).data as Json
  const plain = (await trade(alice, 'create_order', { ...quote, price: '100030' })).data as Json
  const kept = { ...quote, mmp: true, price: '100020' }
  const other = (await trade(alice, 'create_order', kept)).data as Json
  await trade(bob, 'create_order', order('bid', '100010', '0.02', { tif: 'IOC' }))
  await client.settle()
  const { data: published } = await exchange.get<{ data: Json[] }>(
    `/account/mmp?account=${alice.address}`,
  )
  const states = rows('account_mmp').map(({ u: _, t: __, li: ___, ...row }) => row)
  assert.deepEqual(states.at(-1), published[0])
  assert.deepEqual(
    states.map(({ frozen_until }) => frozen_until !== null),
    [false, true],
  )
  for (const source of ['orders', 'account_orders', 'account_order_updates']) {
    const of = (id: unknown) => rows(source).filter(({ i }) => i === id)
    for (const id of [shown.i, other.i])
      assert.ok(
        of(id).every(({ mmp }) => mmp === true),
        source,
      )
    assert.ok(of(plain.i).length > 0 && of(plain.i).every((row) => !('mmp' in row)), source)
  }
  const last = rows('account_order_updates').findLast(({ i }) => i === other.i)!
  assert.deepEqual([last.oe, last.os], ['force_cancel', 'cancelled'])
  const path = `/orders/history?account=${alice.address}&limit=3`
  const { data: history } = await exchange.get<{ data: Json[] }>(path)
  assert.deepEqual(
    history.map(({ order_id, mmp, reason }) => [order_id, mmp, reason]),
    [
      [other.i, true, 'mmp'],
      [plain.i, undefined, null],
      [shown.i, true, null],
    ],
  )
  await trade(alice, 'reset_mmp', { symbol: 'BTC' })
  await trade(alice, 'set_mmp', { symbol: 'BTC', remove: true })
  await trade(alice, 'cancel_order', { symbol: 'BTC', order_id: plain.i })
  const back = order('ask', '99000', '0.02', { tif: 'ALO' })
  await trade(bob, 'cancel_all_orders', { all_symbols: true, exclude_reduce_only: false })
  await trade(bob, 'create_order', { ...back, price: '100010' })
  await trade(alice, 'create_order', order('bid', '100010', '0.02'))
  await client.settle()
  const frames = client.frames.slice(from).filter(({ channel }) => channel === 'account_mmp')
  assert.deepEqual(frames.at(-1)!.data, [])
})

test('places in a queue are those of GET /orders, and change with the orders ahead', async () => {
  const quote = order('bid', '90000', '0.03', { tif: 'ALO' })
  const idOf = ({ data }: Frame) => (data as { i: number }).i
  const first = idOf(await trade(bob, 'create_order', quote))
  const mine = idOf(await trade(alice, 'create_order', { ...quote, amount: '0.01' }))
  await trade(bob, 'create_order', { ...quote, amount: '0.04' })
  const late = await StreamClient.open(exchange.wsUrl)
  const placeIn = ({ data }: Frame) => {
    const row = (data as Json[]).find(({ i }) => i === mine)
    return row === undefined ? null : [row.a, row.b, row.n]
  }
  const shown = late.nextOf('account_queue')
  await late.subscribe('account_queue', { account: alice.address })
  assert.deepEqual(placeIn(await shown), ['0.03', '0.04', 1])
  const open = (await exchange.get<{ data: Json[] }>(`/orders?account=${alice.address}`)).data
  const { queue } = open.find(({ order_id }) => order_id === mine)!
  assert.deepEqual(queue, { ahead: '0.03', behind: '0.04', orders_ahead: 1 })
  const moved = late.next(
    (frame) => frame.channel === 'account_queue' && placeIn(frame)?.[2] === 0,
    'account_queue',
  )
  await trade(bob, 'cancel_order', { symbol: 'BTC', order_id: first })
  assert.deepEqual(placeIn(await moved), ['0', '0.04', 0])
  await late.close()
  for (const key of [alice, bob])
    await trade(key, 'cancel_all_orders', { all_symbols: true, exclude_reduce_only: false })
})

test('a trailing stop shows its distance, and in lists its best price', async () => {
  const from = client.frames.length
  const stop_order = { trailing_percent: '1', amount: '0.01' }
  const stop = { symbol: 'BTC', side: 'ask', reduce_only: false, stop_order }
  const idOf = ({ data }: Frame) => (data as { i: number }).i
  const follows = idOf(await trade(alice, 'create_stop_order', stop))
  const away = { trailing_distance: '500', amount: '0.01', activation_price: '130000' }
  const waits = idOf(await trade(alice, 'create_stop_order', { ...stop, stop_order: away }))
  const { mark } = (await exchange.get<{ data: Json[] }>('/info/prices')).data.find(
    ({ symbol }) => symbol === 'BTC',
  )!
  const late = await StreamClient.open(exchange.wsUrl)
  const first = late.nextOf('account_orders')
  await late.subscribe('account_orders', { account: alice.address })
  const listed = (await first).data as Json[]
  await late.close()
  const one = { trailing_percent: '1', trailing_distance: null, activation_price: null }
  const two = { trailing_percent: null, trailing_distance: '500', activation_price: '130000' }
  const open = (await exchange.get<{ data: Json[] }>(`/orders?account=${alice.address}`)).data
  const path = `/orders/history?account=${alice.address}&limit=2`
  const history = async () => (await exchange.get<{ data: Json[] }>(path)).data
  for (const rows of [open, await history()]) {
    const row = (id: number) => rows.find(({ order_id }) => order_id === id)!
    assert.deepEqual(row(follows).trailing, { ...one, extreme_price: mark })
    assert.equal(row(follows).stop_price, String(Math.floor(Number(mark) * 0.99)))
    assert.deepEqual(row(waits).trailing, { ...two, extreme_price: null })
    assert.equal(row(waits).stop_price, null)
  }
  const inList = (id: number) => listed.find(({ i }) => i === id)!
  assert.deepEqual(inList(follows).trailing, { ...one, extreme_price: mark })
  assert.equal(inList(follows).sp, String(Math.floor(Number(mark) * 0.99)))
  assert.deepEqual(inList(waits).trailing, { ...two, extreme_price: null })
  await trade(alice, 'cancel_stop_order', { symbol: 'BTC', order_id: follows })
  await trade(alice, 'cancel_stop_order', { symbol: 'BTC', order_id: waits })
  await client.settle()
  const steps = client.frames
    .slice(from)
    .filter(({ channel }) => channel === 'account_order_updates')
    .flatMap(({ data }) => data as Json[])
    .filter(({ i }) => i === follows)
  assert.deepEqual(
    steps.map(({ oe, trailing }) => [oe, trailing]),
    [
      ['stop_created', { ...one, extreme_price: mark }],
      ['cancel', { ...one, extreme_price: null }],
    ],
  )
  const ended = (await history()).find(({ order_id }) => order_id === follows)!
  assert.deepEqual(
    [ended.trailing, ended.stop_price, ended.reason],
    [{ ...one, extreme_price: null }, null, 'owner'],
  )
})

test('settings, transfers, TWAPs, status and liquidations are published', async () => {
  await exchange.client(alice).updateLeverage({ symbol: 'ETH', leverage: 7 })
  await exchange.client(alice).updateMarginMode({ symbol: 'ETH', is_isolated: true })
  await exchange.fund(alice, '5')
  await client.settle()
  const last = (source: string) => client.of(source).at(-1)!.data as Json
  assert.equal(last('accountLeverage').l, '7')
  assert.equal(last('account_margin').i, true)
  assert.equal((last('account_transfers') as unknown as Json[])[0]!.amount, '5')
  const { exchange: inside } = exchange.running
  const account = inside.view.accounts.idOf(alice.address)
  const market = inside.view.symbols.get('BTC')!
  await trade(bob, 'create_order', order('ask', '100020', '3', { tif: 'ALO' }))
  await trade(bob, 'create_order', order('bid', '99000', '3', { tif: 'ALO' }))
  await inside.submit({
    ...{ type: 'PlaceTwap', account, proof: null, market, side: 'bid', size: 3_000 },
    ...{ reduceOnly: false, slippagePpm: 10_000, durationSeconds: 60, clientOrderId: null },
  } as never)
  await exchange.client().sandboxSetClock({ advance_ms: 90_000 })
  await client.settle()
  const twap = client.of('account_twap_order_updates').flatMap(({ data }) => data as Json[])
  assert.deepEqual(
    [twap[0]!.event_type, twap.at(-1)!.order_status, twap.at(-1)!.filled_amount],
    ['twap_created', 'filled', '0.03'],
  )
  assert.deepEqual(last('account_twap_orders'), [])
  const path = `/orders/twap/history_by_id?order_id=${twap[0]!.order_id}`
  const { data: steps } = await exchange.get<{ data: Json[] }>(path)
  assert.deepEqual(
    twap.map(({ li: _, ...row }) => row),
    steps.toReversed(),
  )
  const slices = client
    .of('account_order_updates')
    .flatMap(({ data }) => data as Json[])
    .filter(({ parent_order_id }) => parent_order_id === twap[0]!.order_id)
  assert.equal(new Set(slices.map(({ i }) => i)).size, 3)
  const status = client.nextOf('market_status')
  await inside.submit({ type: 'SetMarketMode', market, mode: 'cancel_only' } as never)
  await inside.submit({ type: 'SetMarketMode', market, mode: 'open' } as never)
  await status
})

test('each transfer of a batch is published with the balance after it', async () => {
  const { exchange: inside } = exchange.running
  const account = inside.view.accounts.idOf(alice.address)
  const first = stateBehind(inside.view).nextWithdrawalId
  const before = inside.view.accounts.balanceOf(account)
  const usd = 1_000_000
  const from = client.of('account_transfers').length
  const withdraw = (amount: number) => ({ type: 'Withdraw', account, proof: null, amount })
  // Submitted together, so that they are one batch: the state has only the last balance.
  await Promise.all(
    [
      withdraw(100 * usd),
      withdraw(50 * usd),
      { type: 'CompleteWithdrawal', withdrawal: first },
      { type: 'Deposit', address: alice.address, amount: 7 * usd, reference: 'batch-of-four' },
    ].map((command) => inside.submit(command as never)),
  )
  await client.settle()
  const frames = client.of('account_transfers').slice(from)
  const rows = frames.flatMap(({ data }) => data as Json[])
  const published = rows.map((row) => [
    row.event_type,
    +String(row.balance),
    +String(row.pending_balance),
  ])
  const start = before / usd
  assert.deepEqual(published, [
    ['withdraw', start - 100, 100],
    ['withdraw', start - 150, 150],
    ['withdraw_completed', start - 150, 50],
    ['deposit', start - 143, 50],
  ])
  const { data } = await exchange.get<{ data: Json[] }>(
    `/account/balance/history?account=${alice.address}&limit=4`,
  )
  const kept = data.map((row) => [
    row.event_type,
    +String(row.balance),
    +String(row.pending_balance),
  ])
  assert.deepEqual(kept.reverse(), published)
})

test('the published candle is the candle of REST', async () => {
  const id = 'c'
  const body = await exchange.signed(alice, 'create_order', order('bid', '100020', '0.002'))
  const replied = client.next((frame) => frame.id === id)
  client.send({ id, params: { create_order: body } })
  await replied
  for (const [source, path] of [
    ['candle', '/kline'],
    ['mark_price_candle', '/kline/mark'],
  ] as const)
    for (const interval of ['1m', '1h', '1M']) {
      const reader = await StreamClient.open(exchange.wsUrl)
      const first = reader.nextOf(source)
      await reader.subscribe(source, { symbol: 'BTC', interval })
      const { data } = await first
      const start = (data as Json).t
      const query = `symbol=BTC&interval=${interval}&start_time=${start}`
      const { data: rows } = await exchange.get<{ data: Json[] }>(`${path}?${query}`)
      assert.deepEqual(data, rows.at(-1), `${source} ${interval}`)
      await reader.close()
    }
})

test('a liquidation is published to its account and to the public', async () => {
  const carol = keyNamed(3)
  await exchange.fund(carol, '1000')
  await client.subscribe('account_liquidations', { account: carol.address })
  const id = 'liq'
  const body = await exchange.signed(carol, 'create_order', order('bid', '100100', '0.4'))
  const reply = client.next((frame) => frame.id === id)
  client.send({ id, params: { create_order: body } })
  assert.equal((await reply).code, 200)
  const forced = client.nextOf('liquidations')
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '97000' })
  await exchange.client().sandboxSetClock({ advance_ms: 30_000 })
  const rows = (await forced).data as Json[]
  assert.equal(rows[0]!.side, 'force_close_long')
  await client.settle()
  const own = client.of('account_liquidations').flatMap(({ data }) => data as Json[])
  assert.equal(own[0]!.event_type, 'liquidation_started')
})

test('a revert is published, and then every subscription begins again', async () => {
  const { id } = await exchange.client().sandboxSnapshot()
  const { data: before } = await exchange.get<{ data: Json }>(`/account?account=${alice.address}`)
  await trade(alice, 'create_order', order('bid', '90000', '0.01'))
  const { exchange: inside } = exchange.running
  const market = inside.view.symbols.get('BTC')!
  await inside.submit({ type: 'SetMarketMode', market, mode: 'cancel_only' } as never)
  await client.settle()
  const from = client.frames.length
  await exchange.client().sandboxRevert({ id })
  await client.settle()
  // Market frames may have been on their way; nothing of the time before comes after it.
  const at = client.frames.findIndex(({ channel }) => channel === 'reverted')
  assert.ok(at >= from)
  const frames = client.frames.slice(at)
  for (const { li } of frames) assert.ok(li === undefined || li >= frames[0]!.li!)
  assert.equal((frames[0]!.data as Json).id, id)
  for (const source of allSources) {
    if (declared[channelOfSource(source)!].sends === 'events' || source.includes('candle')) continue
    assert.ok(
      frames.some(({ channel }) => channel === source),
      source,
    )
  }
  const status = frames.find(({ channel }) => channel === 'market_status')!.data as Json[]
  assert.deepEqual(
    status.map(({ symbol, status }) => [symbol, status]),
    [['BTC', 'live']],
  )
  const { data: account } = frames.find(({ channel }) => channel === 'account_data')!
  assert.equal((account as Json).b, before.balance)
  const orders = frames.find(({ channel }) => channel === 'orders')!.data as Json[]
  assert.ok(!orders.some(({ p }) => p === '90000'))
  await trade(alice, 'create_order', order('bid', '90001', '0.01'))
  await client.settle()
  assert.ok(client.of('orders').some(({ data }) => (data as Json[])[0]?.p === '90001'))
})

test('every channel was heard in these tests', () => {
  const unseen = allSources.filter((source) => !seenSources.has(source))
  assert.deepEqual(unseen, [])
})
