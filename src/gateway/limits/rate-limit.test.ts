import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimit } from './rate-limit.ts'

const now = 1_716_200_000_000
const visitor = { ipKey: '192.0.2.7', apiKey: null }
const member = { ipKey: '192.0.2.7', apiKey: { account: 4, bucket: 0, credits: 0 } }

test('an address has 100 credits a minute, and headers count in tenths', () => {
  const limit = new RateLimit()
  const first = limit.charge(visitor, 'plain', now)
  assert.deepEqual(first.headers, {
    ratelimit: '"credits";r=990;t=60',
    'ratelimit-policy': '"credits";q=1000;w=60',
  })
  for (let n = 1; n < 100; n++) assert.ok(limit.charge(visitor, 'plain', now).ok)
  const refused = limit.charge(visitor, 'plain', now + 20_000)
  assert.equal(refused.ok, false)
  assert.equal(refused.retryAfterSeconds, 40)
  assert.equal(refused.headers.ratelimit, '"credits";r=0;t=40')
  assert.ok(limit.charge({ ipKey: '192.0.2.8', apiKey: null }, 'plain', now).ok)
})

test('a cancel costs half, a heavy read twelve without a key and three with one', () => {
  const limit = new RateLimit()
  const left = (payer: typeof visitor | typeof member, cost: 'cancel' | 'heavy') =>
    limit.charge(payer, cost, now).remaining
  assert.equal(left(visitor, 'cancel'), 995)
  assert.equal(left(visitor, 'heavy'), 875)
  assert.equal(left(member, 'cancel'), 995)
  assert.equal(left(member, 'heavy'), 965)
})

test('a key spends its own credits: as many as an address, or as set by the operator', () => {
  const limit = new RateLimit({ creditsPerIp: 2 })
  for (let n = 0; n < 2; n++) assert.ok(limit.charge(visitor, 'plain', now).ok)
  assert.equal(limit.charge(visitor, 'plain', now).ok, false)
  for (let n = 0; n < 2; n++) assert.ok(limit.charge(member, 'plain', now).ok)
  assert.equal(limit.charge(member, 'plain', now).ok, false)
  const raised = { ...member, apiKey: { account: 4, bucket: 0, credits: 300 } }
  assert.deepEqual(limit.charge(raised, 'plain', now).headers, {
    ratelimit: '"credits";r=2970;t=60',
    'ratelimit-policy': '"credits";q=3000;w=60',
  })
  const largest = { ...member, apiKey: { account: 4, bucket: 1, credits: 30_000 } }
  for (let n = 0; n < 30_000; n++) assert.ok(limit.charge(largest, 'plain', now).ok)
  assert.equal(limit.charge(largest, 'plain', now).ok, false)
})

test('an address owes for cancels up to a limit; forgiven costs leave no trace', () => {
  const limit = new RateLimit({ creditsPerIp: 2 })
  for (let n = 0; n < 2; n++) assert.ok(limit.charge(visitor, 'plain', now).ok)
  for (let n = 0; n < 1_000; n++) {
    const owed = limit.owe(visitor.ipKey, 'cancel', now + n)
    assert.ok(owed.ok)
    owed.giveBack()
  }
  const checked = 2 * 10 * 2
  for (let n = 0; n < checked; n++) assert.ok(limit.owe(visitor.ipKey, 'cancel', now + 1_000).ok)
  const refused = limit.owe(visitor.ipKey, 'cancel', now + 1_000)
  assert.equal(refused.ok, false)
  assert.ok(limit.owe('192.0.2.8', 'cancel', now + 1_000).ok)
  assert.ok(limit.charge(visitor, 'plain', now + 61_000).ok)
})

test('a reserve is one account’s, and is refilled as every bucket is', () => {
  const limit = new RateLimit({ creditsPerIp: 2 })
  for (let n = 0; n < 4; n++) assert.ok(limit.reserve('4', 'cancel', now).ok)
  assert.equal(limit.reserve('4', 'cancel', now + 59_000).ok, false)
  assert.ok(limit.reserve('4 agents', 'cancel', now + 59_000).ok)
  assert.ok(limit.reserve('5', 'cancel', now + 59_000).ok)
  assert.ok(limit.reserve('4', 'cancel', now + 60_000).ok)
})

test('spending of other processes counts, and invalid reports do not', () => {
  const limit = new RateLimit({ creditsPerIp: 2 })
  const nonsense = [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1e300, 2 ** 40, 0.5, '10', null]
  for (const price of nonsense) limit.heard(['perIp', visitor.ipKey, price as number], now)
  limit.heard(['perIp', visitor.ipKey, 10], now)
  assert.ok(limit.charge(visitor, 'plain', now).ok)
  assert.equal(limit.charge(visitor, 'plain', now).ok, false)
  for (let n = 0; n < 2; n++) assert.ok(limit.charge(visitor, 'plain', now + 61_000).ok)
})
