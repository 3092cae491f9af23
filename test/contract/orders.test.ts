// Orders beyond the contract's cancel, black box: placed, edited, cancelled and read back.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Key } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
await live.price('BTC', '105000')

const bid = {
  symbol: 'BTC',
  side: 'bid',
  price: '104000',
  amount: '0.01',
  tif: 'GTC',
  reduce_only: false,
}
const create = (key: Key, fields: Row = {}) =>
  api.signed(key, '/orders/create', { ...bid, ...fields })
const open = async (key: Key) => dataOf<Row[]>(await api.get('/orders', { account: key.address }))
const history = async (key: Key) =>
  dataOf<Row[]>(await api.get('/orders/history', { account: key.address }))
const eventsOf = async (order_id: number) =>
  dataOf<Row[]>(await api.get('/orders/history_by_id', { order_id })).map(
    ({ event_type }) => event_type,
  )
const idOf = (placed: Row) => Number(placed.order_id)

/** An account that offers 1 BTC at 105010. */
async function maker(): Promise<Key> {
  const key = await live.trader()
  await live.order(key, { ...bid, side: 'ask', price: '105010', amount: '1' })
  return key
}
const leave = async (key: Key) =>
  dataOf(
    await api.signed(key, '/orders/cancel_all', { all_symbols: true, exclude_reduce_only: false }),
  )

test('create returns id, client id and status, and the order can be read', async () => {
  const alice = await live.trader()
  const client_order_id = randomUUID()
  const placed = dataOf(await create(alice, { client_order_id }))
  assert.deepEqual(Object.keys(placed), ['order_id', 'client_order_id', 'order_status'])
  assert.deepEqual([placed.client_order_id, placed.order_status], [client_order_id, 'open'])
  const answer = await api.get('/orders', { account: alice.address })
  assert.equal(answer.body.last_order_id, live.running.exchange.seq())
  const [row] = dataOf<Row[]>(answer)
  const { created_at, updated_at, ...rest } = row!
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    order_id: placed.order_id,
    client_order_id,
    symbol: 'BTC',
    side: 'bid',
    price: '104000',
    initial_amount: '0.01',
    filled_amount: '0',
    cancelled_amount: '0',
    stop_price: null,
    order_type: 'limit',
    stop_parent_order_id: null,
    reduce_only: false,
    queue: { ahead: '0', behind: '0', orders_ahead: 0 },
  })
})

test('time in force: GTC, IOC, FOK, ALO, TOB', async () => {
  const alice = await live.trader()
  const bob = await maker()
  const status = async (fields: Row) => dataOf(await create(alice, fields)).order_status
  const at = { price: '105010' }
  assert.equal(await status({ ...at, tif: 'ALO' }), 'rejected')
  assert.equal(await status({ ...at, tif: 'FOK', amount: '0.1' }), 'filled')
  assert.equal(await status({ ...at, tif: 'FOK', amount: '0.95' }), 'cancelled')
  assert.equal(await status({ ...at, tif: 'TOB' }), 'open')
  assert.equal(await status({ ...at, tif: 'IOC', amount: '0.1' }), 'filled')
  assert.equal(await status({ ...at, amount: '0.81' }), 'partially_filled')
  assert.equal(await status({ price: '104000', tif: 'IOC' }), 'cancelled')
  const rows = await history(alice)
  assert.deepEqual(
    rows.map(({ order_status, reason, price }) => [order_status, reason, price]).reverse(),
    [
      ['rejected', 'post_only_rejected', '105010'],
      ['filled', null, '105010'],
      ['cancelled', 'expired', '105010'],
      ['open', null, '105009'],
      ['filled', null, '105010'],
      ['partially_filled', null, '105010'],
      ['cancelled', 'expired', '104000'],
    ],
  )
  assert.deepEqual(await eventsOf(idOf(rows.at(-1)!)), ['post_only_rejected', 'make'])
  await leave(alice)
  await leave(bob)
})

