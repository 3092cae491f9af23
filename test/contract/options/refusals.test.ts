// A rejected order option is named, with its limit and with what is accepted.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { newKey } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { dataOf, type Row } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
await live.price('BTC', '105000')
const [alice, other] = [await live.trader('1000000'), await live.trader('1000000')]
await live.trade({ buyer: alice, seller: other, symbol: 'BTC', price: '105000', amount: '0.03' })

type Listed = Readonly<{ data: readonly Row[] }>
type Case = readonly [fields: Row, says: RegExp]

async function says(path: string, common: Row, cases: readonly Case[]) {
  for (const [fields, pattern] of cases) {
    const { status, body, text } = await api.signed(alice, path, { ...common, ...fields })
    assert.ok(status >= 400 && status < 500, `${JSON.stringify(fields)}: ${text}`)
    const { error } = body as { error: string }
    assert.match(error, pattern, JSON.stringify(fields))
    const mark = previewed[path]
    if (mark !== undefined)
      assert.equal(await previewError({ ...mark, ...common, ...fields }), error)
  }
}

/** Requests that can be previewed, with the field that marks the kind where its own do not. */
const previewed: Readonly<Record<string, Row>> = {
  '/orders/create': {},
  '/orders/create_market': {},
  '/orders/stop/create': {},
  '/orders/oco/create': {},
  '/orders/iceberg/create': {},
  '/orders/chase/create': { chase: true },
}

async function previewError(fields: Row): Promise<unknown> {
  const { body } = await api.post('/orders/preview', { account: alice.address, ...fields })
  const { data, error } = body as { data: Row | null; error: unknown }
  return data?.error ?? error
}

test('a preview of an unplaced order shows the result and places nothing', async () => {
  const { tif: _, ...wish } = order
  const leg = { side: 'bid', amount: '0.02', reduce_only: false }
  const legs = [
    { ...leg, price: '100000' },
    { ...leg, stop_price: '110000' },
  ]
  const watch = { stop_price: '110000', amount: '0.02' }
  const exits = { take_profit: [{ stop_price: '120000' }], stop_loss: { trailing_percent: '1' } }
  const parts = { ...wish, display_amount: '0.005' }
  const cases = [
    ['/orders/stop/create', { ...stop, side: 'bid', stop_order: watch, ...exits }, null, null],
    ['/orders/oco/create', { symbol: 'BTC', legs }, '2000', '0.05'],
    ['/orders/iceberg/create', parts, '500', '0.035'],
    ['/orders/chase/create', wish, '2000', '0.05'],
  ] as const
  dataOf(await api.signed(other, '/orders/create', { ...order, side: 'ask', price: '105500' }))
  const seq = live.running.exchange.seq()
  const previewOf = (path: string, fields: Row) =>
    api.post('/orders/preview', { account: alice.address, ...previewed[path], ...fields })
  for (const [path, fields, notional, position] of cases) {
    const shown = dataOf(await previewOf(path, fields))
    const figures = [shown.notional, shown.position_after, shown.max_amount]
    assert.deepEqual([shown.accepted, ...figures], [true, notional, position, null], path)
  }
  assert.match(String(await previewError({ ...parts, chase: true })), /chase/)
  assert.match(String(await previewError({ ...parts, tif: 'GTC' })), /tif/)
  const takes = dataOf(await previewOf('/orders/iceberg/create', { ...parts, price: '106000' }))
  assert.deepEqual([takes.accepted, takes.position_after], [true, '0.03'])
  assert.match(
    String(takes.rejected),
    /at 106000 would trade immediately with the best ask, 105500;/,
  )
  assert.equal(live.running.exchange.seq(), seq)
  for (const [path, fields] of cases) dataOf(await api.signed(alice, path, fields))
  const all = { all_symbols: true, exclude_reduce_only: false }
  for (const each of [alice, other]) dataOf(await api.signed(each, '/orders/cancel_all', all))
})

const order = {
  ...{ symbol: 'BTC', side: 'bid', price: '100000', amount: '0.02' },
  ...{ tif: 'GTC', reduce_only: false },
}
const stop = { symbol: 'BTC', side: 'ask', reduce_only: false }
const trails = { trailing_percent: '1' }

