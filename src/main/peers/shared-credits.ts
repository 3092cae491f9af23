// Credits belong to an address or a key, across all gateways. Each gateway reports its spending to
// the others through the leader. The reports arrive some milliseconds later, so a client with
// connections to all gateways can overdraw by what it spends in that time.

import { RateLimit, type Spent } from '../../gateway/limits/rate-limit.ts'

const reportMs = 5
/** If more buckets than this have changed, they are sent immediately. */
const bucketsMax = 10_000

export type SharedCredits = Readonly<{
  limit: RateLimit
  heard(spent: readonly Spent[]): void
}>

export function sharedCredits(
  creditsPerIp: number,
  report: (spent: readonly Spent[]) => void,
): SharedCredits {
  const gathered = new Map<string, Spent>()
  let timer: NodeJS.Timeout | null = null
  const reportGathered = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    report([...gathered.values()])
    gathered.clear()
  }
  const onSpent = ([pool, key, tenths]: Spent) => {
    const name = `${pool} ${key}`
    gathered.set(name, [pool, key, tenths + (gathered.get(name)?.[2] ?? 0)])
    timer ??= setTimeout(reportGathered, reportMs).unref()
    if (gathered.size >= bucketsMax) reportGathered()
  }
  const limit = new RateLimit({ creditsPerIp, onSpent })
  return {
    limit,
    heard(spent) {
      const nowMs = Date.now()
      for (const each of spent) limit.heard(each, nowMs)
    },
  }
}
