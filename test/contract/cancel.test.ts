// POST /orders/cancel, black box.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const path = '/orders/cancel'
const away = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01' }

const openIds = async (account: string) =>
  dataOf<Row[]>(await api.get('/orders', { account })).map(({ order_id }) => order_id)

test('an order is cancelled by its id, and the reply is exactly success', async () => {
  const alice = await live.trader()
  const { order_id } = await live.order(alice, away)
  assert.deepEqual(await openIds(alice.address), [order_id])
  const answer = await api.signed(alice, path, { symbol: 'BTC', order_id })
  assert.equal(answer.text, '{"success":true}')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(await openIds(alice.address), [])
})

test('an order is cancelled by its client id, or by both ids', async () => {
  const alice = await live.trader()
  const client_order_id = randomUUID()
  await live.order(alice, { ...away, client_order_id })
  const one = await api.signed(alice, path, { symbol: 'BTC', client_order_id })
  assert.equal(one.text, '{"success":true}')
  const { order_id } = await live.order(alice, { ...away, client_order_id })
  const both = await api.signed(alice, path, { symbol: 'BTC', order_id, client_order_id })
  assert.equal(both.text, '{"success":true}')
})

test('two ids of different orders cancel neither', async () => {
  const alice = await live.trader()
  const client_order_id = randomUUID()
  const first = await live.order(alice, { ...away, client_order_id })
  const second = await live.order(alice, away)
  const mixed = { symbol: 'BTC', order_id: second.order_id, client_order_id }
  const says = /ORDER_NOT_FOUND: .*BTC for this account/
  refused(await api.signed(alice, path, mixed), { status: 400, says })
  assert.equal((await openIds(alice.address)).length, 2)
  assert.notEqual(first.order_id, second.order_id)
})

test('an unknown order is 400 with exactly error and code', async () => {
  const alice = await live.trader()
  const { order_id } = await live.order(alice, away)
  const cases: readonly (readonly [Row, RegExp])[] = [
    [
      { symbol: 'BTC', order_id: 424_242 },
      /^ORDER_NOT_FOUND: no open order 424242 on BTC for this account \(order not found\)$/,
    ],
    [{ symbol: 'ETH', order_id }, /^ORDER_NOT_FOUND: no open order \d+ on ETH for this account/],
    [{ symbol: 'NOPE', order_id }, /^BOOK_NOT_FOUND: no market has this symbol/],
    [
      { symbol: 'BTC', client_order_id: '00000000-0000-4000-8000-000000000000' },
      /^ORDER_NOT_FOUND: no open order 00000000-0000-4000-8000-000000000000 on BTC/,
    ],
  ]
  for (const [fields, says] of cases) {
    const answer = await api.signed(alice, path, fields)
    refused(answer, { status: 400, says })
    assert.deepEqual(Object.keys(answer.body), ['error', 'code'])
  }
  assert.deepEqual(await openIds(alice.address), [order_id])
})

test('an order is cancelled only once, and a filled one cannot be', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  const { order_id } = await live.order(alice, away)
  assert.equal((await api.signed(alice, path, { symbol: 'BTC', order_id })).status, 200)
  const again = await api.signed(alice, path, { symbol: 'BTC', order_id })
  refused(again, { status: 400, says: /ORDER_NOT_FOUND/ })
  await live.price('BTC', '105000')
  const made = { symbol: 'BTC', side: 'ask', price: '105000', amount: '0.01' }
  const filled = await live.order(alice, made)
  await live.order(bob, { ...made, side: 'bid' })
  const late = await api.signed(alice, path, { symbol: 'BTC', order_id: filled.order_id })
  refused(late, { status: 400, says: /ORDER_NOT_FOUND/ })
})

test("another account's order cannot be cancelled by either id", async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  const client_order_id = randomUUID()
  const { order_id } = await live.order(alice, { ...away, client_order_id })
  for (const id of [{ order_id }, { client_order_id }])
    refused(await api.signed(bob, path, { symbol: 'BTC', ...id }), {
      status: 400,
      says: /ORDER_NOT_FOUND/,
    })
  assert.deepEqual(await openIds(alice.address), [order_id])
})

test('stops and TP/SL levels can be cancelled here by id', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('BTC', '105000')
  await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount: '0.01' })
  const stop = {
    symbol: 'BTC',
    side: 'ask',
    reduce_only: true,
    stop_order: { stop_price: '99000' },
  }
  dataOf(await api.signed(alice, '/orders/stop/create', stop))
  const levels = { take_profit: { stop_price: '120000' }, stop_loss: { stop_price: '98000' } }
  const tpsl = { symbol: 'BTC', side: 'ask', ...levels }
  assert.equal((await api.signed(alice, '/positions/tpsl', tpsl)).status, 200)
  const ids = await openIds(alice.address)
  assert.equal(ids.length, 3)
  for (const order_id of ids)
    assert.equal((await api.signed(alice, path, { symbol: 'BTC', order_id })).status, 200)
  assert.deepEqual(await openIds(alice.address), [])
})

