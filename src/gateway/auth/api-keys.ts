// API config keys, derived here from a secret of the exchange and stored as a digest. A key has 122
// random bits, so that a plain hash of it cannot be reversed by search.

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
  /** The account's id in the core. */
  account: number
  /** Credits; 0 for the default of an address. */
  credits: number
  /** Bucket of the account that it spends. */
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

/** The bytes of a version 4 UUID. A prefix has one length, so that no two pairs are one text. */
function derivedUuid(secret: Uint8Array, address: string, prefix: string): Uint8Array {
  const derived = createHmac('sha256', secret).update(address).update(prefix).digest()
  const bytes = derived.subarray(0, apiKeySecretSize)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes
}

/** SHA-256 of the whole key as 43 characters of base64url. */
export function apiKeyDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** The key in a request's header; `null` if it does not exist, or no longer. */
export function findApiKey({ accounts }: ExchangeView, key: string): FoundApiKey | null {
  const prefix = apiKeyPrefixOf(key)
  if (prefix === null) return null
  const kept = accounts.apiKeyOf(prefix)
  if (kept === null || !isSame(kept.digest, apiKeyDigest(key))) return null
  const { account, credits, bucket } = kept
  return { prefix, account, credits, bucket }
}

/** The prefix of the account's own key that a revoke names; null: it has no such key. */
export function findRevocable(view: ExchangeView, account: number, text: string): string | null {
  const name = parseApiKeyName(text)
  if (name === null || view.accounts.apiKeyOf(name.prefix)?.account !== account) return null
  return !name.whole || findApiKey(view, text) !== null ? name.prefix : null
}

/** Constant-time comparison. */
function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
