// Addresses that stand in a request.

import { parseAddress } from '../../protocol/address.ts'
import { apiError } from '../api-error.ts'

/** The address itself, or an error that names the field. */
export function addressIn(field: string, text: string): string {
  if (parseAddress(text) !== null) return text
  throw apiError('INVALID_ADDRESS', `Invalid public key in ${field}: ${text.slice(0, 64)}`)
}