test('a market order fills within its slippage', async () => {
  const alice = await live.trader()
  const bob = await maker()
  const market = { symbol: 'BTC', side: 'bid', amount: '0.1', reduce_only: false }
  const path = '/orders/create_market'
  const taken = await api.signed(alice, path, { ...market, slippage_percent: '0.5' })
  assert.equal(dataOf(taken).order_status, 'filled')
  const far = await api.signed(alice, path, { ...market, slippage_percent: '0' })
  refused(far, {
    status: 422,
    code: 25,
    says: /NO_REASONABLE_PRICE: .*price 105000 \(the best is 105010\); raise/,
  })
  const bad = await api.signed(alice, path, { ...market, slippage_percent: '101' })
  refused(bad, { status: 422, code: 59, says: /percentage from 0 to 100 with at most four/ })
  const mistyped = await api.signed(alice, path, { ...market, slippage_percent: 1 })
  refused(mistyped, { status: 400, says: /slippage_percent must be a string/ })
  await leave(bob)
})

const refusals: readonly (readonly [Row, number, RegExp])[] = [
  [{ symbol: 'NOPE' }, 3, /BOOK_NOT_FOUND: no market has this symbol; GET \/api\/v1\/info/],
  [{ price: '104000.5' }, 52, /INVALID_TICK_SIZE: price 104000.5 .* nearest: 104000 or 104001/],
  [{ price: '999999999' }, 4, /INVALID_TICK_LEVEL: price 9{9} is outside 1 to (\d+); nearest: \1$/],
  // One lot is worth less than the minimum order size.
  [{ amount: '0.000001' }, 59, /INVALID_AMOUNT: amount 0.000001 .* 0.00001; .* at least 10 USD$/],
  [{ amount: '0' }, 59, /INVALID_AMOUNT: amount 0 .* 0.00001; an order is worth at least 10 USD$/],
  [{ price: '0.5' }, 52, /INVALID_TICK_SIZE: price 0.5 .* nearest: 1$/],
  [
    { amount: '0.00009' },
    7,
    /ORDER_AMOUNT_TOO_LOW: the order is worth 9.36 USD, the minimum is .*; nearest: 0.0001 BTC$/,
  ],
  [{ amount: '900' }, 8, /ORDER_AMOUNT_TOO_HIGH: .* 93600000 USD, the maximum is \d+ USD/],
  [{ amount: '99999' }, 8, /ORDER_AMOUNT_TOO_HIGH: the order would make more than 9007199254/],
  [
    { price: '136501' },
    30,
    /PRICE_TOO_FAR_FROM_MARK: price 136501 is outside the band \d+ to 136500 .*; nearest: 136500$/,
  ],
  [{ reduce_only: true }, 23, /NO_POSITION_FOR_REDUCE_ONLY_ORDER: .*BTC, there is none/],
  [{ amount: '48' }, 5, /: insufficient balance: [\d.]+ USD required, 100000 USD available/],
  [
    { take_profit: { stop_price: '100000' } },
    16,
    /INVALID_STOP_TICK: take_profit: stop price 100000 .* one above 104000 is accepted$/,
  ],
]

test('an order that breaks a rule is 422 with the engine code and is not placed', async () => {
  const alice = await live.trader()
  for (const [fields, code, says] of refusals) {
    const answer = await create(alice, fields)
    refused(answer, { status: 422, code, says })
    assert.deepEqual(Object.keys(answer.body), ['success', 'data', 'error', 'code'])
  }
  assert.deepEqual(await open(alice), [])
  const client_order_id = randomUUID()
  dataOf(await create(alice, { client_order_id }))
  const again = await create(alice, { client_order_id })
  refused(again, {
    status: 422,
    code: 36,
    says: /DUPLICATE_CLIENT_ORDER_ID: client_order_id \S+ is/,
  })
})

test('a malformed order is 400', async () => {
  const alice = await live.trader()
  const cases: readonly (readonly [Row, RegExp])[] = [
    [{ price: 104_000 }, /price must be a string/],
    [{ price: '1e5' }, /price must be a decimal in plain digits, such as "12.5"/],
    [{ amount: '.5' }, /amount must be a decimal/],
    [{ amount: '00.5' }, /amount must be a decimal/],
    [{ side: 'buy' }, /side must be one of bid, ask/],
    [{ tif: 'GTD' }, /tif must be one of GTC, IOC, FOK, ALO, TOB/],
    [{ reduce_only: 'false' }, /reduce_only must be boolean/],
    [{ client_order_id: '7' }, /client_order_id must be a full UUID/],
    [{ take_profit: { stop_price: 5 } }, /take_profit.stop_price must be a string/],
  ]
  for (const [fields, says] of cases) refused(await create(alice, fields), { status: 400, says })
  for (const name of Object.keys(bid)) {
    const { [name]: _, ...rest } = bid as Row
    const answer = await api.signed(alice, '/orders/create', rest)
    refused(answer, { status: 400, says: new RegExp(`lacks ${name}`) })
  }
})

