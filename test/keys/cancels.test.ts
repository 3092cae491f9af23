// A signed cancel is accepted, black box, with any API key and any credits. A request without a
// valid signature costs credits of its address only.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Key, newKey } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import {
  type Answer,
  bare,
  dataOf,
  freshTimestamp,
  type HeaderFields,
  type Row,
  refused,
} from '../support/http/api-client.ts'
import { liveExchange, tokenFlags, tokenHeader } from '../support/http/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const limits = [
  '--rate-limit',
  'on',
  '--credits',
  '20',
  '--trusted-proxies',
  '127.0.0.1',
  ...tokenFlags,
]
const live = await liveExchange(['--past-minutes', '0', ...limits])
after(() => live.close())
const { api } = live

let lastHost = 0
const visitor = (): HeaderFields => ({ 'x-forwarded-for': `198.51.100.${++lastHost}` })
const remaining = ({ headers }: Answer<unknown>) =>
  Number(/^"credits";r=(\d+);/.exec(headers.get('ratelimit') ?? '')![1])
const unknownKey = 'AAAAAAAA_BBBBBBBBBBBBBBBBBBBBBB'
const missing = /^ORDER_NOT_FOUND/
const spentUp = /^RATE_LIMITED: credits are used up; try again in \d+ s$/

/** As another visitor each time, whom the sandbox recognizes by its token. */
async function onSandbox(route: string, body: Row): Promise<void> {
  dataOf(await api.post(`/sandbox/${route}`, body, { ...visitor(), ...tokenHeader }))
}

async function trader(): Promise<Key> {
  const key = newKey()
  const money = { account: key.address, amount: '100000' }
  await onSandbox('faucet', money)
  return key
}

/** An address without credits. */
async function spent(): Promise<HeaderFields> {
  const from = visitor()
  while ((await api.get('/time', {}, from)).status === 200);
  return from
}

async function order(key: Key): Promise<number> {
  const price = { symbol: 'BTC', price: '20000', amount: '0.01', side: 'bid' }
  const fields = { ...price, tif: 'ALO', reduce_only: false }
  const placed = await api.signed(key, '/orders/create', fields, { headers: visitor() })
  return dataOf<{ order_id: number }>(placed).order_id
}

const cancelOf = (order_id: number) => ({ symbol: 'BTC', order_id })
const stopOf = { symbol: 'BTC', order_id: 999_999_999 }

async function batchOf(key: Key, ...orders: readonly number[]) {
  const actions = orders.map(async (each) => {
    const header = { type: 'cancel_order', timestamp: freshTimestamp() } as const
    return { type: 'Cancel', data: await signedBody(key, cancelOf(each), header) }
  })
  return { actions: await Promise.all(actions) }
}

type Batch = { results: Row[] }

/** Every kind of cancel from there, of existing and unknown orders. */
async function everyKindIsServed(key: Key, headers: HeaderFields): Promise<void> {
  const send = (path: string, fields: Row) => api.signed(key, path, fields, { headers })
  bare(await send('/orders/cancel', cancelOf(await order(key))))
  await order(key)
  const all = { all_symbols: true, exclude_reduce_only: false }
  assert.equal(dataOf(await send('/orders/cancel_all', all)).cancelled_count, 1)
  refused(await send('/orders/stop/cancel', stopOf), { status: 422, code: 6, says: missing })
  const twap = await send('/orders/twap/cancel', stopOf)
  assert.equal(twap.status, 422, twap.text)
  const orders = [await order(key), await order(key)]
  const batch = await api.post('/orders/batch', await batchOf(key, ...orders), headers)
  for (const { success } of dataOf<Batch>(batch).results) assert.equal(success, true)
}

test('a cancel with an unknown, mistyped or revoked key is accepted', async () => {
  const alice = await trader()
  const made = await api.signed<{ data: { api_key: string } }>(
    alice,
    '/account/api_keys/create',
    {},
    { headers: visitor() },
  )
  const { api_key } = made.body.data
  const headers = visitor()
  dataOf(await api.signed(alice, '/account/api_keys/revoke', { api_key }, { headers }))
  for (const bad of [unknownKey, 'x', api_key, `${api_key}1`]) {
    const from = visitor()
    await everyKindIsServed(alice, { ...from, 'SVC-API-KEY': bad })
    // Five halves.
    assert.equal(remaining(await api.get('/time', {}, from)), 200 - 25 - 10, 'the address paid')
    const keyed = { headers: { ...from, 'SVC-API-KEY': bad } }
    const says = /^INVALID_API_KEY/
    refused(await api.signed(alice, '/orders/edit', stopOf, keyed), { status: 401, says })
    const batch = await batchOf(alice, 1)
    const mixed = { actions: [...batch.actions, { type: 'Create', data: {} }] }
    const refusal = await api.post('/orders/batch', mixed, keyed.headers)
    refused(refusal, { status: 401, says })
  }
})

