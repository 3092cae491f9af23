// POST /positions/tpsl, black box: both bodies, the meaning of null and absent fields in each, and
// stops triggered by the mark.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Key, newKey } from '../../src/client/key.ts'
import { signingText } from '../../src/protocol/signing-text.ts'
import {
  type Answer,
  dataOf,
  freshTimestamp,
  type Row,
  refused,
} from '../support/http/api-client.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const path = '/positions/tpsl'
const type = 'set_position_tpsl'
const done = '{"success":true}'
const everything = { all_symbols: true, exclude_reduce_only: false }

/** The contract's body: `user`, levels in ticks, by default without a timestamp. */
async function asUser(key: Key, fields: Row, at: Live = live): Promise<Answer> {
  const body = { user: key.address, symbol: 'ETH', side: 'bid', ...fields }
  return at.api.post(path, { ...body, signature: await key.sign(signingText(type, body)) })
}

/** The other body: `account`, the closing side, levels in prices. */
const asAccount = (key: Key, fields: Row, options = {}) =>
  api.signed(key, path, { symbol: 'ETH', side: 'ask', ...fields }, options)

async function holder(at: Live = live): Promise<Key> {
  const [alice, bob] = [await at.trader(), await at.trader()]
  await at.price('ETH', '3500')
  await at.trade({ buyer: alice, seller: bob, symbol: 'ETH', price: '3500', amount: '2' })
  return alice
}

async function levelsOf(key: Key): Promise<string[]> {
  const orders = dataOf<Row[]>(await api.get('/orders', { account: key.address }))
  return orders
    .map((row) => `${row.order_type} ${row.stop_price} ${row.price} ${row.initial_amount}`)
    .sort()
}

const profit = 'take_profit_market 3600 0 2'
const loss = 'stop_loss_market 3400 0 2'

test('a body without user or account is rejected: user is missing', async () => {
  const alice = await holder()
  const body = { symbol: 'ETH', side: 'bid', stop_loss: { stop_tick_level: 34_000 } }
  const signature = await alice.sign(signingText(type, body))
  const says = /^MALFORMED_REQUEST: user is missing/
  refused(await api.post(path, { ...body, signature }), { status: 400, code: 400, says })
  refused(await api.post(path, { ...body, user: null, signature }), { status: 400, says })
  for (const less of [{}, { symbol: 'ETH' }, { ...body, side: 7 }])
    refused(await api.post(path, less), { status: 400, says })
})

test('the body of the contract sets both levels in ticks, without a timestamp', async () => {
  const alice = await holder()
  const answer = await asUser(alice, {
    take_profit: { stop_tick_level: 36_000, limit_tick_level: 35_950, amount: '0.5' },
    stop_loss: { stop_tick_level: 34_000 },
  })
  assert.equal(answer.text, done)
  assert.deepEqual(await levelsOf(alice), [loss, 'take_profit_limit 3600 3595 0.5'])
})

test('a given level replaces, null removes, an absent one stays', async () => {
  const alice = await holder()
  const steps: readonly (readonly [Row, readonly string[]])[] = [
    [{ take_profit: { stop_tick_level: 36_000 } }, [profit]],
    [{ stop_loss: { stop_tick_level: 34_000 } }, [loss, profit]],
    [{ take_profit: { stop_tick_level: 37_000 } }, [loss, 'take_profit_market 3700 0 2']],
    [{}, [loss, 'take_profit_market 3700 0 2']],
    [{ take_profit: null }, [loss]],
    [{ take_profit: null, stop_loss: null }, []],
  ]
  for (const [fields, levels] of steps) {
    assert.equal((await asUser(alice, fields)).text, done)
    assert.deepEqual(await levelsOf(alice), levels)
  }
})

