// Last use of API keys, shared by all gateways. Each gateway periodically reports the keys that it
// saw to the leader, and receives the keys that other gateways saw.

import { keyUseMemory } from '../../gateway/auth/key-use.ts'
import type { KeyUse } from '../../gateway/exchange.ts'

/** Key prefixes, each with the time of its last use. */
export type KeysUsed = readonly (readonly [string, number])[]

const reportMs = 500
/** Maximum keys in one report. Further keys are dropped, because the report is only
 *  informational. */
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
