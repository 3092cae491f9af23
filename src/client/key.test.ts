import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { encodeBase58 } from '../protocol/base58.ts'
import { keyOfSecret, keyOfSeed, newKey } from './key.ts'
import * as node from './platform/node-ed25519.ts'
import * as portable from './platform/portable-ed25519.ts'
import { sandboxKeys } from './sandbox-keys.ts'
import { signedBody } from './signed-body.ts'

test('Node and browsers produce the same signature bytes', () => {
  for (let n = 0; n < 20; n++) {
    const seed = createHash('sha256').update(`seed ${n}`).digest()
    const message = createHash('sha512')
      .update(`message ${n}`)
      .digest()
      .subarray(0, n * 3)
    const [one, other] = [node.keyPairOf(seed), portable.keyPairOf(seed)]
    assert.deepEqual(Uint8Array.from(one.publicKey), Uint8Array.from(other.publicKey))
    assert.deepEqual(Uint8Array.from(one.sign(message)), Uint8Array.from(other.sign(message)))
  }
})

test('a key is restored from its secret, or from the seed alone', () => {
  const key = newKey()
  assert.equal(keyOfSecret(key.secret).address, key.address)
  const seed = Uint8Array.from({ length: 32 }, (_, at) => at)
  assert.equal(keyOfSecret(encodeBase58(seed)).address, keyOfSeed(seed).address)
})

test('an invalid key is rejected with a reason', () => {
  assert.throws(() => keyOfSecret('alice'), /base58 of 32 bytes/)
  assert.throws(() => keyOfSeed(new Uint8Array(31)), /a seed has 32 bytes, not 31/)
  const mixed = new Uint8Array(64).fill(7)
  assert.throws(() => keyOfSecret(encodeBase58(mixed)), /public key in this secret key/)
})

test('the sandbox keys are derived from their names', () => {
  for (const { name, key } of sandboxKeys) {
    const seed = createHash('sha256').update(`openperp sandbox trader ${name}`).digest()
    assert.equal(key.address, keyOfSeed(seed).address)
  }
})

test('a signing error names the field', async () => {
  const sign = (fields: Readonly<Record<string, unknown>>) =>
    signedBody(newKey(), { symbol: 'BTC', ...fields }, { type: 'create_order', timestamp: 1 })
  await assert.rejects(sign({ amount: 1.5 }), /^Error: amount is the number 1\.5: .* strings/)
  const nested = { take_profit: [{ stop_price: '1' }, { stop_price: 2.5 }] }
  await assert.rejects(sign(nested), /take_profit\[1\]\.stop_price is the number 2\.5/)
  await assert.rejects(sign({ symbol: 'Ƀ' }), /symbol has a character outside ASCII/)
})