test('the error for an address without an account says to fund it', async () => {
  const { newKey } = await import('../../src/client/key.ts')
  const answer = await create(newKey())
  refused(answer, {
    status: 422,
    code: 1,
    says: /ACCOUNT_NOT_FOUND: no account \S+; a first deposit/,
  })
})

test('an edit makes a new order with the same client id; the old one stays readable', async () => {
  const alice = await live.trader()
  const client_order_id = randomUUID()
  const old = dataOf(await create(alice, { client_order_id }))
  const change = { symbol: 'BTC', price: '103000', amount: '0.02' }
  const edited = dataOf(await api.signed(alice, '/orders/edit', { ...change, client_order_id }))
  assert.deepEqual(Object.keys(edited), ['order_id'])
  assert.notEqual(edited.order_id, old.order_id)
  const [row] = await open(alice)
  assert.deepEqual(
    [row!.order_id, row!.client_order_id, row!.price, row!.initial_amount],
    [edited.order_id, client_order_id, '103000', '0.02'],
  )
  assert.deepEqual(await eventsOf(idOf(old)), ['cancel', 'make'])
  const gone = { ...change, order_id: old.order_id }
  const again = await api.signed(alice, '/orders/edit', gone)
  refused(again, { status: 422, code: 6, says: /ORDER_NOT_FOUND: no open order \d+ on BTC/ })
  const off = { ...change, client_order_id, price: '103000.1' }
  refused(await api.signed(alice, '/orders/edit', off), { status: 422, code: 52, says: /nearest/ })
  const none = await api.signed(alice, '/orders/edit', change)
  refused(none, { status: 400, says: /order_id or client_order_id is required/ })
  assert.equal((await open(alice)).length, 1, 'the original stays unchanged')
})

test('stops: created, read, cancelled by their own route, rejected when reached', async () => {
  const alice = await live.trader()
  const path = '/orders/stop/create'
  const stop = { symbol: 'BTC', side: 'bid', reduce_only: false }
  const client_order_id = randomUUID()
  const stop_order = {
    stop_price: '110000',
    limit_price: '110500',
    amount: '0.01',
    client_order_id,
  }
  const placed = dataOf(await api.signed(alice, path, { ...stop, stop_order }))
  assert.deepEqual(Object.keys(placed), ['order_id'])
  const [row] = await open(alice)
  assert.deepEqual(
    [row!.order_id, row!.order_type, row!.stop_price, row!.price, row!.client_order_id],
    [placed.order_id, 'stop_limit', '110000', '110500', client_order_id],
  )
  const reached = { ...stop, stop_order: { stop_price: '100000', amount: '0.01' } }
  refused(await api.signed(alice, path, reached), {
    status: 422,
    code: 16,
    says: /INVALID_STOP_TICK: stop price 100000 is reached already/,
  })
  const cancel = { symbol: 'BTC', client_order_id }
  const ended = await api.signed(alice, '/orders/stop/cancel', cancel)
  assert.equal(dataOf(ended), null)
  const again = await api.signed(alice, '/orders/stop/cancel', cancel)
  refused(again, { status: 422, code: 6, says: /ORDER_NOT_FOUND/ })
})