test('an option on the wrong kind of order is named, with the kinds that may have it', async () => {
  await says('/orders/create', order, [
    [{ mmp: true }, /: mmp is of orders that never take \(tif ALO and TOB\), and GTC may$/],
    [
      { tif: 'FOK', expire_time: 1 },
      /: expire_time is of orders that rest \(tif GTC, ALO, TOB\), and FOK does not$/,
    ],
    [
      { stop_loss: [{ stop_price: '90000' }, { ...trails, limit_price: '80000' }] },
      /: stop_loss\[1\] trails and makes a market order; leave its limit_price out$/,
    ],
    [{ expire_time: 1 }, /: expire_time 1 must be at least \d+: 1000 ms after the clock/],
  ])
  await says('/orders/stop/create', stop, [
    [
      { stop_order: { ...trails, amount: '0.01', trigger_price_type: 'last_trade_price' } },
      /: stop_order trails and follows the mark alone; leave its .*last_trade_price out$/,
    ],
    [
      { stop_order: { ...trails, amount: '0.01', trigger_direction: 'gte' } },
      /: stop_order trails: .*; leave its trigger_direction gte out$/,
    ],
    [
      { stop_order: { stop_price: '100000', amount: '0.01', trigger_direction: 'gte' } },
      /: stop_order: stop price 100000 .* at or above .*mark_price is 105000; .*, or .* lte$/,
    ],
    [
      { stop_order: { stop_price: '90000' } },
      /: stop_order\.amount is required unless reduce_only/,
    ],
    [
      { stop_order: { ...trails, amount: '0.01', activation_price: '0' } },
      /: stop_order\.activation_price 0 is outside 1 to \d+$/,
    ],
    [
      { stop_order: { trailing_percent: '1.00001', amount: '0.01' } },
      /: stop_order\.trailing_percent 1\.00001 is not a percentage from 0\.1 to 50 with at most fo/,
    ],
    [
      { stop_order: { trailing_percent: '0.05', amount: '0.01' } },
      /: stop_order\.trailing_percent 0\.05 is outside 0\.1 to 50 percent$/,
    ],
    [
      { stop_order: { trailing_distance: '0', amount: '0.01' } },
      /: stop_order\.trailing_distance 0 is outside 1 to \d+$/,
    ],
  ])
})

test('with several levels the invalid one is named', async () => {
  const id = randomUUID()
  const named = (stop_price: string) => ({ stop_price, client_order_id: id })
  await says('/orders/create', order, [
    [
      { take_profit: [{ stop_price: '120000' }, { stop_price: '90000' }] },
      /: take_profit\[1\]: stop price 90000 .* price 100000; one above 100000 is accepted$/,
    ],
    [
      { stop_loss: [{ stop_price: '90000' }, { stop_price: '80000', amount: '0.5' }] },
      /: stop_loss\[1\]\.amount 0\.5 BTC is more than the order of 0\.02 BTC$/,
    ],
    [
      { take_profit: [named('120000'), named('130000')] },
      new RegExp(
        `client_order_id ${id} stands twice, in take_profit\\[0\\] and in take_profit\\[1`,
      ),
    ],
    [
      { client_order_id: id, stop_loss: named('90000') },
      new RegExp(`client_order_id ${id} stands twice, in the order and in stop_loss; use another$`),
    ],
  ])
  await says('/positions/tpsl', { symbol: 'BTC', side: 'ask' }, [
    [
      { stop_loss: [{ stop_price: '90000' }, { stop_price: '80000', amount: '5' }] },
      /: stop_loss\[1\]\.amount 5 BTC is more than the position of 0\.03 BTC$/,
    ],
    [
      { take_profit: [{ stop_price: '120000' }, { stop_price: '0' }] },
      /: take_profit\[1\]\.stop_price 0 is outside 1 to \d+$/,
    ],
    [{ take_profit: [named('120000'), named('130000')] }, /stands twice/],
  ])
})

const iceberg = { symbol: 'BTC', side: 'bid', amount: '2', price: '90000', reduce_only: false }