test('a malformed request is 400 and names the field', async () => {
  const alice = await live.trader()
  const { order_id } = await live.order(alice, away)
  const good = { symbol: 'BTC', order_id }
  const cases: readonly (readonly [Row, RegExp])[] = [
    [{ symbol: 'BTC' }, /order_id or client_order_id is required/],
    [{ order_id }, /lacks symbol/],
    [{ ...good, order_id: String(order_id) }, /order_id must be integer or null/],
    [{ ...good, order_id: 0 }, /order_id must be >= 1/],
    [{ ...good, order_id: -1 }, /order_id must be >= 1/],
    [{ symbol: 'BTC', client_order_id: 'short' }, /client_order_id must be a full UUID/],
    [{ symbol: 5, order_id }, /symbol must be a string/],
  ]
  for (const [fields, says] of cases) {
    const answer = await api.signed(alice, path, fields)
    refused(answer, { status: 400, says })
    assert.deepEqual(Object.keys(answer.body), ['error', 'code'])
  }
  const body = await api.body(alice, path, good)
  for (const [change, says] of [
    [{ account: undefined }, /account is missing/],
    [{ account: 7 }, /account is not a string/],
    [{ account: 'x' }, /INVALID_ADDRESS: Invalid public key in account/],
    [{ signature: undefined }, /signature is missing/],
    [{ signature: 'x' }, /INVALID_SIGNATURE: Verification failed/],
    [{ timestamp: undefined }, /timestamp is missing/],
    [{ timestamp: `${body.timestamp}` }, /timestamp is not an integer of milliseconds/],
    [{ expiry_window: 600_001 }, /expiry_window is not an integer of 1 to 600000 milliseconds/],
    [{ expiry_window: 0 }, /expiry_window is not an integer of 1 to 600000/],
    [{ agent_wallet: 'x' }, /Invalid public key in agent_wallet/],
  ] as const) {
    const answer = await api.post(path, { ...body, ...change })
    refused(answer, { status: 400, says })
    assert.deepEqual(Object.keys(answer.body), ['error', 'code'])
  }
  assert.deepEqual(await openIds(alice.address), [order_id])
})

test('a signed window, agent, null agent and builder code are accepted', async () => {
  const alice = await live.trader()
  const agent = newKey()
  dataOf(await api.signed(alice, '/agent/bind', { agent_wallet: agent.address }))
  const cancelled = async (fields: Row, options = {}) => {
    const { order_id } = await live.order(alice, away)
    const all = { symbol: 'BTC', order_id, ...fields }
    assert.equal((await api.signed(alice, path, all, options)).text, '{"success":true}')
  }
  await cancelled({}, { expiryWindow: 600_000 })
  await cancelled({}, { agent })
  await cancelled({ agent_wallet: null })
  await cancelled({ builder_code: 'abc', client_order_id: null })
  const { order_id } = await live.order(alice, away)
  const body = await api.body(alice, path, { symbol: 'BTC', order_id })
  const added = await api.post(path, { ...body, builder_code: 'added later' })
  refused(added, { status: 400, says: /Verification failed/ })
})

test('cancels are never delayed: an order at the speed bump is cancelled immediately', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('ETH', '3500')
  const resting = { symbol: 'ETH', price: '3500', amount: '0.1' }
  /** Whether the last try cancelled its order: a slow machine may miss the speed bump. */
  const isCancelledInTime = async () => {
    await api.signed(bob, '/orders/cancel_all', { all_symbols: true, exclude_reduce_only: false })
    await live.order(bob, { ...resting, side: 'ask' })
    dataOf(await live.sandbox('clock', { resume: true }))
    const { order_id, order_status } = await live.order(alice, { ...resting, side: 'bid' })
    assert.equal(order_status, 'open')
    const { status } = await api.signed(alice, path, { symbol: 'ETH', order_id })
    dataOf(await live.sandbox('clock', { freeze: true }))
    return status === 200
  }
  let tries = 1
  while (!(await isCancelledInTime())) tries += 1
  dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
  const { body } = await api.get('/positions', { account: alice.address })
  assert.equal((body as unknown as readonly Row[]).length, Math.min(1, tries - 1))
  assert.equal((await openIds(bob.address)).length, 1)
})

test('a halted market still accepts cancels', async () => {
  const alice = await live.trader()
  const { order_id } = await live.order(alice, { ...away, symbol: 'XAU', price: '3000' })
  const { exchange } = live.running
  const market = exchange.view.symbols.get('XAU')!
  await exchange.submit({ type: 'SetMarketMode', market: market as never, mode: 'cancel_only' })
  const answer = await api.signed(alice, path, { symbol: 'XAU', order_id })
  assert.equal(answer.text, '{"success":true}')
})