test('a client id in capitals is the same id, and is returned as it was sent', async () => {
  const alice = await live.trader()
  const account = alice.address
  const lower = 'abcdef01-2345-4678-9abc-def012345678'
  const [sent, upper] = ['ABCDEF01-2345-4678-9abc-def012345678', lower.toUpperCase()]
  const placed = dataOf(await create(alice, { client_order_id: sent }))
  assert.equal(placed.client_order_id, sent)
  for (const client_order_id of [lower, upper, sent])
    refused(await create(alice, { client_order_id }), {
      status: 422,
      code: 36,
      says: /DUPLICATE_CLIENT_ORDER_ID/,
    })
  const levels = (one: string, other: string) => ({
    take_profit: { stop_price: '110000', client_order_id: one },
    stop_loss: { stop_price: '100000', client_order_id: other },
  })
  const other = randomUUID()
  const twice = await create(alice, levels(other, other.toUpperCase()))
  refused(twice, { status: 422, code: 36, says: /DUPLICATE_CLIENT_ORDER_ID/ })
  const [row] = await open(alice)
  assert.equal(row!.client_order_id, sent)
  const found = await api.get('/orders/history_by_id', { account, client_order_id: lower })
  assert.deepEqual(
    dataOf<Row[]>(found).map(({ order_id, client_order_id }) => [order_id, client_order_id]),
    [[placed.order_id, sent]],
  )
  const cancel = { symbol: 'BTC', client_order_id: upper }
  assert.equal((await api.signed(alice, '/orders/cancel', cancel)).text, '{"success":true}')
  dataOf(await create(alice, { client_order_id: lower }))
})

test('a TWAP is found by its client id in capitals', async () => {
  const alice = await live.trader()
  const client_order_id = randomUUID()
  const twap = {
    symbol: 'BTC',
    amount: '0.01',
    side: 'bid',
    reduce_only: false,
    slippage_percent: '1',
    duration_in_seconds: 60,
  }
  const path = '/orders/twap/create'
  dataOf(await api.signed(alice, path, { ...twap, client_order_id }))
  const upper = { client_order_id: client_order_id.toUpperCase() }
  refused(await api.signed(alice, path, { ...twap, ...upper }), {
    status: 422,
    code: 43,
    says: /TWAP_CLIENT_ORDER_ID_IN_USE/,
  })
  dataOf(await api.signed(alice, '/orders/twap/cancel', { symbol: 'BTC', ...upper }))
})

test('cancel_all returns the number of cancelled orders, on one market or on all', async () => {
  const alice = await live.trader()
  await create(alice)
  await create(alice)
  await create(alice, { symbol: 'ETH', price: '3000', amount: '0.1' })
  const all = { exclude_reduce_only: false }
  const path = '/orders/cancel_all'
  const one = await api.signed(alice, path, { ...all, all_symbols: false, symbol: 'BTC' })
  assert.deepEqual(dataOf(one), { cancelled_count: 2 })
  const rest = await api.signed(alice, path, { ...all, all_symbols: true })
  assert.deepEqual(dataOf(rest), { cancelled_count: 1 })
  const none = await api.signed(alice, path, { ...all, all_symbols: false })
  refused(none, { status: 400, says: /symbol is required unless all_symbols is true/ })
})

test('a batch runs in order, and a rejected action does not stop the next', async () => {
  const alice = await live.trader()
  const old = dataOf(await create(alice))
  const client_order_id = randomUUID()
  const one = async (type: string, path: string, fields: Row) => ({
    type,
    data: await api.body(alice, path, fields),
  })
  const actions = [
    await one('Create', '/orders/create', { ...bid, client_order_id }),
    await one('Cancel', '/orders/cancel', { symbol: 'BTC', order_id: old.order_id }),
    await one('Create', '/orders/create', { ...bid, price: '104000.5' }),
    await one('Cancel', '/orders/cancel', { symbol: 'BTC', order_id: 424_242 }),
    await one('Edit', '/orders/edit', {
      symbol: 'BTC',
      price: '103000',
      amount: '0.01',
      client_order_id,
    }),
  ]
  const { results } = dataOf<{ results: Row[] }>(await api.post('/orders/batch', { actions }))
  assert.deepEqual(
    results.map(({ success, symbol }) => [success, symbol]),
    [true, true, false, false, true].map((success) => [success, 'BTC']),
  )
  assert.match(String(results[2]!.error), /^INVALID_TICK_SIZE: price 104000.5/)
  assert.match(String(results[3]!.error), /^ORDER_NOT_FOUND: no open order 424242 on BTC/)
  assert.equal(results[0]!.client_order_id, client_order_id)
  assert.deepEqual([results[1]!.order_id, results[3]!.order_id], [old.order_id, null])
  const [left, ...others] = await open(alice)
  assert.deepEqual(
    [left!.order_id, left!.price, others.length],
    [results[4]!.order_id, '103000', 0],
  )
})