test('the other body has the closing side, prices, client ids and a choice of price', async () => {
  const alice = await holder()
  const client_order_id = randomUUID()
  const answer = await asAccount(alice, {
    take_profit: { stop_price: '3600', client_order_id, trigger_price_type: 'last_trade_price' },
    stop_loss: { stop_price: '3400', limit_price: '3390', amount: '1' },
  })
  assert.equal(answer.text, done)
  assert.deepEqual(await levelsOf(alice), ['stop_loss_limit 3400 3390 1', profit])
  const cancelled = await api.signed(alice, '/orders/cancel', { symbol: 'ETH', client_order_id })
  assert.equal(cancelled.text, done)
})

test('a text without a timestamp is valid once per position, until it is closed', async () => {
  const alice = await holder()
  const fields = { stop_loss: { stop_tick_level: 34_000 } }
  assert.equal((await asUser(alice, fields)).text, done)
  const again = await asUser(alice, fields)
  refused(again, { status: 400, says: /^REPLAYED: Invalid message.*add timestamp to repeat it/ })
  assert.equal((await asUser(alice, { ...fields, timestamp: freshTimestamp() })).text, done)
  const timed = { ...fields, timestamp: freshTimestamp(), expiry_window: 60_000 }
  assert.equal((await asUser(alice, timed)).text, done)
  refused(await asUser(alice, timed), { status: 400, says: /REPLAYED: Invalid message/ })
  const bob = await live.trader()
  await live.trade({ buyer: bob, seller: alice, symbol: 'ETH', price: '3500', amount: '2' })
  assert.deepEqual(await levelsOf(alice), [], 'levels end with the position')
  refused(await asUser(alice, fields), { status: 400, says: /POSITION_NOT_FOUND/ })
  await live.trade({ buyer: alice, seller: bob, symbol: 'ETH', price: '3500', amount: '2' })
  assert.equal((await asUser(alice, fields)).text, done)
})

test('levels shrink with the position', async () => {
  const alice = await holder()
  const bob = await live.trader()
  assert.equal((await asUser(alice, { stop_loss: { stop_tick_level: 34_000 } })).text, done)
  await live.trade({ buyer: bob, seller: alice, symbol: 'ETH', price: '3500', amount: '1.5' })
  assert.deepEqual(await levelsOf(alice), ['stop_loss_market 3400 0 0.5'])
})

const refusals: readonly (readonly [Row, RegExp])[] = [
  [
    { take_profit: { stop_tick_level: 34_000 } },
    /INVALID_STOP_TICK: take_profit: .* 3400 is reached/,
  ],
  [{ stop_loss: { stop_tick_level: 36_000 } }, /INVALID_STOP_TICK/],
  [{ stop_loss: { stop_tick_level: 35_000 } }, /INVALID_STOP_TICK/],
  [{ side: 'ask', take_profit: { stop_tick_level: 36_000 } }, /INVALID_STOP_ORDER_SIDE: the side/],
  [{ symbol: 'SOL', take_profit: null }, /POSITION_NOT_FOUND: no open position on SOL/],
  [{ symbol: 'NOPE' }, /BOOK_NOT_FOUND/],
  [
    { stop_loss: { stop_tick_level: 34_000, amount: '2.1' } },
    /INVALID_STOP_ORDER_AMOUNT: stop_loss.amount 2.1 ETH is more than the position of 2 ETH/,
  ],
  [
    { stop_loss: { stop_tick_level: 34_000, amount: '1.00005' } },
    /INVALID_AMOUNT: stop_loss.amount 1.00005 .* lot size 0.0001; nearest: 1 or 1.0001$/,
  ],
  [{ stop_loss: { stop_tick_level: 34_000, amount: '0' } }, /not a positive multiple/],
  [{ stop_loss: { stop_tick_level: 34_000, amount: '-1' } }, /not a positive multiple/],
  [{ stop_loss: { stop_tick_level: 34_000, amount: 1 } }, /stop_loss.amount must be a string/],
  [{ stop_loss: { amount: '1' } }, /stop_loss lacks stop_tick_level/],
  [{ stop_loss: { stop_tick_level: '34000' } }, /stop_loss.stop_tick_level must be integer/],
  [{ stop_loss: { stop_tick_level: 0 } }, /stop_loss.stop_tick_level must be >= 1/],
  [{ stop_loss: { stop_price: '3400' } }, /stop_loss.stop_tick_level is required in a body with/],
  [
    { take_profit: { stop_tick_level: 10 ** 12 } },
    /INVALID_STOP_TICK: take_profit.stop_price \d+ is outside 0.1 to/,
  ],
  [{ side: 'long' }, /side must be one of bid, ask/],
  [{ stop_loss: 'x' }, /stop_loss must be/],
]

