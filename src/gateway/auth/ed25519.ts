// Verifies signatures with either of two libraries under the same rules: R + h·A is compared with
// S·B without the cofactor, S is below the order of the group, the public key is canonical, and
// neither the key nor R has small order. libsodium enforces these rules. OpenSSL lacks some of
// them, so that the fallback checks them itself.

import { createPublicKey, type KeyObject, verify as opensslVerify } from 'node:crypto'
import { createRequire } from 'node:module'
import { isPublicKey, isSmallOrder } from '../../protocol/address.ts'

export type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean

export const signatureSize = 64

/** Order of the base point, little-endian. */
const order = Uint8Array.from([
  0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
])

/** Newer versions of OpenSSL check this themselves, older ones do not. */
export function isBelowOrder(scalar: Uint8Array): boolean {
  for (let at = 31; at >= 0; at--) {
    if (scalar[at] !== order[at]) return scalar[at]! < order[at]!
  }
  return false
}

/** Loads libsodium if possible, otherwise the fallback. Prebuilt binaries do not exist for all
 *  platforms. */
export async function loadVerify(): Promise<Verify> {
  try {
    return await loadSodium()
  } catch {
    return nodeVerify()
  }
}

export async function loadSodium(): Promise<Verify> {
  // Loaded with `require`, because an import would make Node scan the file for export names in each
  // thread.
  const sodium: typeof import('sodium-native').default = createRequire(import.meta.url)(
    'sodium-native',
  )
  return (signature, message, publicKey) =>
    isPublicKey(publicKey) && sodium.crypto_sign_verify_detached(signature, message, publicKey)
}

/** Importing a key costs as much as verifying, so imported keys are cached. */
export function nodeVerify(keysMax = 4_096): Verify {
  const keys = new Map<string, KeyObject>()

  const keyOf = (publicKey: Uint8Array): KeyObject => {
    const x = Buffer.from(publicKey).toString('base64url')
    const known = keys.get(x)
    if (known !== undefined) return known
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    if (keys.size >= keysMax) keys.clear()
    keys.set(x, key)
    return key
  }

  return (signature, message, publicKey) =>
    isPublicKey(publicKey) &&
    isBelowOrder(signature.subarray(32)) &&
    // Non-canonical encodings of small-order points are rejected too, because R is compared as
    // bytes.
    !isSmallOrder(signature.subarray(0, 32)) &&
    opensslVerify(null, message, keyOf(publicKey), signature)
}