test('a bad signature, two accounts or too many actions reject the whole batch', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  const action = async (key: Key) => ({
    type: 'Create',
    data: await api.body(key, '/orders/create', bid),
  })
  const good = await action(alice)
  const bad = { ...good, data: { ...(await action(alice)).data, amount: '0.02' } }
  const two = await api.post('/orders/batch', { actions: [good, await action(bob)] })
  refused(two, { status: 400, says: /all actions of a batch must be of one account/ })
  const forged = await api.post('/orders/batch', { actions: [good, bad] })
  const body = refused(forged, { status: 400, says: /INVALID_SIGNATURE: Verification failed/ })
  assert.equal(body.error_id, 'signature_verification_failed')
  const many = await Promise.all(Array.from({ length: 11 }, () => action(alice)))
  refused(await api.post('/orders/batch', { actions: many }), {
    status: 400,
    says: /actions must not have more than 10 items/,
  })
  refused(await api.post('/orders/batch', { actions: [] }), {
    status: 400,
    says: /actions must not/,
  })
  const odd = { actions: [{ ...good, type: 'Withdraw' }] }
  refused(await api.post('/orders/batch', odd), {
    status: 400,
    says: /actions\[0\].type must be one of Create/,
  })
  assert.deepEqual(await open(alice), [])
})

const batched = async (key: Key, actions: readonly Row[], more: Row = {}) => {
  const timestamp = Date.now()
  return signedBody(key, { ...more, actions }, { type: 'batch_orders', timestamp })
}

test('one signature covers a batch of fifty, which may place stops and cancel all', async () => {
  const alice = await live.trader()
  const quotes = Array.from({ length: 48 }, () => ({ type: 'Create', data: bid }))
  const stop_order = { stop_price: '150000', amount: '0.01' }
  const stop = { symbol: 'BTC', side: 'bid', reduce_only: false, stop_order }
  const all = { all_symbols: true, exclude_reduce_only: false }
  const actions = [...quotes, { type: 'CreateStop', data: stop }, { type: 'CancelAll', data: all }]
  const body = await batched(alice, actions)
  const answer = await api.post('/orders/batch', body)
  const { results } = dataOf<{ results: Row[] }>(answer)
  assert.equal(results.length, 50)
  assert.ok(results.every(({ success }) => success))
  const { order_id } = results[48]!
  assert.equal(order_id, Number(results[0]!.order_id) + 48)
  const last = { order_id: null, client_order_id: null, symbol: null, cancelled_count: 49 }
  assert.deepEqual(results[49], { success: true, ...last, error: null })
  assert.deepEqual(Object.keys(results[0]!), Object.keys(results[48]!))
  refused(await api.post('/orders/batch', body), { status: 400, says: /^REPLAYED/ })
})

test('a malformed batch with one signature is rejected as a whole', async () => {
  const alice = await live.trader()
  const quote = { type: 'Create', data: bid }
  const post = (body: Row) => api.post('/orders/batch', body)
  const good = await batched(alice, [quote])
  const says = /^MALFORMED_REQUEST: actions must not have more than 50 items, there are 51/
  refused(await post(await batched(alice, Array(51).fill(quote))), { status: 400, says })
  const forged = { ...good, actions: [{ ...quote, data: { ...bid, amount: '0.02' } }] }
  refused(await post(forged), { status: 400, says: /INVALID_SIGNATURE: Verification failed/ })
  const { signature: _, ...unsigned } = good
  refused(await post(unsigned), { status: 400, says: /signature is missing/ })
  const data = await api.body(alice, '/orders/create', bid)
  const mixed = await batched(alice, [quote, { ...quote, data }])
  refused(await post(mixed), { status: 400, says: /actions\[1\]\.data\.\w+ is not a field/ })
  const strange = await batched(alice, [quote], { nonsense: 1 })
  refused(await post(strange), { status: 400, says: /nonsense is not a field of this request/ })
  assert.deepEqual(await open(alice), [])
  // An action that breaks a rule does not stop the next.
  const { results } = dataOf<{ results: Row[] }>(
    await post(await batched(alice, [{ ...quote, data: { ...bid, price: '0.3' } }, quote])),
  )
  assert.deepEqual(
    results.map(({ success }) => success),
    [false, true],
  )
})

