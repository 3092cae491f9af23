// Addresses for accounts without a signer: the exchange's own, the backstops, the bots. Each is the
// base58 of the SHA-256 of a label. An address is a public key, and a private key for a given hash
// cannot be found; anyone can check the label.

import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

export function ownerlessAddress(label: string): string {
  return base58.encode(createHash('sha256').update(`openperp ${label}`).digest())
}
