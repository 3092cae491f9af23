// Addresses for accounts without a signer: the exchange's own accounts, the backstops, the bots.
// Each is the base58 of the SHA-256 of a label, which anyone can check. An address is a public key,
// and no private key for a given hash can be found.

import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

export function ownerlessAddress(label: string): string {
  return base58.encode(createHash('sha256').update(`openperp ${label}`).digest())
}
