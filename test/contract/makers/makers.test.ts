// For market makers, black box: quotes in a batch under one signature, and protection.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Key } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { dataOf, type Row, refused } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
await live.price('BTC', '105000')

const quoteOf = (fields: Row = {}) => ({
  type: 'Quote',
  data: { symbol: 'BTC', side: 'ask', price: '105010', amount: '0.5', ...fields },
})
let lastTimestamp = Date.now()
const post = async (key: Key, actions: readonly Row[]) => {
  lastTimestamp += 1
  const options = { type: 'batch_orders', timestamp: lastTimestamp } as const
  return api.post('/orders/batch', await signedBody(key, { actions }, options))
}
const quote = async (key: Key, fields: Row) => {
  const { results } = dataOf<{ results: Row[] }>(await post(key, [quoteOf(fields)]))
  return results[0]!
}
const open = async (key: Key) => dataOf<Row[]>(await api.get('/orders', { account: key.address }))
const protection = async (key: Key) =>
  dataOf<Row[]>(await api.get('/account/mmp', { account: key.address }))

test('a quote is placed, moved, left unchanged and cancelled by its client id', async () => {
  const maker = await live.trader()
  const client_order_id = randomUUID()
  const first = await quote(maker, { client_order_id })
  assert.deepEqual([first.success, first.client_order_id], [true, client_order_id])
  const again = await quote(maker, { client_order_id })
  assert.deepEqual([again.success, again.order_id, again.error], [true, null, null])
  const moved = await quote(maker, { client_order_id, price: '105020', mmp: true })
  const [row, ...others] = await open(maker)
  assert.deepEqual(
    [row!.order_id, row!.price, row!.mmp, others.length],
    [moved.order_id, '105020', true, 0],
  )
  const gone = await quote(maker, { client_order_id, amount: '0' })
  assert.deepEqual([gone.success, gone.order_id], [true, moved.order_id])
  assert.deepEqual(await open(maker), [])
  const named = await post(maker, [quoteOf()])
  refused(named, { status: 400, says: /actions\[0\]\.data lacks client_order_id/ })
  const alone = { actions: [quoteOf({ client_order_id })] }
  const says = /a Quote needs a batch that is signed as a whole/
  refused(await api.post('/orders/batch', alone), { status: 400, says })
})

test('a reply has the result of each action, and a crossing quote is not placed', async () => {
  const [maker, other] = [await live.trader(), await live.trader()]
  await live.order(other, { symbol: 'BTC', side: 'bid', price: '104900', amount: '0.1' })
  const ids = [randomUUID(), randomUUID()]
  const order = { symbol: 'BTC', side: 'ask', amount: '0.1', reduce_only: false }
  const crossing = { ...order, price: '104900', tif: 'ALO' }
  const stop_order = { stop_price: '104000', amount: '0.1' }
  const actions = [
    quoteOf({ client_order_id: ids[0], price: '104900' }),
    { type: 'Create', data: crossing },
    quoteOf({ client_order_id: ids[1], price: '105500' }),
    quoteOf({ client_order_id: ids[1], price: '105500' }),
    quoteOf({ client_order_id: ids[1], price: '105500', amount: '0' }),
    { type: 'Create', data: { ...crossing, tif: 'IOC', price: '104950' } },
    { type: 'Create', data: { ...crossing, price: '0.5' } },
    { type: 'CreateStop', data: { symbol: 'BTC', side: 'ask', reduce_only: false, stop_order } },
  ]
  const { results } = dataOf<{ results: Row[] }>(await post(maker, actions))
  const alone = dataOf<Row>(await api.signed(maker, '/orders/create', crossing))
  assert.deepEqual(
    results.map(({ success, order_status }) => [success, order_status]),
    [
      [true, 'rejected'],
      [true, alone.order_status],
      [true, 'open'],
      [true, undefined],
      [true, 'cancelled'],
      [true, 'cancelled'],
      [false, undefined],
      [true, 'open'],
    ],
  )
  const stands = await open(maker)
  assert.deepEqual(
    stands.map(({ order_id }) => order_id),
    [results[7]!.order_id],
  )
  // Replies of individually signed actions are unchanged.
  const data = await api.body(maker, '/orders/create', crossing)
  const each = dataOf<{ results: Row[] }>(
    await api.post('/orders/batch', { actions: [{ type: 'Create', data }] }),
  )
  const fields = ['success', 'order_id', 'client_order_id', 'symbol', 'error']
  assert.deepEqual(Object.keys(each.results[0]!), fields)
})