test('an invalid level is 400 with exactly error and code, and nothing changes', async () => {
  const alice = await holder()
  assert.equal((await asUser(alice, { take_profit: { stop_tick_level: 36_000 } })).text, done)
  for (const [fields, says] of refusals) {
    // The other level is valid, but must not be set either.
    const other = { stop_loss: { stop_tick_level: 33_000 } }
    const answer = await asUser(alice, { ...other, ...fields, timestamp: freshTimestamp() })
    refused(answer, { status: 400, says })
    assert.deepEqual(Object.keys(answer.body), ['error', 'code'])
    assert.deepEqual(await levelsOf(alice), [profit])
  }
})

test('the other body must fit the price grid and use its own field names', async () => {
  const alice = await holder()
  const cases: readonly (readonly [Row, RegExp])[] = [
    [
      { stop_loss: { stop_price: '3400.05' } },
      /INVALID_TICK_SIZE: stop_loss.stop_price 3400.05 .* size 0.1; nearest: 3400 or 3400.1$/,
    ],
    [{ stop_loss: { stop_tick_level: 34_000 } }, /stop_loss.stop_price is required in a body with/],
    [{ stop_loss: { stop_price: 3400 } }, /stop_loss.stop_price must be a string/],
    [{ side: 'bid', stop_loss: { stop_price: '3400' } }, /INVALID_STOP_ORDER_SIDE/],
    [
      { stop_loss: { stop_price: '3400', trigger_price_type: 'x' } },
      /trigger_price_type must be one of/,
    ],
    [{ user: alice.address }, /either user or account, not both/],
  ]
  for (const [fields, says] of cases) refused(await asAccount(alice, fields), { status: 400, says })
  assert.deepEqual(await levelsOf(alice), [])
  const untimed = await api.body(alice, path, { symbol: 'ETH', side: 'ask' })
  const { timestamp: _, ...rest } = untimed
  refused(await api.post(path, rest), { status: 400, says: /timestamp is missing/ })
})

test('a null user means no user: a text signed for the other body means the same', async () => {
  const alice = await holder()
  const body = await api.body(alice, path, {
    symbol: 'ETH',
    side: 'ask',
    stop_loss: { stop_price: '3400' },
  })
  assert.equal((await api.post(path, { ...body, user: null })).text, done)
  assert.deepEqual(await levelsOf(alice), [loss])
})

test('in a batch both bodies mean the same as alone', async () => {
  const alice = await holder()
  const body = { user: alice.address, symbol: 'ETH', side: 'bid', timestamp: freshTimestamp() }
  const ticks = { ...body, stop_loss: { stop_tick_level: 34_000 } }
  const user = { ...ticks, signature: await alice.sign(signingText(type, ticks)) }
  const prices = { symbol: 'ETH', side: 'ask', take_profit: { stop_price: '3600' } }
  const account = await api.body(alice, path, prices)
  const actions = [user, account].map((data) => ({ type: 'SetPositionTpsl', data }))
  const { results } = dataOf<{ results: Row[] }>(await api.post('/orders/batch', { actions }))
  assert.deepEqual(
    results.map(({ success, error }) => [success, error]),
    [
      [true, null],
      [true, null],
    ],
  )
  assert.deepEqual(await levelsOf(alice), [loss, profit])
})

