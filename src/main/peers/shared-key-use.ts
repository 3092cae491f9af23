// Last use of API keys, shared by all gateways: each reports to the leader from time to time which
// keys it saw, and gets those of the others.

import { keyUseMemory } from '../../gateway/auth/key-use.ts'
import type { KeyUse } from '../../gateway/exchange.ts'

/** Prefix and time of the newest use. */
export type KeysUsed = readonly (readonly [string, number])[]

const reportMs = 500
/** Maximum number in one report; the rest is dropped, because it is only informational. */
const reportedMax = 10_000

export type SharedKeyUse = KeyUse & Readonly<{ heard(used: KeysUsed): void }>

export function sharedKeyUse(report: (used: KeysUsed) => void): SharedKeyUse {
  const memory = keyUseMemory()
  const fresh = new Map<string, number>()
  const reportFresh = () => {
    report([...fresh])
    fresh.clear()
  }
  return {
    lastUsedAt: (prefix) => memory.lastUsedAt(prefix),
    used(prefix, atMs) {
      memory.used(prefix, atMs)
      if (fresh.size === 0) setTimeout(reportFresh, reportMs).unref()
      if (fresh.size < reportedMax) fresh.set(prefix, atMs)
    },
    heard(used) {
      for (const [prefix, atMs] of used)
        if (atMs > (memory.lastUsedAt(prefix) ?? 0)) memory.used(prefix, atMs)
    },
  }
}
