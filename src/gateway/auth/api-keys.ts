// API config keys. A key is derived from a secret of the exchange, and the state stores only its
// digest. A key has 122 random bits, so that a plain hash cannot be reversed by search.

import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { ExchangeView } from '../../core/index.ts'
import {
  apiKeyPrefixLength,
  apiKeyPrefixOf,
  apiKeySecretSize,
  parseApiKeyName,
} from '../../protocol/api-key.ts'
import { base58Alphabet, encodeBase58 } from '../../protocol/base58.ts'
import type { ApiKeyMaker } from '../exchange.ts'

export type FoundApiKey = Readonly<{
  prefix: string
  /** Id of the account in the core. */
  account: number
  /** Credits per minute; 0 for the default of an address. */
  credits: number
  /** The account's bucket from which the key spends credits. */
  bucket: number
}>

export function apiKeyMaker(secret: Uint8Array): ApiKeyMaker {
  const keyOf = (address: string, prefix: string) =>
    `${prefix}_${encodeBase58(derivedUuid(secret, address, prefix))}`
  return {
    make(address) {
      let prefix = ''
      while (prefix.length < apiKeyPrefixLength) prefix += base58Alphabet[randomInt(58)]
      const key = keyOf(address, prefix)
      return { key, prefix, digest: apiKeyDigest(key) }
    },
    whole(address, { prefix, digest }) {
      const key = keyOf(address, prefix)
      return isSame(apiKeyDigest(key), digest) ? key : null
    },
  }
}

/** The bytes of a version 4 UUID. All prefixes have the same length, so that different inputs
 *  cannot give the same text. */
function derivedUuid(secret: Uint8Array, address: string, prefix: string): Uint8Array {
  const derived = createHmac('sha256', secret).update(address).update(prefix).digest()
  const bytes = derived.subarray(0, apiKeySecretSize)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes
}

/** SHA-256 of the complete key as 43 characters of base64url. */
export function apiKeyDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** The API key in a request's header; `null` if it does not exist or was revoked. */
export function findApiKey({ accounts }: ExchangeView, key: string): FoundApiKey | null {
  const prefix = apiKeyPrefixOf(key)
  if (prefix === null) return null
  const kept = accounts.apiKeyOf(prefix)
  if (kept === null || !isSame(kept.digest, apiKeyDigest(key))) return null
  const { account, credits, bucket } = kept
  return { prefix, account, credits, bucket }
}

/** The prefix of the account's key that a revocation names; `null` if the account has no such
 *  key. */
export function findRevocable(view: ExchangeView, account: number, text: string): string | null {
  const name = parseApiKeyName(text)
  if (name === null || view.accounts.apiKeyOf(name.prefix)?.account !== account) return null
  return !name.whole || findApiKey(view, text) !== null ? name.prefix : null
}

/** Constant-time comparison. */
function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