test('the other body accepts several levels of a kind, and a trailing one', async () => {
  const alice = await holder()
  const client_order_id = randomUUID()
  const take_profit = [
    { stop_price: '3600', amount: '0.5', client_order_id },
    { stop_price: '3700', limit_price: '3690' },
  ]
  const trails = { trailing_percent: '1', activation_price: '3510' }
  const stop_loss = [{ stop_price: '3400', amount: '1' }, trails]
  assert.equal((await asAccount(alice, { take_profit, stop_loss })).text, done)
  const set = [
    'stop_loss_market 3400 0 1',
    'stop_loss_market null 0 2',
    'take_profit_limit 3700 3690 2',
    'take_profit_market 3600 0 0.5',
  ]
  assert.deepEqual(await levelsOf(alice), set)
  const rows = dataOf<Row[]>(await api.get('/orders', { account: alice.address }))
  const trailing = rows.find(({ stop_price }) => stop_price === null)!.trailing as Row
  assert.deepEqual([trailing.trailing_percent, trailing.activation_price], ['1', '3510'])
  const bad: readonly (readonly [Row, RegExp])[] = [
    [{ take_profit: [{ stop_price: '3600' }, {}] }, /: take_profit\[1\] lacks stop_price$/],
    [{ take_profit: {} }, /: take_profit lacks stop_tick_level or stop_price$/],
    [
      { take_profit: [{ stop_price: '3600' }, { stop_price: '3600.05' }] },
      /INVALID_TICK_SIZE: take_profit\[1\].stop_price 3600.05/,
    ],
    [{ take_profit: [trails] }, /take_profit\[0\] lacks stop_price/],
    [
      { stop_loss: [{ amount: '1' }] },
      /stop_loss\[0\] must have exactly one of stop_price, trailing_/,
    ],
    [
      { stop_loss: { ...trails, stop_price: '3400' } },
      /stop_loss must have exactly one of stop_price/,
    ],
    [{ stop_loss: [{ stop_price: '3400', trail: '1' }] }, /stop_loss\[0\].trail is not a field/],
    [
      { stop_loss: Array(6).fill({ stop_price: '3400' }) },
      /POSITION_TPSL_LIMIT_EXCEEDED: 6 levels of one kind; .* at most 5 take-profits and 5 stop-/,
    ],
    [
      { client_order_id: randomUUID(), stop_loss: [trails, trails] },
      /exactly one level without its own/,
    ],
  ]
  for (const [fields, says] of bad) refused(await asAccount(alice, fields), { status: 400, says })
  const list = { stop_loss: [{ stop_tick_level: 34_000 }] }
  refused(await asUser(alice, list), { status: 400, says: /stop_loss must be an object or null/ })
  assert.deepEqual(await levelsOf(alice), set)
  assert.equal((await asUser(alice, { take_profit: { stop_tick_level: 36_000 } })).text, done)
  assert.deepEqual(await levelsOf(alice), [...set.slice(0, 2), profit])
  const only = { client_order_id, stop_loss: [{ stop_price: '3400' }] }
  assert.equal((await asAccount(alice, only)).text, done)
  assert.equal((await asAccount(alice, { take_profit: [] })).text, done)
  assert.deepEqual(await levelsOf(alice), [loss])
})

test('an order carries several levels, and a preview includes them', async () => {
  const alice = await live.trader()
  await live.price('ETH', '3500')
  const order = { symbol: 'ETH', side: 'bid', price: '3450', amount: '2' }
  const take_profit = [{ stop_price: '3600', amount: '1' }, { stop_price: '3700' }]
  const stop_loss = [{ trailing_distance: '50' }]
  await live.order(alice, { ...order, take_profit, stop_loss })
  assert.deepEqual((await levelsOf(alice)).slice(1), [
    'stop_loss_market null 0 2',
    'take_profit_market 3600 0 1',
    'take_profit_market 3700 0 2',
  ])
  const wish = { ...order, account: alice.address, tif: 'GTC', take_profit, stop_loss }
  const preview = async (more: Row) =>
    dataOf<Row>(await api.post('/orders/preview', { ...wish, ...more }))
  assert.equal((await preview({})).accepted, true)
  const wrong = await preview({ take_profit: [...take_profit, { stop_price: '3450' }] })
  assert.match(String(wrong.error), /INVALID_STOP_TICK/)
  dataOf(await api.signed(alice, '/orders/cancel_all', everything))
})