test('legs that do not pair, and slices that are too small, name what is accepted', async () => {
  const leg = { side: 'bid', amount: '0.01', reduce_only: false }
  const [rests, waits] = [
    { ...leg, price: '100000' },
    { ...leg, stop_price: '110000' },
  ]
  await live.order(other, { ...order, side: 'ask', price: '105500' })
  await says('/orders/oco/create', { symbol: 'BTC' }, [
    [{ legs: [{ ...rests, price: 100_000 }, waits] }, /: legs\[0\]\.price must be a string$/],
    [{ legs: [{ ...rests, price: 'x' }, waits] }, /: legs\[0\]\.price must be a decimal in plain/],
    [
      { legs: [{ ...rests, price: '90071992' }, waits] },
      /: legs\[0\]\.price 90071992 is outside 1 to \d+; nearest: \d+$/,
    ],
    [{ legs: [rests, { ...waits, side: undefined }] }, /: legs\[1\] lacks side$/],
    [{ legs: [leg, waits] }, /: legs\[0\] must have exactly one of price, stop_price, trailing_p/],
    [
      { legs: [{ ...rests, price: '105500' }, waits] },
      /: an order at 105500 would trade immediately with 105500,.* price that rests is 105499$/,
    ],
    [
      { legs: [rests, rests] },
      /: two resting orders are not an OCO: one of the legs, or both, must/,
    ],
    [{ legs: [rests, { ...waits, side: 'ask' }] }, /one happens have the same side in both legs$/],
    [
      { legs: [rests, { ...waits, amount: '0.02' }] },
      /stop is for 0\.02 BTC and the order for 0\.01/,
    ],
    [{ legs: [rests, { ...waits, reduce_only: true }] }, /have the same reduce_only in both legs$/],
    [
      { legs: [waits, { ...waits, stop_price: '90000' }] },
      /: legs\[1\]: stop price 90000 is reached/,
    ],
  ])
  const parts = /: display_amount \S+ is outside 0\.02 to 2: an iceberg has at most 100 parts$/
  await says('/orders/iceberg/create', iceberg, [
    [{ display_amount: '0.01' }, parts],
    [{ display_amount: '3' }, parts],
    [{ display_amount: '0' }, parts],
    [
      { amount: '0.01', display_amount: '0.0001' },
      /: a part of it \(display_amount 0\.0001\) is worth 9 USD, .* 10 USD; nearest: 0\.00012$/,
    ],
  ])
  const { price, ...side } = iceberg
  await says('/orders/chase/create', { ...side, amount: '0.0001', price }, [
    [{}, /: the order is worth 9 USD, the minimum is 10 USD; nearest: 0\.00012 BTC$/],
  ])
  const closes = { ...iceberg, side: 'ask', price: '120000', reduce_only: true }
  await says('/orders/iceberg/create', closes, [
    [
      { amount: '1', display_amount: '0.05' },
      /: a part of it \(display_amount 0\.05 BTC\) exceeds the position of 0\.03 BTC, and each/,
    ],
  ])
})

test('an edit of an unknown order, and a number out of range, name the fault', async () => {
  const placed = dataOf<Row>(
    await api.signed(alice, '/orders/iceberg/create', { ...iceberg, display_amount: '0.5' }),
  )
  const stop_order = { stop_price: '120000', amount: '0.01' }
  const waiting = dataOf<Row>(
    await api.signed(alice, '/orders/stop/create', { ...stop, side: 'bid', stop_order }),
  )
  const { data: open } = (await api.get('/orders', { account: alice.address })).body as Listed
  const part = open.find(({ parent_order_id }) => parent_order_id === placed.order_id)
  await says('/orders/edit', { symbol: 'BTC', price: '91000', amount: '0.1' }, [
    [
      { order_id: waiting.order_id },
      /^ORDER_NOT_FOUND: \d+ is a stop or a level, .* again; levels/,
    ],
    [{ order_id: placed.order_id }, /: \d+ is an iceberg, which cannot be edited: cancel that and/],
    [
      { order_id: part?.order_id },
      new RegExp(`: ${part?.order_id} is the order of iceberg ${placed.order_id}, which cannot`),
    ],
    [{ order_id: 424_242 }, /: no open order 424242 on BTC/],
  ])
  await says('/orders/stop/create', { ...stop, side: 'bid', stop_order }, [
    [
      { take_profit: { stop_price: '119000' } },
      /: take_profit: stop price 119000 is .*; one above 120000 is accepted$/,
    ],
  ])
  await says('/orders/create', order, [
    [
      { price: '9007199254740993' },
      /^INVALID_TICK_LEVEL: price 9\d+ is outside 1 to (\d+); nea.* \1$/,
    ],
  ])
  await says('/orders/schedule_cancel', {}, [
    [{ time: 1 }, /: time 1 must be at least \d+: 5000 ms after the clock of the exchange/],
  ])
})

