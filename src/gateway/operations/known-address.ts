// Addresses that stand in a request.

import { parseAddress } from '../../protocol/address.ts'
import { apiError } from '../api-error.ts'

/** The text itself is not repeated: clients choose their error class by words in a message. */
const addressForm = 'an address is the base58 of a 32-byte Ed25519 public key'

/** The address itself, or an error that names the field. */
export function addressIn(field: string, text: string): string {
  if (parseAddress(text) !== null) return text
  throw apiError('INVALID_ADDRESS', `Invalid public key in ${field}: ${addressForm}`)
}
