// Addresses in requests.

import { parseAddress } from '../protocol/address.ts'
import { sandboxAddresses } from '../protocol/auth/sandbox-addresses.ts'
import { apiError } from './api-error.ts'
import type { Exchange } from './exchange.ts'

/** The text itself is not repeated: clients choose their error class by words in a message. */
const addressForm = 'an address is the base58 of a 32-byte Ed25519 public key'

/** The address itself, or an error that names the field. */
export function addressIn(field: string, text: string): string {
  if (parseAddress(text) !== null) return text
  throw apiError('INVALID_ADDRESS', `Invalid public key in ${field}: ${addressForm}`)
}

/** A key of the sandbox is in the documentation: at a venue anyone could sign with it. */
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

/** An address that gets money, rights or a role. */
export function ownAddressIn(
  { settings }: Pick<Exchange, 'settings'>,
  field: string,
  text: string,
): string {
  requireUnpublished(settings.mode, field, addressIn(field, text))
  return text
}