test('the limits of protection are named, and the maximum of protected orders', async () => {
  const limits = { symbol: 'BTC', window_ms: 1_000, frozen_ms: 0, max_amount: '1' }
  await says('/account/mmp/set', limits, [
    [{ window_ms: 99 }, /: window_ms 99 is outside 100 to 3600000 milliseconds$/],
    [{ frozen_ms: 3_600_001 }, /: frozen_ms 3600001 is outside 0 to 3600000 milliseconds \(0: unt/],
    [{ max_amount: '9'.repeat(20) }, /: max_amount 9{20} is more than can be counted, \d+/],
    [{ max_amount: '0' }, /: max_amount 0 is not a positive multiple of the lot size 0\.00001/],
  ])
  const none = (word: string) =>
    new RegExp(`: no protection is set on BTC: there is nothing to ${word}$`)
  await says('/account/mmp/set', { symbol: 'BTC', remove: true }, [[{}, none('remove')]])
  await says('/account/mmp/reset', { symbol: 'BTC' }, [[{}, none('reset')]])
  const data = { ...order, tif: 'ALO', mmp: true, amount: '0.001' }
  let timestamp = Date.now()
  const batch = async (actions: readonly Row[]) => {
    timestamp += 1
    const body = await signedBody(alice, { actions }, { type: 'batch_orders', timestamp })
    return dataOf<{ results: Row[] }>(await api.post('/orders/batch', body)).results
  }
  const fifty = Array.from({ length: 50 }, () => ({ type: 'Create', data }))
  await batch(fifty)
  await batch(fifty)
  const crowd =
    /: 100 of at most 100 orders with mmp are open on BTC: cancel some, or leave mmp out$/
  await says('/orders/create', data, [[{}, crowd]])
  const stops = Array.from({ length: 20 }, () => ({
    type: 'CreateStop',
    data: { ...stop, stop_order: { ...trails, amount: '0.01' } },
  }))
  assert.ok((await batch(stops)).every(({ success }) => success === true))
  const trailing = { stop_order: { ...trails, amount: '0.01' } }
  await says('/orders/stop/create', stop, [
    [trailing, /: 20 of at most 20 stops and levels that trail are live in all markets; 0 more/],
  ])
  const used = randomUUID()
  await live.order(alice, { ...order, client_order_id: used })
  await live.order(alice, { ...order, reduce_only: true, side: 'ask', price: '120000' })
  await says('/orders/create', order, [
    [
      { stop_loss: { stop_price: '90000', client_order_id: used } },
      /is that of a live.*stop_loss\)$/,
    ],
    [
      { client_order_id: used },
      new RegExp(`: client_order_id ${used} is already used by an open order; use`),
    ],
  ])
  const quoted = { symbol: 'BTC', side: 'ask', price: '120000', amount: '0.01' }
  const why = async (client_order_id: string, fields: Row = {}) => {
    const data = { ...quoted, ...fields, client_order_id }
    return String((await batch([{ type: 'Quote', data }]))[0]!.error)
  }
  assert.match(
    await why(used),
    /is that of order \d+, which is on the bid side; a quote on the ask/,
  )
  assert.match(
    await why(used, { symbol: 'ETH', side: 'bid' }),
    /which is on BTC; a quote on the bid/,
  )
  const [protected_, chased] = [randomUUID(), randomUUID()]
  const above = { ...order, side: 'ask', price: '120000' }
  const levels = { take_profit: { stop_price: '90000' } }
  await live.order(alice, { ...above, ...levels, client_order_id: protected_ })
  assert.match(await why(protected_), /which has levels; a quote/)
  const { tif: _, ...patient } = above
  dataOf(await api.signed(alice, '/orders/chase/create', { ...patient, client_order_id: chased }))
  assert.match(await why(chased), /is that of chase \d+; a quote/)
})

test('a policy error names what the key may do instead, and the limits of a policy', async () => {
  const agent = newKey()
  const bind = { agent_wallet: agent.address }
  await says('/agent/bind', bind, [
    [
      { ips: ['10.0.0.1', '10.0.0.0/8'] },
      /: ips\[1\] 10\.0\.0\.0\/8 is not an IPv4 or IPv6 address/,
    ],
    ...['0', '-1', '1.0000001', '99999999999999999999'].map(
      (max_order_value): Case => [
        { policy: { max_order_value } },
        /: policy\.max_order_value \S+ is not an amount from 0\.000001 to [\d.]+ USD with at most/,
      ],
    ),
  ])
  const key = await live.trader()
  const policy = async (fields: Row) => {
    const body = { ...bind, policy: fields }
    dataOf(await api.signed(key, '/agent/bind', body))
  }
  const refusedWith = async (path: string, body: Row, pattern: RegExp) => {
    const answer = await api.signed(key, path, body, { agent })
    assert.match((answer.body as { error: string }).error, pattern)
  }
  await policy({ post_only: true })
  const stop_order = { stop_price: '90000', amount: '0.01' }
  await refusedWith('/orders/stop/create', { ...stop, stop_order }, /rule 2 .*a stop takes when it/)
  const { price: _, tif: __, ...market } = order
  const at = { ...market, slippage_percent: '1' }
  await refusedWith(
    '/orders/create_market',
    at,
    /rule 2 .*this takes: use limit orders with tif AL/,
  )
  await policy({ reduce_only: true })
  const data = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01' }
  const actions = [{ type: 'Quote', data: { ...data, client_order_id: randomUUID() } }]
  const options = { type: 'batch_orders', timestamp: Date.now(), agent } as const
  const body = await signedBody({ address: key.address }, { actions }, options)
  const { results } = dataOf<{ results: Row[] }>(await api.post('/orders/batch', body))
  assert.match(
    String(results[0]!.error),
    /rule 3 .*a Quote never .*use Create with tif ALO and red/,
  )
})