test('an order and a linked stop: when one executes the other is cancelled', async () => {
  const alice = await holder()
  const bob = await live.trader()
  const leg = { side: 'ask', amount: '2', reduce_only: true }
  const stream = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
  await stream.subscribe('account_order_updates', { account: alice.address })
  const oco = (legs: readonly Row[], more: Row = {}) =>
    api.signed(alice, '/orders/oco/create', { symbol: 'ETH', legs, ...more })
  const [rests, stops] = [
    { ...leg, price: '3600' },
    { ...leg, stop_price: '3400' },
  ]
  const bad: readonly (readonly [readonly Row[], RegExp])[] = [
    [[rests], /legs must not have fewer than 2 items/],
    [[rests, { ...stops, price: '3600' }], /legs\[1\].stop_price is not a field/],
    [[rests, leg], /legs\[1\] must have exactly one of price, stop_price, trailing_percent/],
    [[rests, { ...leg, trailing_percent: '0' }], /INVALID_STOP_TICK/],
    [[rests, rests], /INVALID_ORDER_TYPE/],
    [[rests, { ...stops, amount: '1' }], /INVALID_STOP_ORDER_AMOUNT/],
    [[{ ...rests, price: '3600.05' }, stops], /INVALID_TICK_SIZE: legs\[0\].price/],
  ]
  for (const [legs, says] of bad) assert.match(String((await oco(legs)).body.error), says)
  const { order_ids } = dataOf<{ order_ids: number[] }>(await oco([rests, stops]))
  const open = async () => {
    const rows = dataOf<Row[]>(await api.get('/orders', { account: alice.address }))
    return rows.map((row) => [row.order_id, row.oco_order_id, row.stop_price]).reverse()
  }
  const [first, second] = order_ids
  assert.deepEqual(await open(), [
    [first, second, null],
    [second, first, '3400'],
  ])
  await live.order(bob, { symbol: 'ETH', side: 'bid', price: '3395', amount: '20' })
  await live.price('ETH', '3399')
  assert.deepEqual(await open(), [])
  const past = dataOf<Row[]>(await api.get('/orders/history', { account: alice.address }))
  const ended = past.find(({ order_id }) => order_id === first)!
  assert.deepEqual([ended.order_status, ended.reason], ['cancelled', 'oco'])
  assert.deepEqual([ended.oco_order_id, 'parent_order_id' in ended], [second, false])
  await stream.settle()
  const updates = stream.of('account_order_updates').flatMap(({ data }) => data as Row[])
  const last = (id: unknown) => updates.findLast(({ i }) => i === id)?.oco_order_id
  assert.deepEqual([last(first), last(second)], [second, first])
  await stream.close()
  dataOf(await api.signed(bob, '/orders/cancel_all', everything))
})

