// Last use of API keys. Kept in bounded memory, because it is only informational.

import type { KeyUse } from '../exchange.ts'

export function keyUseMemory(prefixesMax = 100_000): KeyUse {
  const seen = new Map<string, number>()
  return {
    lastUsedAt: (prefix) => seen.get(prefix) ?? null,
    used(prefix, atMs) {
      if (seen.size >= prefixesMax && !seen.has(prefix)) seen.clear()
      seen.set(prefix, atMs)
    },
  }
}
