// How far back history lets a reader resume: up to 2,000 events of the channel, at any age.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedContext } from '../feed-context.ts'
import { pastFills, pastTwaps, type ReadPast } from './past-facts.ts'
import { pastOrders } from './past-orders.ts'

const dayMs = 86_400_000
const until = 10_000

/** History with this many rows, newest first; the oldest are a month older than the newest. */
function contextWith(rows: number, late = false): FeedContext {
  const all = Array.from({ length: rows }, (_, at) => ({
    ...{ seq: until - at, atMs: (30 * dayMs * (rows - at)) / rows, late, createdAt: 0 },
    ...{ event: 'make', orderType: 'limit', market: 1, filledBefore: null, waiting: 'none' },
  }))
  const read = async ({ limit }: { limit: number }) => all.slice(0, limit)
  const past = Object.fromEntries(
    ['fillsAfter', 'orderStepsAfter', 'twapsAfter'].map((kind) => [kind, read]),
  )
  const view = { accounts: { idOf: () => 1 }, markets: { get: () => ({ unitValue: 1 }) } }
  return { view, history: { past } } as unknown as FeedContext
}

const readers: readonly (readonly [string, ReadPast, boolean])[] = [
  ['fills', pastFills, false],
  ['steps of orders', pastOrders, false],
  ['releases of orders', pastOrders, true],
  ['TWAPs', pastTwaps, false],
]

for (const [what, read, late] of readers)
  test(`2,000 ${what} can be resumed however old they are, and one more cannot`, async () => {
    const query = { address: 'a', from: 0, until, sinceMs: null }
    const facts = await read(contextWith(2_000, late), query)
    assert.equal(facts?.length, 2_000)
    assert.ok(facts[0]!.seq < facts.at(-1)!.seq, 'oldest first')
    assert.equal(await read(contextWith(2_001, late), query), null)
  })