test('an order expires at its expire_time, and its rows show it', async () => {
  const alice = await live.trader()
  const { engine_now } = dataOf<{ engine_now: number }>(await api.get('/time'))
  const early = await create(alice, { expire_time: engine_now + 999 })
  const bounds = `${engine_now + 999} must be at least ${engine_now + 1_000}`
  refused(early, { status: 422, says: new RegExp(`INVALID_TIME: expire_time ${bounds}`) })
  const taking = await create(alice, { expire_time: engine_now + 2_000, tif: 'IOC' })
  refused(taking, { status: 422, code: 20, says: /: expire_time is of orders that rest/ })
  const worded = await create(alice, { expire_time: 'soon' })
  refused(worded, { status: 400, says: /expire_time/ })
  const expire_time = engine_now + 2_000
  const first = dataOf(await create(alice, { expire_time }))
  const stop_order = { stop_price: '110000', amount: '0.01' }
  const stop = { symbol: 'BTC', side: 'bid', reduce_only: false, stop_order, expire_time }
  dataOf(await api.signed(alice, '/orders/stop/create', stop))
  dataOf(await create(alice))
  const times = (await open(alice)).map((row) => ['expire_time' in row, row.expire_time])
  assert.deepEqual(times, [
    [false, undefined],
    [true, expire_time],
    [true, expire_time],
  ])
  dataOf(await live.sandbox('clock', { advance_ms: 2_000 }))
  assert.equal((await open(alice)).length, 1)
  const row = (await history(alice)).find(({ order_id }) => order_id === first.order_id)
  assert.deepEqual([row?.reason, row?.expire_time], ['expired', expire_time])
  assert.deepEqual(await eventsOf(idOf(first)), ['expired', 'make'])
  await leave(alice)
})

test('stp decides which of two own orders is cancelled', async () => {
  const alice = await live.trader()
  const ask = dataOf(await create(alice, { side: 'ask', price: '105000' }))
  refused(await create(alice, { stp: 'neither' }), { status: 400, says: /stp must be one of/ })
  const taker = dataOf(await create(alice, { price: '105000', stp: 'cancel_taker' }))
  assert.deepEqual(
    (await open(alice)).map(({ order_id }) => order_id),
    [ask.order_id],
  )
  assert.deepEqual((await eventsOf(idOf(taker)))[0], 'self_trade_prevented')
  const preview = { account: alice.address, ...bid, price: '105000', stp: 'cancel_taker' }
  const shown = dataOf(await api.post('/orders/preview', preview))
  assert.deepEqual([shown.accepted, shown.position_after], [true, '0'])
  const wish = { symbol: 'BTC', side: 'bid', amount: '0.01', reduce_only: false }
  const market = { ...wish, slippage_percent: '1', stp: 'cancel_both' }
  const none = await api.signed(alice, '/orders/create_market', market)
  const own = /the first order .* one of your own \(the best is 105000\), so with stp cancel_both/
  refused(none, { status: 422, code: 25, says: own })
  const seen = dataOf(await api.post('/orders/preview', { account: alice.address, ...market }))
  assert.match(String(seen.error), own)
  // No other account has orders here, and none of her own is in the way.
  const others = await api.signed(alice, '/orders/create_market', { ...market, stp: null })
  const never =
    /no matching orders .*: the best order is one of your own \(the best is 105000\), and/
  refused(others, { status: 422, code: 25, says: never })
  dataOf(
    await api.signed(alice, '/orders/cancel_all', {
      all_symbols: true,
      exclude_reduce_only: false,
    }),
  )
  const empty = await api.signed(alice, '/orders/create_market', { ...market, stp: null })
  refused(empty, { status: 422, code: 25, says: /that side of the book is empty; use a limit/ })
  await leave(alice)
})

test('a scheduled cancel cancels the orders at its time and keeps protective ones', async () => {
  const alice = await live.trader()
  await create(alice)
  const path = '/orders/schedule_cancel'
  const { engine_now } = dataOf<{ engine_now: number }>(await api.get('/time'))
  const soon = await api.signed(alice, path, { time: engine_now + 4_999 })
  refused(soon, { status: 422, says: /INVALID_TIME: time \d+ must be at least \d+/ })
  const time = engine_now + 5_000
  assert.deepEqual(dataOf(await api.signed(alice, path, { time })), { time })
  assert.deepEqual(dataOf(await api.signed(alice, path, { time: null })), { time: null })
  dataOf(await live.sandbox('clock', { advance_ms: 6_000 }))
  assert.equal((await open(alice)).length, 1)
  dataOf(await api.signed(alice, path, { time: time + 6_000 }))
  dataOf(await live.sandbox('clock', { advance_ms: 6_000 }))
  assert.deepEqual(await open(alice), [])
})