test('a cancel is accepted when the credits of key and address are spent', async () => {
  const alice = await trader()
  const from = await spent()
  await everyKindIsServed(alice, from)
  await everyKindIsServed(alice, { ...from, 'SVC-API-KEY': unknownKey })
  refused(await api.get('/time', {}, from), { status: 429, says: spentUp })
  const batch = await batchOf(alice, 1)
  const mixed = { actions: [...batch.actions, { type: 'Create', data: {} }] }
  refused(await api.post('/orders/batch', mixed, from), { status: 429, says: spentUp })
})

/** A position of a new account, and a body that gives it a stop-loss. */
async function exposed(): Promise<Readonly<{ key: Key; stopLoss: Row }>> {
  const key = await trader()
  const price = { symbol: 'BTC', side: 'bid', amount: '0.01', price: '100000', tif: 'GTC' }
  const maker = await trader()
  const rests = { ...price, side: 'ask', tif: 'ALO', reduce_only: false }
  dataOf(await api.signed(maker, '/orders/create', rests, { headers: visitor() }))
  const takes = { ...price, reduce_only: false }
  dataOf(await api.signed(key, '/orders/create', takes, { headers: visitor() }))
  await onSandbox('clock', { advance_ms: 1_000 })
  return { key, stopLoss: { symbol: 'BTC', side: 'ask', stop_loss: { stop_price: '60000' } } }
}

test('a stop-loss is set although credits are spent or the key is unknown', async () => {
  await onSandbox('oracle', { symbol: 'BTC', price: '100000' })
  const { key, stopLoss } = await exposed()
  const from = await spent()
  const unknown = { 'SVC-API-KEY': unknownKey }
  const send = (fields: Row, headers: HeaderFields) =>
    api.signed(key, '/positions/tpsl', fields, { headers })
  for (const headers of [from, { ...from, ...unknown }, { ...visitor(), ...unknown }])
    assert.deepEqual((await send(stopLoss, headers)).body, { success: true })
  const takeProfit = { stop_price: '150000' }
  for (const take_profit of [takeProfit, null])
    assert.deepEqual((await send({ ...stopLoss, take_profit }, from)).body, { success: true })
  const { stop_loss: _, ...none } = stopLoss
  const others = [
    { ...none, take_profit: takeProfit },
    { ...none, stop_loss: null },
    { ...none, stop_loss: [] },
    { ...none, stop_loss: 'now' },
  ]
  for (const fields of others) {
    refused(await send(fields, from), { status: 429, says: spentUp })
    const keyed = await send(fields, { ...visitor(), ...unknown })
    refused(keyed, { status: 401, says: /^INVALID_API_KEY/ })
  }
})

test('a key without credits leaves its cancels to the address', async () => {
  const alice = await trader()
  const made = await api.signed<{ data: { api_key: string } }>(
    alice,
    '/account/api_keys/create',
    {},
    { headers: visitor() },
  )
  const from = visitor()
  const headers = { ...from, 'SVC-API-KEY': made.body.data.api_key }
  const cancel = () => api.signed(alice, '/orders/cancel', stopOf, { headers })
  assert.equal(remaining(await cancel()), 195)
  while ((await api.get('/time', {}, headers)).status === 200);
  // Half a credit is left in the key's bucket.
  assert.equal(remaining(await cancel()), 0)
  assert.equal(remaining(await cancel()), 195, 'of the address')
  assert.equal(remaining(await api.get('/time', {}, from)), 185)
})

