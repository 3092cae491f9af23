// API config keys, black box: created, listed, revoked, and used on any route.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { base58Alphabet, decodeBase58 } from '../../src/protocol/base58.ts'
import { type Answer, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const create = '/account/api_keys/create'
const revoke = '/account/api_keys/revoke'
const list = '/account/api_keys'
const shape = new RegExp(`^[${base58Alphabet}]{8}_[${base58Alphabet}]+$`)

type Listed = Readonly<{ active_api_keys: string[]; api_key_limit: number; keys: Row[] }>
const keyIn = ({ body }: Answer) => (body as { data: { api_key: string } }).data.api_key

test('a key is eight characters, an underscore and the base58 of a UUID', async () => {
  const alice = await live.trader()
  const answer = await api.signed(alice, create)
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['data'])
  assert.deepEqual(Object.keys(answer.body.data as Row), ['api_key'])
  const key = keyIn(answer)
  assert.match(key, shape)
  const uuid = decodeBase58(key.slice(9), 16)
  assert.ok(uuid)
  assert.equal(uuid[6]! >> 4, 4)
  assert.equal(uuid[8]! >> 6, 2)
  assert.notEqual(keyIn(await api.signed(alice, create)), key)
})

test('an account can have five keys; the sixth is 400', async () => {
  const alice = await live.trader()
  const keys: string[] = []
  for (let at = 0; at < 5; at++) keys.push(keyIn(await api.signed(alice, create)))
  const sixth = await api.signed(alice, create)
  refused(sixth, {
    status: 400,
    says: /^LIMIT_REACHED: an account has at most 5 API keys; revoke one first$/,
  })
  assert.deepEqual(Object.keys(sixth.body), ['error', 'code'])
  const listed = dataOf<Listed>(await api.signed(alice, list))
  assert.equal(listed.api_key_limit, 5)
  const prefixes = keys.map((key) => key.slice(0, 8))
  assert.deepEqual(
    listed.keys.map(({ prefix }) => prefix),
    prefixes,
  )
  assert.deepEqual(listed.active_api_keys, keys, 'complete, because the request is signed')
  for (const { created_at, last_used_at, credits } of listed.keys) {
    assert.ok(Number.isSafeInteger(created_at))
    assert.deepEqual([last_used_at, credits], [null, 100])
  }
})

test('a key is revoked by its full text, its prefix or its masked form', async () => {
  const alice = await live.trader()
  const keys = [0, 1, 2].map(async () => keyIn(await api.signed(alice, create)))
  const [first, second, third] = await Promise.all(keys)
  const byKey = await api.signed(alice, revoke, { api_key: first! })
  assert.equal(byKey.text, '{"success":true,"data":null,"error":null,"code":null}')
  dataOf(await api.signed(alice, revoke, { api_key: second!.slice(0, 8) }))
  const masked = `${third!.slice(0, 8)}_${'*'.repeat(22)}`
  dataOf(await api.signed(alice, revoke, { api_key: masked }))
  const empty = dataOf<Listed>(await api.signed(alice, list))
  assert.deepEqual(empty, { active_api_keys: [], api_key_limit: 5, keys: [] })
})

test('an unknown, foreign or incomplete key is 400', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  const key = keyIn(await api.signed(alice, create))
  const other = keyIn(await api.signed(bob, create))
  const says = /^API_KEY_NOT_FOUND: this account has no such API key/
  for (const api_key of [other, other.slice(0, 8), `${key.slice(0, 9)}${other.slice(9)}`])
    refused(await api.signed(alice, revoke, { api_key }), { status: 400, says })
  refused(await api.signed(alice, revoke, {}), { status: 400, says: /lacks api_key/ })
  assert.equal(dataOf<Listed>(await api.signed(alice, list)).keys.length, 1)
  assert.equal(dataOf<Listed>(await api.signed(bob, list)).keys.length, 1)
})

