import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { apply, type Command, createState, EventLog, viewOf } from '../../core/index.ts'
import { apiKeyPrefixOf, maskApiKey, parseApiKeyName } from '../../protocol/api-key.ts'
import type { Ppm, Quote, TimeMs } from '../../units/units.ts'
import type { NewApiKey } from '../exchange.ts'
import { apiKeyDigest, apiKeyMaker, findApiKey, findRevocable } from './api-keys.ts'

const maker = apiKeyMaker(Buffer.alloc(32, 7))

type Kept = Readonly<{ owner: string; key: NewApiKey; credits?: number }>

/** A view of an exchange whose accounts hold these keys; gives their ids as well. */
function viewWith(...keys: readonly Kept[]) {
  const state = createState({
    pricesMayStand: true,
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: [{ volumeDollars: 0, makerPpm: 0 as Ppm, takerPpm: 0 as Ppm }],
  })
  const log = new EventLog()
  let seq = 0
  const submit = (command: Command) =>
    apply(state, { seq: ++seq, atMs: 1_716_200_000_000 as TimeMs, command }, log)
  const view = viewOf(state)
  const idOf = (owner: string) => view.accounts.idOf(owner)
  for (const { owner, key, credits } of keys) {
    const { prefix, digest } = key
    submit({ type: 'Deposit', address: owner, amount: 1 as Quote, reference: owner })
    submit({ type: 'CreateApiKey', account: idOf(owner), proof: null, prefix, digest })
    if (credits !== undefined) submit({ type: 'SetApiKeyCredits', prefix, credits })
  }
  return { view, idOf }
}

test('a key is eight characters, and a UUID of version 4 in base58', () => {
  const keys = Array.from({ length: 200 }, () => maker.make('alice'))
  for (const { key, prefix, digest } of keys) {
    assert.match(key, /^[1-9A-HJ-NP-Za-km-z]{8}_[1-9A-HJ-NP-Za-km-z]{21,22}$/)
    assert.equal(key.slice(0, 8), prefix)
    const uuid = base58.decode(key.slice(9))
    assert.equal(uuid.length, 16)
    assert.equal(uuid[6]! >> 4, 4)
    assert.equal(uuid[8]! >> 6, 2)
    assert.equal(digest, apiKeyDigest(key))
    assert.equal(digest.length, 43)
    assert.equal(apiKeyPrefixOf(key), prefix)
  }
  assert.equal(new Set(keys.map(({ prefix }) => prefix)).size, 200)
  const letters = new Set(keys.flatMap(({ prefix }) => [...prefix]))
  assert.equal(letters.size, 58)
})

test('a key is the first half of an HMAC over account and prefix, as a UUID', () => {
  // Many, because each has only some of the bits that a UUID sets.
  for (let n = 0; n < 50; n++) {
    const made = maker.make('alice')
    const named = `alice${made.prefix}`
    const uuid = createHmac('sha256', Buffer.alloc(32, 7)).update(named).digest().subarray(0, 16)
    uuid[6] = (uuid[6]! % 16) + 0x40
    uuid[8] = (uuid[8]! % 64) + 0x80
    assert.equal(made.key, `${made.prefix}_${base58.encode(uuid)}`)
  }
  const { key, prefix, digest } = maker.make('alice')
  assert.equal(maker.whole('alice', { prefix, digest }), key)
  assert.equal(maker.whole('bob', { prefix, digest }), null)
  assert.equal(maker.whole('alice', { prefix, digest: apiKeyDigest('another') }), null)
  assert.equal(apiKeyMaker(Buffer.alloc(32, 8)).whole('alice', { prefix, digest }), null)
})

test('the header finds the key, and nothing but the whole key does', () => {
  const made = maker.make('alice')
  const { key, prefix } = made
  const { view, idOf } = viewWith({ owner: 'alice', key: made, credits: 300 })
  assert.deepEqual(findApiKey(view, key), {
    prefix,
    account: idOf('alice'),
    credits: 300,
    bucket: 0,
  })
  const other = maker.make('alice').key
  const wrong = [
    '',
    prefix,
    `${prefix}_`,
    maskApiKey(prefix),
    other,
    `${prefix}${other.slice(8)}`,
    `${key}1`,
    key.slice(0, -1),
    ` ${key}`,
    key.toLowerCase(),
    `${prefix}_${'z'.repeat(100_000)}`,
    '__proto__',
    'constructor_constructor',
  ]
  for (const text of wrong) assert.equal(findApiKey(view, text), null, text.slice(0, 40))
  assert.equal(findApiKey(viewWith().view, key), null)
})

test('a revoke names a key by itself, by its prefix or by its masked form', () => {
  const mine = maker.make('alice')
  const theirs = maker.make('bob')
  const { view, idOf } = viewWith({ owner: 'alice', key: mine }, { owner: 'bob', key: theirs })
  const masked = maskApiKey(mine.prefix)
  assert.match(masked, /^\w{8}_\*+$/)
  for (const text of [mine.key, mine.prefix, masked]) {
    assert.equal(findRevocable(view, idOf('alice'), text), mine.prefix)
    assert.equal(findRevocable(view, idOf('bob'), text), null)
  }
  const forged = `${mine.prefix}${theirs.key.slice(8)}`
  const wrong = [theirs.key, theirs.prefix, forged, `${masked}*`, masked.slice(0, -1), '', '*']
  for (const text of wrong) assert.equal(findRevocable(view, idOf('alice'), text), null)
  assert.deepEqual(parseApiKeyName(mine.key), { prefix: mine.prefix, whole: true })
  assert.deepEqual(parseApiKeyName(masked), { prefix: mine.prefix, whole: false })
})
