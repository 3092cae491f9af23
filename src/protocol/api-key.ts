// The format of an API config key: an identifier of 8 base58 characters, `_`, and the base58 of 16
// random bytes. The masked form shows only the identifier.

import { base58Alphabet, decodeBase58 } from './base58.ts'

export const apiKeyPrefixLength = 8
export const apiKeySecretSize = 16

const prefixShape = new RegExp(`^[${base58Alphabet}]{${apiKeyPrefixLength}}$`)
/** Asterisks, because a masked key may appear in a signed body, which is ASCII. */
const mask = '*'.repeat(22)

export type ApiKeyName = Readonly<{
  prefix: string
  /** Whether the complete key was given, so that its secret has to be checked. */
  whole: boolean
}>

export function isApiKeyPrefix(text: string): boolean {
  return prefixShape.test(text)
}

/** The prefix of a key; `null` if the text is not a key. */
export function apiKeyPrefixOf(key: string): string | null {
  const prefix = key.slice(0, apiKeyPrefixLength)
  if (!isApiKeyPrefix(prefix) || key[apiKeyPrefixLength] !== '_') return null
  const secret = decodeBase58(key.slice(apiKeyPrefixLength + 1), apiKeySecretSize)
  return secret === null ? null : prefix
}

export function maskApiKey(prefix: string): string {
  return `${prefix}_${mask}`
}

/** Parses the name of a key in a revocation: the key, its prefix, or its masked form. */
export function parseApiKeyName(text: string): ApiKeyName | null {
  const prefix = text.slice(0, apiKeyPrefixLength)
  if (!isApiKeyPrefix(prefix)) return null
  if (text === prefix || text === maskApiKey(prefix)) return { prefix, whole: false }
  return apiKeyPrefixOf(text) === null ? null : { prefix, whole: true }
}