test('an agent creates, lists and revokes keys from an allowed address', async () => {
  const alice = await live.trader()
  const agent = newKey()
  const listed = async () => dataOf<Listed>(await api.signed(alice, list, {}, { agent }))
  const all = (key: string) =>
    [
      [create, {}],
      [revoke, { api_key: key }],
      [list, {}],
    ] as const
  const unbound = /^AGENT_NOT_BOUND/
  for (const [path, fields] of all('AAAAAAAA'))
    refused(await api.signed(alice, path, fields, { agent }), { status: 400, says: unbound })
  dataOf(await api.signed(alice, '/agent/bind', { agent_wallet: agent.address }))
  const key = keyIn(await api.signed(alice, create, {}, { agent }))
  const own = keyIn(await api.signed(alice, create))
  assert.deepEqual((await listed()).active_api_keys, [key, own])
  dataOf(await api.signed(alice, revoke, { api_key: own }, { agent }))
  assert.deepEqual((await listed()).active_api_keys, [key])
  const toggle = { agent_wallet: agent.address, enabled: true }
  dataOf(await api.signed(alice, '/agent/ip_whitelist/toggle', toggle))
  const elsewhere = /^AGENT_NOT_ALLOWED: .*outside the allow-list/
  for (const [path, fields] of all(key))
    refused(await api.signed(alice, path, fields, { agent }), { status: 400, says: elsewhere })
  const none = await api.signed(alice, revoke, { api_key: 'AAAAAAAA' }, { agent })
  refused(none, { status: 400, says: elsewhere })
  const allowed = { agent_wallet: agent.address, ip_address: '127.0.0.1' }
  dataOf(await api.signed(alice, '/agent/ip_whitelist/add', allowed))
  dataOf(await api.signed(alice, revoke, { api_key: key }, { agent }))
  assert.deepEqual((await listed()).keys, [])
  dataOf(await api.signed(alice, '/agent/revoke', { agent_wallet: agent.address }))
  for (const [path, fields] of all(key))
    refused(await api.signed(alice, path, fields, { agent }), { status: 400, says: unbound })
})

test('an unknown or revoked key is 401 on any route; a valid one is cached', async () => {
  const alice = await live.trader()
  const key = keyIn(await api.signed(alice, create))
  const { address: account } = alice
  for (const name of ['SVC-API-KEY', 'svc-api-key', 'PF-API-KEY'])
    assert.equal((await api.get('/positions', { account }, { [name]: key })).status, 200)
  const [used] = dataOf<Listed>(await api.signed(alice, list)).keys
  assert.ok(Number(used!.last_used_at) > 0)
  dataOf(await api.signed(alice, revoke, { api_key: key }))
  const unknown = `${key.slice(0, 8)}_${keyIn(await api.signed(alice, create)).slice(9)}`
  const says = /^INVALID_API_KEY: the API key is not known or was revoked/
  for (const bad of [key, unknown, 'x', key.slice(0, 8)]) {
    const headers = { 'SVC-API-KEY': bad }
    const bareOne = await api.get('/positions', { account }, headers)
    refused(bareOne, { status: 401, says })
    assert.deepEqual(Object.keys(bareOne.body), ['error', 'code'])
    const enveloped = await api.get('/info', {}, headers)
    assert.deepEqual(Object.keys(enveloped.body), ['success', 'data', 'error', 'code'])
    refused(enveloped, { status: 401, says })
    refused(await api.post('/sandbox/bots', { running: false }, headers), { status: 401, says })
    refused(await api.get('/positions', { account }, { 'PF-API-KEY': bad }), { status: 401, says })
  }
})

test('an API key does not replace the signature', async () => {
  const alice = await live.trader()
  const key = keyIn(await api.signed(alice, create))
  const body = { account: alice.address, timestamp: Date.now(), symbol: 'BTC', order_id: 1 }
  const answer = await api.post('/orders/cancel', body, { 'SVC-API-KEY': key })
  refused(answer, { status: 400, says: /signature is missing/ })
})

test('the header prefix is configurable, and reads can be limited to owners', async () => {
  const own = await frozenSandbox(['--key-header', 'Acme', '--reads', 'owner'])
  try {
    const [alice, bob] = [await own.trader(), await own.trader()]
    const key = keyIn(await own.api.signed(alice, create))
    const { address: account } = alice
    const says = /^CREDENTIALS_REQUIRED: reads of an account need an API key of that account/
    for (const path of [
      '/positions',
      '/positions/history',
      '/orders',
      '/account',
      '/trades/history',
    ]) {
      refused(await own.api.get(path, { account }), { status: 401, says })
      assert.equal((await own.api.get(path, { account }, { 'ACME-API-KEY': key })).status, 200)
      assert.equal((await own.api.get(path, { account }, { 'PF-API-KEY': key })).status, 200)
      const others = await own.api.get(path, { account: bob.address }, { 'Acme-Api-Key': key })
      refused(others, { status: 401, says })
      refused(await own.api.get(path, { account }, { 'SVC-API-KEY': key }), { status: 401, says })
    }
    refused(await own.api.get('/positions/history', {}, { 'Acme-Api-Key': key }), {
      status: 401,
      says,
    })
    refused(await own.api.get('/orders/history_by_id', { order_id: 1 }), {
      status: 401,
      says: /reads of an account need an API key/,
    })
    assert.equal((await own.api.get('/info')).status, 200)
  } finally {
    await own.close()
  }
})
