// Ed25519 where there is no Node: a browser, a worker. In JavaScript and not WebCrypto, which a
// page without TLS does not have, and which gives the address of a key only some time later.

import { ed25519 } from '@noble/curves/ed25519.js'
import type { KeyPair } from './key-pair.ts'

export function verify(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, bytes, publicKey)
  } catch {
    // Not a public key, or not a signature.
    return false
  }
}

export function keyPairOf(seed: Uint8Array): KeyPair {
  const kept = Uint8Array.from(seed)
  return {
    publicKey: ed25519.getPublicKey(kept),
    sign: (bytes) => ed25519.sign(bytes, kept),
  }
}
