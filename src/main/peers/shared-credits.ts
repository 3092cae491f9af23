// Credits are an address's or a key's, wherever it connects: each gateway tells the others, through
// the leader, what was spent. They learn of it some milliseconds later; that is by how much
// somebody with connections to all of them can overdraw.

import { RateLimit, type Spent } from '../../gateway/limits/rate-limit.ts'

const tellMs = 5
/** More at a time are told at once. */
const bucketsMax = 10_000

export type SharedCredits = Readonly<{
  limit: RateLimit
  heard(spent: readonly Spent[]): void
}>

export function sharedCredits(
  creditsPerIp: number,
  tell: (spent: readonly Spent[]) => void,
): SharedCredits {
  const gathered = new Map<string, Spent>()
  let timer: NodeJS.Timeout | null = null
  const tellGathered = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    tell([...gathered.values()])
    gathered.clear()
  }
  const onSpent = ([pool, key, tenths]: Spent) => {
    const name = `${pool} ${key}`
    gathered.set(name, [pool, key, tenths + (gathered.get(name)?.[2] ?? 0)])
    timer ??= setTimeout(tellGathered, tellMs).unref()
    if (gathered.size >= bucketsMax) tellGathered()
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