test('a stop carries the levels of the position that it opens', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('ETH', '3500')
  const { address: account } = alice
  const stream = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
  await stream.subscribe('account_order_updates', { account })
  const stop_order = { stop_price: '3550', amount: '2' }
  const stop = (more: Row) => {
    const body = { symbol: 'ETH', side: 'bid', reduce_only: false, stop_order, ...more }
    return api.signed(alice, '/orders/stop/create', body)
  }
  const take_profit = [{ stop_price: '3600', amount: '1' }, { stop_price: '3700' }]
  const bad: readonly (readonly [Row, RegExp])[] = [
    [{ take_profit: { stop_price: '3550' } }, /INVALID_STOP_TICK: stop price 3550/],
    [{ take_profit, reduce_only: true }, /INVALID_STOP_ORDER_REDUCE_ONLY: .* or stop/],
    [
      { stop_loss: { trailing_distance: '3550' } },
      /INVALID_STOP_TICK: trailing_distance 3550 is not below .* 3550: .* at most 3549.9 would/,
    ],
    [{ stop_loss: [{ stop_price: '3500', amount: '3' }] }, /INVALID_STOP_ORDER_AMOUNT/],
    [{ take_profits: [] }, /take_profits is not a field/],
  ]
  for (const [more, says] of bad) assert.match(String((await stop(more)).body.error), says)
  const stop_loss = { trailing_distance: '100' }
  const { order_id } = dataOf<{ order_id: number }>(await stop({ take_profit, stop_loss }))
  const parts = (rows: readonly Row[]) =>
    rows
      .map((row) => [row.order_type, row.initial_amount, row.stop_parent_order_id])
      .filter(([type]) => type !== 'stop_market' && type !== 'market')
      .sort()
  const levels = (parent: unknown) => [
    ['stop_loss_market', '2', parent],
    ['take_profit_market', '1', parent],
    ['take_profit_market', '2', parent],
  ]
  const open = async () => parts(dataOf<Row[]>(await api.get('/orders', { account })))
  const past = async () => dataOf<Row[]>(await api.get('/orders/history', { account }))
  assert.deepEqual(await open(), levels(order_id))
  const brought = (rows: readonly Row[]) => rows.map((row) => row.parent_order_id ?? null)
  const ids = [order_id, order_id, order_id, null]
  assert.deepEqual(brought(dataOf<Row[]>(await api.get('/orders', { account }))), ids)
  assert.deepEqual(brought(await past()), ids)
  await live.order(bob, { symbol: 'ETH', side: 'ask', price: '3550', amount: '2' })
  await live.price('ETH', '3550')
  const made = (await past()).find((row) => row.stop_parent_order_id === order_id)!
  assert.equal(made.order_status, 'filled')
  assert.deepEqual(await open(), levels(made.order_id))
  assert.deepEqual(parts(await past()), levels(made.order_id))
  await stream.settle()
  const updates = stream.of('account_order_updates').flatMap(({ data }) => data as Row[])
  const armed = updates.filter(({ oe }) => oe === 'stop_parent_order_filled')
  assert.deepEqual(
    armed.map(({ si }) => si),
    [made.order_id, made.order_id, made.order_id],
  )
  await stream.close()
  const second = dataOf<{ order_id: number }>(
    await stop({ stop_order: { ...stop_order, stop_price: '3800' }, stop_loss }),
  )
  await api.signed(alice, '/orders/cancel', { symbol: 'ETH', order_id: second.order_id })
  const [level] = await past()
  assert.deepEqual([level!.reason, level!.order_status], ['parent_ended', 'cancelled'])
  const turned = { stop_price: '3300', amount: '2', trigger_direction: 'lte' }
  const usual = { ...turned, stop_price: '3900', trigger_direction: 'gte' }
  for (const each of [turned, usual]) dataOf(await stop({ stop_order: each }))
  const directions = (await past()).slice(0, 2).map((row) => row.trigger_direction)
  assert.deepEqual(directions, [undefined, 'lte'])
})

test('a triggered level closes the position, and the record names the order', async () => {
  const alice = await holder()
  const bob = await live.trader()
  await live.order(bob, { symbol: 'ETH', side: 'bid', price: '3395', amount: '20' })
  assert.equal((await asUser(alice, { stop_loss: { stop_tick_level: 34_000 } })).text, done)
  await live.price('ETH', '3399')
  const { body } = await api.get('/positions', { account: alice.address })
  assert.deepEqual(body, [])
  dataOf(await api.signed(bob, '/orders/cancel_all', everything))
})

