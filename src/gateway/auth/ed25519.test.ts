// Both libraries against the same edge cases. The odd signatures are made by schoolbook arithmetic.
import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import {
  bigIntOf,
  encodePoint,
  fieldPrime,
  groupOrder,
  identity,
  littleEndian,
  oddSignature,
  pointAt,
  secretScalar,
  torsionPoints,
} from '../../../test/support/curve-points.ts'
import { signerOf } from '../../../test/support/signer.ts'
import { isBelowOrder, loadSodium, loadVerify, nodeVerify, type Verify } from './ed25519.ts'

const signer = signerOf(9)
const secret = secretScalar(signer.seed)
const message = Buffer.from('{"data":{},"type":"create_order"}')
const good = signer.signBytes(message)

function withS(S: bigint): Uint8Array {
  return Buffer.concat([good.subarray(0, 32), littleEndian(S)])
}

/** Messages until the hash of the signature has the wanted remainder by eight. */
function mixedOrder(wanted: (remainder: bigint) => boolean) {
  for (let n = 0; ; n++) {
    const text = Buffer.from(`message ${n}`)
    const made = oddSignature({ secret, message: text, nonce: 77n, onKey: torsionPoints[1]! })
    if (wanted(made.hash % 8n)) return { ...made, text }
  }
}

const libraries = [
  ['libsodium', loadSodium],
  ["Node's own library", async () => nodeVerify()],
] as const

function bothLibraries(title: string, check: (verify: Verify) => void): void {
  for (const [name, load] of libraries) test(`${name} ${title}`, async () => check(await load()))
}

bothLibraries('accepts what a signer makes, also of an empty and of a long message', (verify) => {
  assert.equal(verify(good, message, signer.publicKey), true)
  for (const size of [0, 1, 111, 112, 127, 128, 65_536]) {
    const long = Buffer.alloc(size, 'x')
    assert.equal(verify(signer.signBytes(long), long, signer.publicKey), true)
  }
})

bothLibraries('accepts what the schoolbook signer makes, whose keys are the same', (verify) => {
  const made = oddSignature({ secret, message, nonce: 123n })
  assert.deepEqual(Buffer.from(made.publicKey), Buffer.from(signer.publicKey))
  assert.equal(verify(made.signature, message, made.publicKey), true)
})

bothLibraries('refuses every flip of a bit in signature, key and message', (verify) => {
  const parts = [Buffer.from(good), Buffer.from(message), Buffer.from(signer.publicKey)] as const
  for (const part of parts) {
    for (let bit = 0; bit < part.length * 8; bit++) {
      part[bit >> 3]! ^= 1 << (bit & 7)
      assert.equal(verify(...parts), false)
      part[bit >> 3]! ^= 1 << (bit & 7)
    }
  }
  assert.equal(verify(...parts), true)
})

bothLibraries('refuses S beyond the order of the group', (verify) => {
  const S = bigIntOf(good.subarray(32))
  for (let times = 1n; S + times * groupOrder < 2n ** 256n; times++) {
    assert.equal(verify(withS(S + times * groupOrder), message, signer.publicKey), false)
  }
  for (const odd of [0n, groupOrder, groupOrder - 1n, groupOrder + 1n, 2n ** 256n - 1n]) {
    assert.equal(verify(withS(odd), message, signer.publicKey), false)
  }
})

bothLibraries('accepts S of any size below it', (verify) => {
  // S of a signature is the nonce plus h times the secret; a nonce close to zero or to L is
  // rare in nature and shows errors in the comparison with L.
  for (const nonce of [1n, groupOrder - 1n, 2n ** 252n]) {
    const made = oddSignature({ secret, message, nonce })
    assert.equal(verify(made.signature, message, made.publicKey), true)
  }
})

bothLibraries('refuses public keys of small order, for which anyone could sign', (verify) => {
  const encodings = torsionPoints.map(encodePoint)
  const others = [0n, 1n].flatMap((y) => [fieldPrime + y, (fieldPrime + y) | (1n << 255n)])
  const flipped = encodings.map((bytes) => littleEndian(bigIntOf(bytes) ^ (1n << 255n)))
  for (const key of [...encodings, ...flipped, ...others.map(littleEndian)]) {
    for (const R of encodings) {
      for (const S of [0n, 1n]) {
        const forged = Buffer.concat([R, littleEndian(S)])
        assert.equal(verify(forged, message, key), false)
      }
    }
  }
})

bothLibraries('refuses R of small order, which needs a signer that reveals its key', (verify) => {
  for (const onR of torsionPoints) {
    const made = oddSignature({ secret, message, nonce: 0n, onR })
    assert.equal(verify(made.signature, message, made.publicKey), false)
  }
})

bothLibraries('refuses another encoding of R', (verify) => {
  const neutral = littleEndian(fieldPrime + 1n)
  const made = oddSignature({ secret, message, nonce: 0n, onR: identity })
  const other = Buffer.concat([neutral, made.signature.subarray(32)])
  assert.equal(verify(other, message, made.publicKey), false)
})

bothLibraries('compares without the cofactor', (verify) => {
  for (const onR of torsionPoints.slice(1)) {
    const made = oddSignature({ secret, message, nonce: 5n, onR })
    assert.equal(verify(made.signature, message, made.publicKey), false)
  }
  const refused = mixedOrder((remainder) => remainder !== 0n)
  assert.equal(verify(refused.signature, refused.text, refused.publicKey), false)
  const accepted = mixedOrder((remainder) => remainder === 0n)
  assert.equal(verify(accepted.signature, accepted.text, accepted.publicKey), true)
})

bothLibraries('refuses keys that are not canonical or not on the curve', (verify) => {
  for (let more = 0n; more < 19n; more++) {
    assert.equal(verify(good, message, littleEndian(fieldPrime + more)), false)
  }
  for (let y = 2n; y < 12n; y++) {
    if (pointAt(y, false) === null) assert.equal(verify(good, message, littleEndian(y)), false)
  }
})

test('libsodium is the library that loads here', async () => {
  const verify = await loadVerify()
  assert.equal(verify(good, message, signer.publicKey), true)
})

test('the fallback remembers few keys', () => {
  const verify = nodeVerify(2)
  for (let seed = 1; seed < 7; seed++) {
    const other = signerOf(seed)
    assert.equal(verify(other.signBytes(message), message, other.publicKey), true)
    assert.equal(verify(good, message, other.publicKey), false)
  }
})

test('the fallback imports a key once, until it knows too many', () => {
  const importing = mock.method(crypto, 'createPublicKey')
  syncBuiltinESMExports()
  const verify = nodeVerify(2)
  const imports = [1, 2, 1, 2, 3, 3, 1].map((seed) => {
    const other = signerOf(seed)
    const signature = other.signBytes(message)
    const before = importing.mock.callCount()
    assert.equal(verify(signature, message, other.publicKey), true)
    return importing.mock.callCount() - before
  })
  importing.mock.restore()
  syncBuiltinESMExports()
  assert.deepEqual(imports, [1, 1, 0, 0, 1, 0, 1])
})

test('the order of the group is the first scalar too large', () => {
  for (const S of [0n, 1n, groupOrder - 1n, 2n ** 252n, groupOrder - 2n ** 64n]) {
    assert.equal(isBelowOrder(littleEndian(S)), true)
  }
  for (const S of [groupOrder, groupOrder + 1n, groupOrder + 2n ** 64n, 2n ** 256n - 1n]) {
    assert.equal(isBelowOrder(littleEndian(S)), false)
  }
})
