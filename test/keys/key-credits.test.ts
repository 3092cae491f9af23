// An account's five buckets of credits, black box: a new key has no new credits.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Key } from '../../src/client/key.ts'
import { type Answer, dataOf, type HeaderFields, refused } from '../support/http/api-client.ts'
import { adminToken, liveExchange, tokenFlags, tokenHeader } from '../support/http/live-exchange.ts'

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
const visitor = (): HeaderFields => ({ 'x-forwarded-for': `203.0.113.${++lastHost}` })
const remaining = ({ headers }: Answer<unknown>) =>
  Number(/^"credits";r=(\d+);/.exec(headers.get('ratelimit') ?? '')![1])
const policy = ({ headers }: Answer<unknown>) => headers.get('ratelimit-policy')

async function trader(): Promise<Key> {
  const { newKey } = await import('../../src/client/key.ts')
  const key = newKey()
  const money = { account: key.address, amount: '1000' }
  dataOf(await api.post('/sandbox/faucet', money, { ...visitor(), ...tokenHeader }))
  return key
}

async function create(key: Key, from: HeaderFields = visitor()): Promise<string> {
  const path = '/account/api_keys/create'
  const made = await api.signed<{ data: { api_key: string } }>(key, path, {}, { headers: from })
  assert.equal(made.status, 200, made.text)
  return made.body.data.api_key
}

async function revoke(key: Key, apiKey: string): Promise<void> {
  const headers = visitor()
  dataOf(await api.signed(key, '/account/api_keys/revoke', { api_key: apiKey }, { headers }))
}

/** How many requests a key has credits for now. */
async function spent(apiKey: string): Promise<number> {
  const headers = { ...visitor(), 'SVC-API-KEY': apiKey }
  for (let count = 0; ; count++) {
    const answer = await api.get('/time', {}, headers)
    if (answer.status === 429) return count
    assert.equal(answer.status, 200, answer.text)
  }
}

test('a key that replaces another has the credits that were left', async () => {
  const alice = await trader()
  const first = await create(alice)
  assert.equal(await spent(first), 20)
  let granted = 0
  for (let rotation = 0, key = first; rotation < 5; rotation++) {
    await revoke(alice, key)
    key = await create(alice)
    granted += await spent(key)
  }
  assert.equal(granted, 0)
})

test('five keys have five buckets, and rotating them adds none', async () => {
  const alice = await trader()
  const keys: string[] = []
  for (let at = 0; at < 5; at++) keys.push(await create(alice))
  let granted = 0
  for (const key of keys) granted += await spent(key)
  assert.equal(granted, 100)
  for (const key of [3, 1, 4].map((at) => keys[at]!)) {
    await revoke(alice, key)
    granted += await spent(await create(alice))
  }
  assert.equal(granted, 100)
  const bob = await trader()
  assert.equal(await spent(await create(bob)), 20, 'another account has its own buckets')
})

test('a tier belongs to the key: its replacement has the default tier', async () => {
  const alice = await trader()
  const raised = await create(alice)
  const reply = await fetch(`${live.adminUrl}/keys/credits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ prefix: raised.slice(0, 8), credits: 300, reason: 'on request' }),
  })
  assert.equal(reply.status, 200)
  const headers = { ...visitor(), 'SVC-API-KEY': raised }
  for (let at = 0; at < 15; at++) await api.get('/time', {}, headers)
  const last = await api.get('/time', {}, headers)
  assert.deepEqual([policy(last), remaining(last)], ['"credits";q=3000;w=60', 2_840])
  await revoke(alice, raised)
  assert.equal(await spent(await create(alice)), 4)
})

test('creating and revoking keys costs credits of the address, also with a key', async () => {
  const alice = await trader()
  const key = await create(alice)
  const from = visitor()
  const headers = { ...from, 'SVC-API-KEY': key }
  const create2 = await api.signed(alice, '/account/api_keys/create', {}, { headers })
  assert.equal(remaining(create2), 190)
  const { api_key } = (create2.body as { data: { api_key: string } }).data
  const revoked = await api.signed(alice, '/account/api_keys/revoke', { api_key }, { headers })
  assert.equal(remaining(revoked), 180)
  assert.equal(remaining(await api.get('/time', {}, from)), 170, 'of the same bucket')
  const list = await api.signed(alice, '/account/api_keys', {}, { headers })
  assert.equal(remaining(list), 190, 'the key has paid for the list only')
  while ((await api.get('/time', {}, from)).status === 200);
  const over = await api.signed(alice, '/account/api_keys/create', {}, { headers })
  refused(over, { status: 429, says: /^RATE_LIMITED/ })
})
