// What a read node may report without a signature of a client: spent credits and used keys. Reports
// are bounded, so that a node that lies can neither give credits to anyone, nor take more from
// anyone than an honest node could.

import type { ExchangeView } from '../../core/index.ts'
import { mostSpent, poolOf, type Spent } from '../../gateway/limits/rate-limit.ts'
import type { KeysUsed } from '../peers/shared-key-use.ts'

export type ReaderReportsParts = Readonly<{
  view: () => ExchangeView
  creditsPerIp: number
  now: () => number
}>

/** Maximum number of rows of one report, and of buckets that are remembered. */
const rowsMax = 20_000
const bucketsMax = 100_000
const windowMs = 60_000
const keyMax = 64

export class ReaderReports {
  private readonly parts: ReaderReportsParts
  /** What the node has reported in this window, by bucket. */
  private readonly net = new Map<string, number>()
  private windowAt = 0

  constructor(parts: ReaderReportsParts) {
    this.parts = parts
  }

  /** Returns the rows about existing keys. A time is never in the future. */
  keysUsed(said: unknown): KeysUsed {
    const { view, now } = this.parts
    const { accounts } = view()
    return rowsOf(said).flatMap(([prefix, atMs]) => {
      if (typeof prefix !== 'string' || !Number.isSafeInteger(atMs)) return []
      if (accounts.apiKeyOf(prefix) === null) return []
      return [[prefix, Math.min(atMs as number, now())] as const]
    })
  }

  /** Returns the rows with amounts within the bounds: refunds only of what the node has reported
   *  before, and not more in a minute than its bucket can pay. */
  spent(said: unknown): readonly Spent[] {
    const now = this.parts.now()
    if (now - this.windowAt >= windowMs || now < this.windowAt) {
      this.windowAt = now
      this.net.clear()
    }
    return rowsOf(said).flatMap(([poolName, key, tenths]) => {
      const pool = poolOf(poolName)
      if (pool === null || typeof key !== 'string' || key.length > keyMax) return []
      if (!Number.isSafeInteger(tenths)) return []
      const bucket = `${pool} ${key}`
      if (!this.net.has(bucket) && this.net.size >= bucketsMax) return []
      const before = this.net.get(bucket) ?? 0
      const most = this.mostOf(pool, key)
      const after = Math.min(most, Math.max(0, before + (tenths as number)))
      if (after === before) return []
      this.net.set(bucket, after)
      return [[pool, key, after - before] as const]
    })
  }

  private mostOf(pool: Spent[0], key: string): number {
    const { creditsPerIp, view } = this.parts
    if (pool !== 'perKey') return mostSpent(pool, creditsPerIp)
    const account = Number.parseInt(key, 10)
    const { accounts } = view()
    if (!(account >= 1 && account <= accounts.count)) return 0
    const own = accounts.apiKeysOf(account).map(({ credits }) => credits)
    return mostSpent(pool, Math.max(creditsPerIp, ...own))
  }
}

function rowsOf(said: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(said) ? said.slice(0, rowsMax).filter(Array.isArray) : []
}
