// A client's side of signing for tests: keys from small numbers, and signatures by Node's own
// library, which is not the one that the exchange verifies with.

import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { base58 } from '@scure/base'

export type Signer = Readonly<{
  seed: Uint8Array
  publicKey: Uint8Array
  address: string
  signBytes(message: string | Uint8Array): Uint8Array
  /** As base58. */
  sign(message: string | Uint8Array): string
}>

/** What stands before the 32 bytes of a seed in PKCS 8. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

export function signerOf(seedByte: number): Signer {
  const seed = new Uint8Array(32).fill(seedByte)
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Head, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = publicKeyOf(key)
  const signBytes = (message: string | Uint8Array) => sign(null, Buffer.from(message), key)
  return {
    seed,
    publicKey,
    address: base58.encode(publicKey),
    signBytes,
    sign: (message) => base58.encode(signBytes(message)),
  }
}

function publicKeyOf(key: KeyObject): Uint8Array {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return new Uint8Array(Buffer.from(x!, 'base64url'))
}
