// A key that signs: its address, and a signature over a text. In Node it is made of a secret; a
// browser or a hardware wallet brings its own.

import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { decodeBase58, encodeBase58 } from '../protocol/base58.ts'

export type Signer = Readonly<{
  address: string
  /** Base58 of the Ed25519 signature over the text. */
  sign(text: string): Promise<string> | string
}>

export type Key = Signer & Readonly<{ secret: string }>

/** What a PKCS #8 file of an Ed25519 key has before its 32 bytes. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')
const seedSize = 32

export function newKey(): Key {
  return keyOfSeed(randomBytes(seedSize))
}

/** Base58 of the 32 bytes of a seed, or of the 64 bytes that Solana wallets export. */
export function keyOfSecret(secret: string): Key {
  const bytes = decodeBase58(secret, 2 * seedSize) ?? decodeBase58(secret, seedSize)
  if (bytes === null)
    throw new Error(
      'a secret key is the base58 of 32 bytes (seed) or 64 bytes (seed and public key)',
    )
  return keyOfSeed(bytes.subarray(0, seedSize))
}

export function keyOfSeed(seed: Uint8Array): Key {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Head, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = publicBytes(privateKey)
  return {
    address: encodeBase58(publicKey),
    secret: encodeBase58(Buffer.concat([seed, publicKey])),
    sign: (text) => encodeBase58(sign(null, Buffer.from(text), privateKey)),
  }
}

function publicBytes(privateKey: KeyObject): Buffer {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.from(x!, 'base64url')
}
