// Credits, black box: the cost of a request, who pays, and the reply when they are used up.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Key } from '../../src/client/key.ts'
import { type Answer, dataOf, type HeaderFields, refused } from '../support/http/api-client.ts'
import {
  adminToken,
  frozenSandbox,
  liveExchange,
  tokenFlags,
  tokenHeader,
} from '../support/http/live-exchange.ts'

const flags = [
  '--rate-limit',
  'on',
  '--credits',
  '20',
  '--trusted-proxies',
  '127.0.0.1',
  ...tokenFlags,
]
const live = await liveExchange(flags)
after(() => live.close())
const { api } = live

/** Another client with its own address, as a trusted proxy reports it. */
let lastHost = 0
const visitor = (): HeaderFields => ({ 'x-forwarded-for': `203.0.113.${++lastHost}` })
const remaining = ({ headers }: Answer<unknown>) => {
  const [, credits, seconds] = /^"credits";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')!
  assert.ok(Number(seconds) >= 0 && Number(seconds) <= 60)
  return Number(credits)
}
const policy = ({ headers }: Answer<unknown>) => headers.get('ratelimit-policy')
const cancel = { symbol: 'BTC', order_id: 1 }

async function fundedKey(from: HeaderFields): Promise<Readonly<{ key: Key; apiKey: string }>> {
  const { newKey } = await import('../../src/client/key.ts')
  const key = newKey()
  dataOf(
    await api.post(
      '/sandbox/faucet',
      { account: key.address, amount: '1000' },
      { ...from, ...tokenHeader },
    ),
  )
  const made = await api.signed<{ data: { api_key: string } }>(
    key,
    '/account/api_keys/create',
    {},
    { headers: from },
  )
  return { key, apiKey: made.body.data.api_key }
}

test('a request costs one credit, a cancel half, a heavy read twelve', async () => {
  const from = visitor()
  const first = await api.get('/time', {}, from)
  assert.equal(policy(first), '"credits";q=200;w=60')
  assert.equal(remaining(first), 190)
  assert.equal(remaining(await api.post('/orders/cancel', cancel, from)), 185)
  assert.equal(remaining(await api.post('/orders/cancel_all', {}, from)), 180)
  assert.equal(remaining(await api.post('/orders/stop/cancel', {}, from)), 175)
  assert.equal(remaining(await api.get('/positions/history', {}, from)), 55)
})

test('a batch costs a credit for each ten actions started, half for cancels only', async () => {
  const from = visitor()
  const batch = async (types: readonly string[]) => {
    const actions = types.map((type) => ({ type, data: {} }))
    return remaining(await api.post('/orders/batch', { actions }, from))
  }
  const creates = (count: number) => Array<string>(count).fill('Create')
  assert.equal(await batch(creates(10)), 190)
  assert.equal(await batch(creates(11)), 170)
  assert.equal(await batch(['Cancel', 'CancelStopOrder', 'CancelAll']), 165)
  assert.equal(await batch(Array(11).fill('CancelAll')), 155)
  assert.equal(await batch([...Array(10).fill('Cancel'), 'Create']), 135)
  assert.equal(await batch(creates(50)), 85)
  assert.equal(await batch(creates(50)), 35)
  // A client that cannot pay has paid for the attempt.
  const over = await api.post('/orders/batch', { actions: Array(50).fill({}) }, from)
  refused(over, { status: 429, says: /^RATE_LIMITED/ })
  assert.equal(remaining(over), 30)
})

test('each heavy read costs its credits', async () => {
  const { key } = await fundedKey(visitor())
  for (const path of ['/positions/history', '/trades/history', '/orders/history'])
    assert.equal(remaining(await api.get(path, { account: key.address }, visitor())), 80)
})

test('used-up credits are 429 with retry-after, in the format of the endpoint', async () => {
  const from = visitor()
  const { address } = (await fundedKey(visitor())).key
  for (let spent = 0; spent < 20; spent++)
    assert.equal((await api.get('/time', {}, from)).status, 200)
  const over = await api.get('/time', {}, from)
  const says = /^RATE_LIMITED: credits are used up; try again in \d+ s$/
  refused(over, { status: 429, says })
  assert.deepEqual(Object.keys(over.body), ['success', 'data', 'error', 'code'])
  assert.equal(remaining(over), 0)
  const wait = Number(over.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60)
  const bare = await api.get('/positions', { account: address }, from)
  refused(bare, { status: 429, says })
  assert.deepEqual(Object.keys(bare.body), ['error', 'code'])
  assert.equal((await api.get('/time', {}, visitor())).status, 200, 'others are not affected')
  const { apiKey } = await fundedKey(visitor())
  const keyed = await api.get('/time', {}, { ...from, 'SVC-API-KEY': apiKey })
  assert.equal(remaining(keyed), 190, 'a key spends its own credits')
})

test('a key has as many credits as an address, and pays three for heavy reads', async () => {
  const { apiKey, key } = await fundedKey(visitor())
  const headers = { ...visitor(), 'SVC-API-KEY': apiKey }
  assert.equal(policy(await api.get('/time', {}, headers)), '"credits";q=200;w=60')
  assert.equal(remaining(await api.get('/positions/history', {}, headers)), 160)
  assert.equal(remaining(await api.post('/orders/cancel', cancel, headers)), 155)
  const other = { ...visitor(), 'PF-API-KEY': apiKey }
  assert.equal(remaining(await api.get('/time', {}, other)), 145, 'from anywhere')
  const raised = await fetch(`${live.adminUrl}/keys/credits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ prefix: apiKey.slice(0, 8), credits: 300, reason: 'on request' }),
  })
  assert.equal(raised.status, 200)
  const after = await api.get('/time', {}, headers)
  assert.equal(policy(after), '"credits";q=3000;w=60')
  const listed = await api.signed(key, '/account/api_keys', {}, { headers })
  assert.equal(dataOf<{ keys: { credits: number }[] }>(listed).keys[0]!.credits, 300)
})

test('an IPv6 client is its /64 network', async () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  assert.equal(remaining(await api.get('/time', {}, from('2001:db8:1:2::1'))), 190)
  assert.equal(remaining(await api.get('/time', {}, from('2001:db8:1:2:ffff::9'))), 180)
  assert.equal(remaining(await api.get('/time', {}, from('2001:db8:1:3::1'))), 190)
})

test('rejected keys, bad signatures and bad bodies cost credits or stop before', async () => {
  const from = visitor()
  const bad = await api.get('/time', {}, { ...from, 'SVC-API-KEY': 'x' })
  assert.equal(bad.status, 401)
  assert.equal(remaining(await api.post('/orders/create', { account: 1 }, from)), 190)
})

test('a sandbox has no limits by default, and a forwarded address is not trusted', async () => {
  const free = await frozenSandbox()
  try {
    const answer = await free.api.get('/time')
    assert.equal(answer.headers.get('ratelimit'), null)
  } finally {
    await free.close()
  }
  const strict = await liveExchange(['--rate-limit', 'on', '--credits', '20'])
  try {
    for (const [at, expected] of [190, 180, 170].entries()) {
      const headers = { 'x-forwarded-for': `203.0.113.${at}` }
      assert.equal(remaining(await strict.api.get('/time', {}, headers)), expected)
    }
  } finally {
    await strict.close()
  }
})
