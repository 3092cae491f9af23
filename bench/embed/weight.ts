// Memory of exchanges that do nothing.

import type { createExchange as Create, EmbeddedExchange } from '../../src/embed/embed.ts'
import { collectGarbage } from '../options.ts'

export type Weight = Readonly<{ count: number; rss: number; heap: number; arrays: number }>

export function bytesOfMany(createExchange: typeof Create, count: number): Weight {
  const before = memory()
  const kept: EmbeddedExchange[] = []
  for (let at = 0; at < count; at++) kept.push(createExchange({ seed: at }))
  const after = memory()
  // Kept until here, or they would already be collected.
  if (kept.length !== count) throw new Error('exchanges are missing')
  const each = (of: (at: NodeJS.MemoryUsage) => number) => (of(after) - of(before)) / count
  return {
    count,
    rss: each(({ rss }) => rss),
    heap: each(({ heapUsed }) => heapUsed),
    arrays: each(({ external }) => external),
  }
}

function memory(): NodeJS.MemoryUsage {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage()
}