test('a level without an amount always has the size of its position, in every view', async () => {
  const alice = await holder()
  const bob = await live.trader()
  const account = alice.address
  const stream = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
  await stream.subscribe('account_order_updates', { account })
  const trade = { symbol: 'ETH', price: '3500' }
  assert.equal((await asAccount(alice, { take_profit: { stop_price: '3600' } })).text, done)
  assert.equal((await asAccount(alice, { stop_loss: { stop_price: '3400' } })).text, done)
  /** Type, status, size and cancelled size, as each view has it. */
  const sizes = (rows: readonly Row[]) =>
    rows
      .filter(({ stop_price }) => stop_price !== null)
      .map((row) => [row.order_type, row.initial_amount, row.cancelled_amount])
  const open = async () => sizes(dataOf<Row[]>(await api.get('/orders', { account })))
  const past = async () => dataOf<Row[]>(await api.get('/orders/history', { account }))
  const expected = (size: string, gone = '0') => [
    ['stop_loss_market', size, gone],
    ['take_profit_market', size, gone],
  ]
  const same = async (size: string) => {
    assert.deepEqual(await open(), expected(size))
    assert.deepEqual(sizes(await past()), expected(size))
  }
  await same('2')
  await live.trade({ buyer: alice, seller: bob, ...trade, amount: '1' })
  await same('3')
  await live.trade({ buyer: bob, seller: alice, ...trade, amount: '0.5' })
  await same('2.5')
  await live.order(bob, { symbol: 'ETH', side: 'bid', price: '3396', amount: '1' })
  await live.order(bob, { symbol: 'ETH', side: 'bid', price: '3395', amount: '20' })
  await live.price('ETH', '3399')
  assert.deepEqual(await open(), [])
  const [fired, other] = expected('2.5')
  const ended = await past()
  assert.deepEqual(sizes(ended), [fired, [...other!.slice(0, 2), '2.5']])
  for (const row of ended) assert.equal(row.amount, row.initial_amount)
  assert.equal(ended[0]!.initial_amount, '2.5', 'so is the order that it made')
  await stream.settle()
  const updates = stream.of('account_order_updates').flatMap(({ data }) => data as Row[])
  for (const { order_id, stop_price } of ended) {
    if (stop_price === null) continue
    const steps = dataOf<Row[]>(
      await api.get('/orders/history_by_id', { order_id: Number(order_id) }),
    )
    assert.deepEqual(
      steps.map((row) => [row.event_type, row.initial_amount]).reverse(),
      updates.filter(({ i }) => i === order_id).map(({ oe, a }) => [oe, a]),
    )
    assert.deepEqual([steps.at(-1)!.initial_amount, steps[0]!.initial_amount], ['2', '2.5'])
  }
  await stream.close()
  dataOf(await api.signed(bob, '/orders/cancel_all', everything))
})

test('before its order fills, a level without an amount has the size of the order', async () => {
  const alice = await live.trader()
  await live.price('ETH', '3500')
  const order = { symbol: 'ETH', side: 'bid', price: '3450', amount: '2' }
  const { order_id } = await live.order(alice, { ...order, stop_loss: { stop_price: '3400' } })
  const level = async () => {
    const rows = dataOf<Row[]>(await api.get('/orders/history', { account: alice.address }))
    const { initial_amount, cancelled_amount } = rows.find(({ stop_price }) => stop_price !== null)!
    return [initial_amount, cancelled_amount]
  }
  assert.deepEqual(await level(), ['2', '0'])
  const larger = { symbol: 'ETH', order_id, price: '3450', amount: '3' }
  dataOf(await api.signed(alice, '/orders/edit', larger))
  assert.deepEqual(await level(), ['3', '0'])
  dataOf(await api.signed(alice, '/orders/cancel_all', everything))
  assert.deepEqual(await level(), ['3', '3'])
})

