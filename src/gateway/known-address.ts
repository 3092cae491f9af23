// Parses addresses in requests.

import { parseAddress } from '../protocol/address.ts'
import { sandboxAddresses } from '../protocol/auth/sandbox-addresses.ts'
import { apiError } from './api-error.ts'
import type { Exchange } from './exchange.ts'

/** Messages do not repeat the text itself, because clients choose their error class by words in
 *  the message. */
const addressForm = 'an address is the base58 of a 32-byte Ed25519 public key'

/** Returns the address; throws an error that names the field if it is invalid. */
export function addressIn(field: string, text: string): string {
  if (parseAddress(text) !== null) return text
  throw apiError('INVALID_ADDRESS', `Invalid public key in ${field}: ${addressForm}`)
}

/** The error for an address of a sandbox key, whose private key is published. At a venue anyone
 *  could sign with it. */
export function publishedKeyText(mode: 'sandbox' | 'venue', address: string): string | null {
  const name = mode === 'venue' ? sandboxAddresses.get(address) : undefined
  if (name === undefined) return null
  return `this is ${name} of every sandbox, whose secret is published; a venue accepts no such key`
}

export function requireUnpublished(
  mode: 'sandbox' | 'venue',
  field: string,
  address: string,
): void {
  const why = publishedKeyText(mode, address)
  if (why !== null) throw apiError('INVALID_ADDRESS', `Invalid public key in ${field}: ${why}`)
}

/** Parses an address that receives money, rights or a role. */
export function ownAddressIn(
  { settings }: Pick<Exchange, 'settings'>,
  field: string,
  text: string,
): string {
  requireUnpublished(settings.mode, field, addressIn(field, text))
  return text
}