test('an action that waits at the speed bump is reported as waiting', async () => {
  const maker = await live.trader()
  const order = { symbol: 'BTC', side: 'bid', amount: '0.1', reduce_only: false }
  const stop_order = { stop_price: '120000', amount: '0.1' }
  const actions = [
    { type: 'Create', data: { ...order, price: '90000', tif: 'GTC' } },
    { type: 'CreateStop', data: { symbol: 'BTC', side: 'bid', reduce_only: false, stop_order } },
    quoteOf({ client_order_id: randomUUID(), price: '105600' }),
    { type: 'Create', data: { ...order, price: '0.5', tif: 'ALO' } },
  ]
  dataOf(await live.sandbox('clock', { resume: true }))
  const { results } = dataOf<{ results: Row[] }>(await post(maker, actions))
  dataOf(await live.sandbox('clock', { freeze: true }))
  assert.deepEqual(
    results.map(({ success, order_id, waits }) => [success, order_id !== null, waits]),
    [
      [true, true, undefined],
      [true, false, true],
      [true, false, true],
      [false, false, undefined],
    ],
  )
  dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
  await live.price('BTC', '105000')
  assert.equal((await open(maker)).length, 3)
})

test('cancelling an iceberg returns its own id, not that of its visible part', async () => {
  const maker = await live.trader()
  const fields = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.1', reduce_only: false }
  const place = async (client_order_id: string) => {
    const body = { ...fields, display_amount: '0.05', client_order_id }
    return dataOf<Row>(await api.signed(maker, '/orders/iceberg/create', body)).order_id
  }
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const placed = [await place(ids[0]!), await place(ids[1]!), await place(ids[2]!)]
  // The third has no visible part in the book yet.
  const child = (await open(maker)).find(({ order_id }) => Number(order_id) > Number(placed[1]))
  const actions = [
    { type: 'Cancel', data: { symbol: 'BTC', client_order_id: ids[0] } },
    { type: 'Cancel', data: { symbol: 'BTC', order_id: placed[2] } },
    { type: 'Cancel', data: { symbol: 'BTC', order_id: child!.order_id } },
  ]
  const { results } = dataOf<{ results: Row[] }>(await post(maker, actions))
  assert.deepEqual(
    results.map(({ order_id }) => order_id),
    [placed[0], placed[2], child!.order_id],
  )
  assert.deepEqual(await open(maker), [])
})

test('quotes filled too fast are cancelled, and accepted again after a reset', async () => {
  const [maker, taker] = [await live.trader(), await live.trader()]
  const set = (fields: Row) => api.signed(maker, '/account/mmp/set', { symbol: 'BTC', ...fields })
  const limits = { window_ms: 1_000, frozen_ms: 0, max_amount: '0.5' }
  assert.equal(dataOf(await set(limits)), null)
  const set1 = { symbol: 'BTC', ...limits, max_net_amount: null, frozen_until: null }
  assert.deepEqual(await protection(maker), [set1])
  const ids = [randomUUID(), randomUUID()]
  for (const client_order_id of ids) await quote(maker, { client_order_id, mmp: true })
  const taking = { symbol: 'BTC', side: 'bid', price: '105010', amount: '0.6', reduce_only: false }
  dataOf(await api.signed(taker, '/orders/create', { ...taking, tif: 'IOC' }))
  await live.running.exchange.submit({ type: 'Tick' })
  assert.deepEqual(await open(maker), [])
  assert.deepEqual(await protection(maker), [{ ...set1, frozen_until: 0 }])
  const frozen = await quote(maker, { client_order_id: ids[0]!, mmp: true })
  assert.match(String(frozen.error), /^MMP_FROZEN: .* until the protection is reset/)
  const order = { ...taking, side: 'ask', tif: 'ALO', mmp: true, price: '105100' }
  const one = await api.signed(maker, '/orders/create', order)
  refused(one, { status: 422, says: /^MMP_FROZEN/ })
  assert.equal(dataOf(await api.signed(maker, '/account/mmp/reset', { symbol: 'BTC' })), null)
  assert.equal((await quote(maker, { client_order_id: ids[0]!, mmp: true })).success, true)
  assert.equal(dataOf(await set({ remove: true })), null)
  assert.deepEqual(await protection(maker), [])
  refused(await set({ remove: true }), { status: 422, says: /INVALID_PARAMETER/ })
  refused(await set({ ...limits, remove: true }), {
    status: 400,
    says: /remove cannot be combined/,
  })
  refused(await set({ window_ms: 1_000 }), { status: 400, says: /window_ms and frozen_ms/ })
  refused(await set({ ...limits, max_amount: null }), { status: 400, says: /max_amount or/ })
  refused(await set({ ...limits, window_ms: 99 }), { status: 422, says: /INVALID_PARAMETER/ })
  const takes = await api.signed(maker, '/orders/create', { ...order, tif: 'GTC' })
  refused(takes, { status: 422, code: 20, says: /INVALID_ORDER_TYPE/ })
})