test('the reserve belongs to the account, is limited, and strangers cannot spend it', async () => {
  const [alice, bob] = [await trader(), await trader()]
  const cancel = async (key: Key, headers: HeaderFields, options: Row = {}) =>
    api.signed(key, '/orders/cancel', stopOf, { headers, ...options })
  const stranger = await spent()
  // A stranger's key that claims to be her agent, her text with the stranger's signature, and her
  // text again.
  for (let n = 0; n < 30; n++) {
    const asAgent = await cancel(alice, stranger, { agent: bob })
    refused(asAgent, { status: 400, says: /^AGENT_NOT_BOUND/ })
    const body = await api.body(bob, '/orders/cancel', stopOf)
    const forged = await api.post('/orders/cancel', { ...body, account: alice.address }, stranger)
    refused(forged, { status: 400, says: /^INVALID_SIGNATURE/ })
  }
  const seen = await api.body(alice, '/orders/cancel', stopOf)
  refused(await api.post('/orders/cancel', seen, visitor()), { status: 400, says: missing })
  for (let n = 0; n < 60; n++)
    refused(await api.post('/orders/cancel', seen, stranger), { status: 400, says: /^REPLAYED/ })
  // The whole reserve is left: 20 credits, half a credit each.
  const from = await spent()
  for (let n = 0; n < 40; n++) refused(await cancel(alice, from), { status: 400, says: missing })
  refused(await cancel(alice, from), { status: 429, says: spentUp })
  refused(await cancel(alice, await spent()), { status: 429, says: spentUp })
  refused(await cancel(bob, from), { status: 400, says: missing })
  refused(await cancel(alice, visitor()), { status: 400, says: missing })
})

test('an agent’s reserve is separate from its owner’s', async () => {
  const alice = await trader()
  const agent = newKey()
  const bind = { agent_wallet: agent.address }
  dataOf(await api.signed(alice, '/agent/bind', bind, { headers: visitor() }))
  const headers = await spent()
  const cancel = (options: Row) =>
    api.signed(alice, '/orders/cancel', stopOf, { headers, ...options })
  for (let n = 0; n < 40; n++) refused(await cancel({ agent }), { status: 400, says: missing })
  refused(await cancel({ agent }), { status: 429, says: spentUp })
  refused(await cancel({}), { status: 400, says: missing })
  // An unauthorized agent gets that error: it never reaches the reserve, spent or not.
  const stranger = newKey()
  refused(await cancel({ agent: stranger }), { status: 400, says: /^AGENT_NOT_BOUND/ })
})

test('a failed signature costs credits of the address, up to a limit', async () => {
  const alice = await trader()
  const from = visitor()
  const forged = async (headers: HeaderFields) => {
    const body = await api.body(alice, '/orders/cancel', stopOf)
    return api.post('/orders/cancel', { ...body, symbol: 'ETH' }, headers)
  }
  const bad = /^INVALID_SIGNATURE/
  assert.equal(remaining(await forged({ ...from, 'SVC-API-KEY': unknownKey })), 195)
  const made = await api.signed<{ data: { api_key: string } }>(
    alice,
    '/account/api_keys/create',
    {},
    { headers: visitor() },
  )
  refused(await forged({ ...from, 'SVC-API-KEY': made.body.data.api_key }), {
    status: 400,
    says: bad,
  })
  assert.equal(remaining(await api.get('/time', {}, from)), 180, 'with a good key as well')
  // 18 credits are left, and 200 may be owed: 436 at half a credit.
  const sent = Array.from({ length: 450 }, () => forged(from))
  const checked = (await Promise.all(sent)).filter(({ status }) => status === 400)
  assert.equal(checked.length, 436)
  refused(await forged(from), { status: 429, says: spentUp })
  const other = visitor()
  refused(await api.signed(alice, '/orders/cancel', stopOf, { headers: other }), {
    status: 400,
    says: missing,
  })
})

test('the websocket serves cancels from the reserve as well', async () => {
  const alice = await trader()
  const from = await spent()
  const client = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`, { ...from })
  const ask = async (type: 'cancel_order' | 'create_order', fields: Row) => {
    const body = await signedBody(alice, fields, { type, timestamp: freshTimestamp() })
    return client.ask({ id: `${freshTimestamp()}`, params: { [type]: body } })
  }
  const limit = { symbol: 'BTC', price: '20000', amount: '0.01', side: 'bid' }
  const placed = await ask('create_order', { ...limit, tif: 'ALO', reduce_only: false })
  assert.equal(placed.code, 429)
  const cancelled = await ask('cancel_order', cancelOf(await order(alice)))
  assert.equal(cancelled.code, 200)
  assert.deepEqual((cancelled.rl as Row).r, 0)
  const params = { batch_orders: await batchOf(alice, await order(alice)) }
  assert.equal((await client.ask({ id: 'batch', params })).code, 200)
  client.ws.close()
})