test('order history continues at its cursor; an order is found by either id', async () => {
  const alice = await live.trader()
  const client_order_id = randomUUID()
  for (let at = 0; at < 3; at++) dataOf(await create(alice, { price: `${104_000 + at}` }))
  const placed = dataOf(await create(alice, { client_order_id }))
  const account = alice.address
  const page = await api.get('/orders/history', { account, limit: 3 })
  assert.deepEqual([page.body.has_more, dataOf<Row[]>(page).length], [true, 3])
  const cursor = String(page.body.next_cursor)
  const rest = await api.get('/orders/history', { account, limit: 3, cursor })
  assert.deepEqual([rest.body.has_more, rest.body.next_cursor], [false, null])
  assert.deepEqual(
    dataOf<Row[]>(rest).map(({ price }) => price),
    ['104000'],
  )
  refused(await api.get('/orders/history', { account, cursor: 'x' }), {
    status: 400,
    says: /INVALID_CURSOR: cursor must be a next_cursor of this very list/,
  })
  const found = await api.get('/orders/history_by_id', { account, client_order_id })
  assert.equal(dataOf<Row[]>(found)[0]!.order_id, placed.order_id)
  const unknown = await api.get('/orders/history_by_id', { order_id: 999_999_999 })
  refused(unknown, { status: 404, says: /ORDER_NOT_FOUND/ })
  refused(await api.get('/orders/history_by_id', { account }), { status: 400, says: /is required/ })
})

test('a preview changes nothing and shows the result of placing the order', async () => {
  const alice = await live.trader()
  const ask = { account: alice.address, symbol: 'BTC', side: 'bid', amount: '0.1' }
  const limit = { ...ask, price: '104000', tif: 'GTC' }
  const bob = await live.trader()
  dataOf(await create(bob, { side: 'ask', price: '105000' }))
  const seq = live.running.exchange.seq()
  const good = dataOf(await api.post('/orders/preview', limit))
  assert.deepEqual(
    [good.accepted, good.notional, good.position_after, good.error],
    [true, '10400', '0.1', undefined],
  )
  const dear = dataOf(await api.post('/orders/preview', { ...limit, amount: '48' }))
  assert.deepEqual([dear.accepted, dear.code], [false, 5])
  assert.match(String(dear.error), /INSUFFICIENT_BALANCE: insufficient balance: /)
  const crossing = { ...limit, price: '105001', tif: 'ALO' }
  const ends = dataOf(await api.post('/orders/preview', crossing))
  assert.deepEqual(
    [ends.accepted, ends.position_after, ends.fee, ends.margin],
    [true, '0', '0', '0'],
  )
  assert.match(String(ends.rejected), /post-only .* at 105001 .* the best ask, 105000; .* 104999$/)
  const off = dataOf(await api.post('/orders/preview', { ...limit, price: '104000.5' }))
  assert.deepEqual([off.accepted, off.code, off.notional], [false, 52, null])
  const none = dataOf(await api.post('/orders/preview', { ...limit, symbol: 'NOPE' }))
  assert.deepEqual([none.accepted, none.code], [false, 3])
  refused(await api.post('/orders/preview', { ...limit, slippage_percent: '1' }), {
    status: 400,
    says: /give price and tif for a limit order, or slippage_percent for a market order/,
  })
  assert.equal(live.running.exchange.seq(), seq)
  const most = { ...limit, amount: String(good.max_amount) }
  assert.equal(dataOf(await api.post('/orders/preview', most)).accepted, true)
  await leave(bob)
})

test('take-profit and stop-loss attached to an order are its children', async () => {
  const alice = await live.trader()
  const levels = { take_profit: { stop_price: '110000' }, stop_loss: { stop_price: '100000' } }
  const placed = dataOf(await create(alice, levels))
  const children = (await open(alice)).filter(({ stop_price }) => stop_price !== null)
  assert.deepEqual(
    children.map(({ stop_parent_order_id }) => stop_parent_order_id),
    [placed.order_id, placed.order_id],
  )
})
