import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import {
  encodePoint,
  fieldPrime,
  littleEndian,
  pointAt,
  torsionPoints,
} from '../../test/support/curve-points.ts'
import { signerOf } from '../../test/support/signer.ts'
import { AddressCache, formatAddress, parseAddress } from './address.ts'

const signBit = 1n << 255n

test('an address is parsed and written back', () => {
  for (let seed = 0; seed < 20; seed++) {
    const { address, publicKey } = signerOf(seed)
    assert.deepEqual(parseAddress(address), publicKey)
    assert.equal(formatAddress(publicKey), address)
  }
})

test('anything but the base58 of 32 bytes is refused', () => {
  const { address, publicKey } = signerOf(1)
  const wrong = [
    '',
    ' ',
    address.slice(13),
    `1${address}`,
    `${address} `,
    ` ${address}`,
    `${address.slice(0, -1)}0`,
    `${address.slice(0, -1)}l`,
    `${address.slice(0, -1)}\u00e9`,
    base58.encode(publicKey.subarray(1)),
    base58.encode(Uint8Array.from([...publicKey, 1])),
    '1'.repeat(44),
    'z'.repeat(44),
    'z'.repeat(100_000),
  ]
  for (const text of wrong) assert.equal(parseAddress(text), null, text.slice(0, 60))
})

test('no point of small order is an address, however it is written', () => {
  assert.equal(new Set(torsionPoints.map((point) => base58.encode(encodePoint(point)))).size, 8)
  for (const point of torsionPoints) {
    const bytes = encodePoint(point)
    assert.equal(parseAddress(base58.encode(bytes)), null)
    bytes[31]! ^= 0x80
    assert.equal(parseAddress(base58.encode(bytes)), null)
  }
})

test('a y of the prime or above is refused, one below is not', () => {
  for (let more = 0n; more < 19n; more++) {
    for (const sign of [0n, signBit]) {
      const bytes = littleEndian((fieldPrime + more) | sign)
      assert.equal(parseAddress(base58.encode(bytes)), null)
    }
  }
  let seen = 0
  for (let less = 2n; less < 40n; less++) {
    if (pointAt(fieldPrime - less, false) === null) continue
    assert.ok(parseAddress(base58.encode(littleEndian(fieldPrime - less))))
    seen += 1
  }
  assert.ok(seen > 5)
})

test('the cache equals parsing, stays bounded and keeps addresses in use', () => {
  const cache = new AddressCache(8)
  const mine = signerOf(200).address
  const bytes = cache.parse(mine)
  assert.deepEqual(bytes, parseAddress(mine))
  for (let seed = 0; seed < 100; seed++) {
    cache.parse(signerOf(seed).address)
    assert.equal(cache.parse(mine), bytes)
    assert.ok(cache.size <= 8)
  }
  assert.equal(cache.parse('nonsense'), null)
  for (let seed = 0; seed < 9; seed++) cache.parse(signerOf(seed).address)
  assert.notEqual(cache.parse(mine), bytes)
  assert.deepEqual(cache.parse(mine), bytes)
})
