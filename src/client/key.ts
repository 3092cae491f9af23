// A key that signs: its address, and a signature over a text. Made of a secret here; a wallet, a
// hardware device or a signing process elsewhere brings its own `Signer`.

import { keyPairOf } from '#ed25519'
import { decodeBase58, encodeBase58 } from '../protocol/base58.ts'

/** A key that signs: made here, or a wallet, a hardware device or another process. */
export type Signer = Readonly<{
  /** Base58 of the public key: the account, or the agent. */
  address: string
  /** The Ed25519 signature over `bytes`: 64 bytes, or their base58. The bytes are those of the
   *  text, or of its off-chain form when `hardware` says so. */
  sign(text: string, bytes: Uint8Array): Promise<string | Uint8Array> | string | Uint8Array
  /** A hardware wallet, which signs the text in the off-chain form of Solana. */
  hardware?: boolean
}>

/** A key whose secret is here. */
export type Key = Readonly<{
  /** Base58 of the public key: the account, or the agent. */
  address: string
  /** Base58 of seed and public key, 64 bytes, as wallets export it. */
  secret: string
  /** Returns the signature over the text, in base58. */
  sign(text: string): string
}>

const seedSize = 32
const encoder = new TextEncoder()

/** Makes a key from the machine's randomness. */
export function newKey(): Key {
  return keyOfSeed(crypto.getRandomValues(new Uint8Array(seedSize)))
}

/** Makes the key of a secret: base58 of the 32 bytes of a seed, or of the 64 bytes that Solana
 *  wallets export.
 *  @throws {Error} It is neither. */
export function keyOfSecret(secret: string): Key {
  const bytes = decodeBase58(secret, 2 * seedSize) ?? decodeBase58(secret, seedSize)
  if (bytes === null)
    throw new Error(
      'a secret key is the base58 of 32 bytes (seed) or 64 bytes (seed and public key)',
    )
  const key = keyOfSeed(bytes.subarray(0, seedSize))
  // The second half of a wallet is the public key; another means a secret that was cut or mixed.
  if (bytes.length > seedSize && key.secret !== secret)
    throw new Error(
      'the public key in this secret key does not match its seed; was the key cut or mixed up?',
    )
  return key
}

/** Makes the key of a seed of 32 bytes.
 *  @throws {Error} It has another length. */
export function keyOfSeed(seed: Uint8Array): Key {
  if (seed.length !== seedSize) throw new Error(`a seed has ${seedSize} bytes, not ${seed.length}`)
  const { publicKey, sign } = keyPairOf(seed)
  const whole = new Uint8Array(2 * seedSize)
  whole.set(seed)
  whole.set(publicKey, seedSize)
  return {
    address: encodeBase58(publicKey),
    secret: encodeBase58(whole),
    sign: (text) => encodeBase58(sign(encoder.encode(text))),
  }
}
