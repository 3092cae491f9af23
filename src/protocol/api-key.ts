// The text of an API config key: 8 characters of the base58 alphabet as identifier, `_`, and the
// base58 of 16 random bytes. The masked form shows the first part only.

import { base58Alphabet, decodeBase58 } from './base58.ts'

export const apiKeyPrefixLength = 8
export const apiKeySecretSize = 16

const prefixShape = new RegExp(`^[${base58Alphabet}]{${apiKeyPrefixLength}}$`)
/** Asterisks, because a masked key can be sent in a signed body, which is ASCII. */
const mask = '*'.repeat(22)

export type ApiKeyName = Readonly<{
  prefix: string
  /** Whether the whole key was given, so that its secret is checked. */
  whole: boolean
}>

export function isApiKeyPrefix(text: string): boolean {
  return prefixShape.test(text)
}

/** `null` if it cannot be a key. */
export function apiKeyPrefixOf(key: string): string | null {
  const prefix = key.slice(0, apiKeyPrefixLength)
  if (!isApiKeyPrefix(prefix) || key[apiKeyPrefixLength] !== '_') return null
  const secret = decodeBase58(key.slice(apiKeyPrefixLength + 1), apiKeySecretSize)
  return secret === null ? null : prefix
}

export function maskApiKey(prefix: string): string {
  return `${prefix}_${mask}`
}

/** How a revocation may name a key: the key, its prefix, its masked form. */
export function parseApiKeyName(text: string): ApiKeyName | null {
  const prefix = text.slice(0, apiKeyPrefixLength)
  if (!isApiKeyPrefix(prefix)) return null
  if (text === prefix || text === maskApiKey(prefix)) return { prefix, whole: false }
  return apiKeyPrefixOf(text) === null ? null : { prefix, whole: true }
}