test('a bound agent may set levels; an unbound one may not', async () => {
  const alice = await holder()
  const agent = newKey()
  const fields = { stop_loss: { stop_price: '3400' } }
  const unbound = await asAccount(alice, fields, { agent })
  refused(unbound, { status: 400, says: /AGENT_NOT_BOUND: agent \S+ is not bound to account/ })
  dataOf(await api.signed(alice, '/agent/bind', { agent_wallet: agent.address }))
  assert.equal((await asAccount(alice, fields, { agent })).text, done)
})

test('an operator can switch off texts without a timestamp', async () => {
  const strict = await frozenSandbox(['--untimed-texts', 'off'])
  try {
    const alice = await holder(strict)
    const fields = { stop_loss: { stop_tick_level: 34_000 } }
    const answer = await asUser(alice, fields, strict)
    refused(answer, { status: 400, says: /timestamp is missing/ })
    const timed = await asUser(alice, { ...fields, timestamp: freshTimestamp() }, strict)
    assert.equal(timed.text, done)
  } finally {
    await strict.close()
  }
})

test('stops triggered by the mark, and stops that trigger in the other direction', async () => {
  const alice = await live.trader()
  const stop = { symbol: 'BTC', side: 'ask', reduce_only: false }
  const stopAt = (stop_order: Readonly<Record<string, unknown>>) =>
    api.signed(alice, '/orders/stop/create', {
      ...stop,
      stop_order: { amount: '0.01', ...stop_order },
    })
  await live.price('BTC', '105000')
  const mark = dataOf<{ symbol: string; mark: string }[]>(await api.get('/info/prices')).find(
    ({ symbol }) => symbol === 'BTC',
  )!.mark
  const follows = dataOf(await stopAt({ trailing_percent: '1' }))
  const waits = dataOf(await stopAt({ trailing_distance: '500', activation_price: '120000' }))
  const rises = dataOf(await stopAt({ stop_price: '120000', trigger_direction: 'gte' }))
  const rows = dataOf<Row[]>(await api.get('/orders', { account: alice.address }))
  const rowOf = ({ order_id }: Readonly<Record<string, unknown>>) =>
    rows.find((row) => row.order_id === order_id)!
  assert.deepEqual(rowOf(follows).trailing, {
    trailing_percent: '1',
    trailing_distance: null,
    activation_price: null,
    extreme_price: mark,
  })
  assert.equal(rowOf(follows).stop_price, `${Math.floor(Number(mark) * 0.99)}`)
  assert.deepEqual(rowOf(waits).trailing, {
    trailing_percent: null,
    trailing_distance: '500',
    activation_price: '120000',
    extreme_price: null,
  })
  assert.equal(rowOf(waits).stop_price, null)
  assert.equal(rowOf(rises).stop_price, '120000')
  assert.ok(!('trailing' in rowOf(rises)))
  for (const [stop_order, status, says] of [
    [
      {},
      400,
      /stop_order must have exactly one of stop_price, trailing_percent and trailing_distance/,
    ],
    [
      { stop_price: '1', trailing_percent: '1' },
      400,
      /stop_order must have exactly one of stop_price/,
    ],
    [{ stop_price: '1', activation_price: '2' }, 400, /activation_price is of a level that trails/],
    [{ trailing_percent: '0.09' }, 422, /INVALID_STOP_TICK: .* outside 0\.1 to 50 percent/],
    [
      { trailing_percent: '1', limit_price: '90000' },
      422,
      /INVALID_ORDER_TYPE: .* leave its limit_price out/,
    ],
    [{ trailing_percent: '1', trigger_direction: 'gte' }, 422, /INVALID_ORDER_TYPE/],
    [{ stop_price: '1', trigger_direction: 'up' }, 400, /trigger_direction/],
  ] as const) {
    const answer = await stopAt(stop_order)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.match(JSON.stringify(answer.body), says)
  }
  for (const { order_id } of [follows, waits, rises])
    await api.signed(alice, '/orders/stop/cancel', { symbol: 'BTC', order_id })
})
