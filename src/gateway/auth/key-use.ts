// When API keys were last used. Kept in bounded memory and not stored, because nothing depends on
// it.

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
