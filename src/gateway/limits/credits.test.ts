import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Credits } from './credits.ts'

const start = 1_716_200_000_000

/** The same by a list of spendings. */
class NaiveCredits {
  private readonly spendings: { key: string; second: number; cost: number }[] = []

  take(key: string, limit: number, cost: number, nowMs: number) {
    const now = Math.floor(nowMs / 1000)
    const live = this.spendings.filter((each) => each.key === key && each.second > now - 60)
    const spentAfter = (seconds: number) =>
      live.reduce((sum, each) => sum + (each.second > now + seconds - 60 ? each.cost : 0), 0)
    const spent = spentAfter(0)
    const ok = spent + cost <= limit
    if (ok) live.push(this.spend(key, now, cost))
    const seconds = Array.from({ length: 60 }, (_, n) => n + 1)
    const total = spentAfter(0)
    return {
      ok,
      remaining: Math.max(0, limit - total),
      resetSeconds: seconds.find((later) => spentAfter(later) < total) ?? 60,
      retryAfterSeconds: ok
        ? 0
        : (seconds.find((later) => spentAfter(later) + cost <= limit) ?? 60),
    }
  }

  private spend(key: string, second: number, cost: number) {
    const spending = { key, second, cost }
    this.spendings.push(spending)
    return spending
  }
}

// A small limit and steps around a second and around the window, so that refusals and the leaving
// of cells are common; a few buckets that come, go idle and are swept.
const steps = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    limit: fc.constantFrom(100, 100, 100, 300),
    cost: fc.constantFrom(5, 10, 30, 120),
    afterMs: fc.constantFrom(0, 0, 1, 500, 999, 1_000, 7_300, 58_999, 59_000, 60_000, 61_000),
  }),
  { maxLength: 80 },
)

test('takes exactly as much as a list of spendings would', () => {
  let refused = 0
  fc.assert(
    fc.property(steps, (all) => {
      const credits = new Credits({ bucketsMax: 5 })
      const naive = new NaiveCredits()
      let now = start
      for (const { key, limit, cost, afterMs } of all) {
        now += afterMs
        const taken = credits.take(key, limit, cost, now)
        assert.deepEqual(taken, naive.take(key, limit, cost, now))
        if (!taken.ok) refused += 1
      }
    }),
    { numRuns: 500 },
  )
  assert.ok(refused > 100)
})

test('a refused request costs nothing', () => {
  const credits = new Credits()
  assert.ok(credits.take('a', 100, 100, start).ok)
  for (let n = 0; n < 1_000; n++) assert.equal(credits.take('a', 100, 10, start + n).ok, false)
  const refused = credits.take('a', 100, 10, start + 59_999)
  assert.deepEqual(refused, { ok: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 })
  assert.ok(credits.take('a', 100, 100, start + 60_000).ok)
})

test('a clock that steps back brings nothing back', () => {
  const credits = new Credits()
  credits.take('a', 100, 100, start)
  for (const back of [1_000, 60_000, 1e9]) {
    assert.equal(credits.take('a', 100, 10, start - back).ok, false)
  }
})

test('however many come, the number of buckets is bounded and no debt is lost', () => {
  const credits = new Credits({ bucketsMax: 100, sharedBuckets: 4 })
  for (let n = 0; n < 100; n++) assert.ok(credits.take(`old ${n}`, 100, 100, start).ok)
  let granted = 0
  for (let n = 0; n < 50_000; n++) {
    if (credits.take(`new ${n}`, 100, 10, start + 1_000).ok) granted += 1
    assert.ok(credits.size <= 100)
  }
  assert.equal(granted, 4 * 10)
  for (let n = 0; n < 100; n++) {
    assert.equal(credits.take(`old ${n}`, 100, 10, start + 2_000).ok, false)
  }
})

test('buckets that owe nothing make room', () => {
  const credits = new Credits({ bucketsMax: 100, sharedBuckets: 1 })
  for (let minute = 0; minute < 5; minute++) {
    for (let n = 0; n < 100; n++) {
      const now = start + minute * 61_000 + n
      assert.ok(credits.take(`${minute} ${n}`, 100, 100, now).ok, `${minute} ${n}`)
    }
    assert.equal(credits.size, 100)
  }
})

test('idle buckets are swept while others trade', () => {
  const credits = new Credits()
  for (let n = 0; n < 500; n++) credits.take(`${n}`, 100, 10, start)
  assert.equal(credits.size, 500)
  for (let n = 0; n < 500; n++) credits.take('busy', 1e6, 10, start + 61_000 + n)
  assert.equal(credits.size, 1)
})

test('refunded credits can be spent again, the newest first', () => {
  const credits = new Credits()
  credits.take('a', 100, 60, start)
  credits.take('a', 100, 40, start + 5_000)
  credits.take('b', 100, 100, start)
  credits.giveBack('a', 50)
  assert.ok(credits.take('a', 100, 50, start + 6_000).ok)
  assert.equal(credits.take('a', 100, 10, start + 6_000).ok, false)
  assert.equal(credits.take('b', 100, 10, start + 6_000).ok, false)
  // Of the first second 50 are left, of the sixth none.
  assert.equal(credits.take('a', 100, 51, start + 60_000).ok, false)
  assert.ok(credits.take('a', 100, 50, start + 60_000).ok)
  credits.giveBack('never seen', 10)
  assert.equal(credits.take('never seen', 100, 100, start + 60_000).remaining, 0)
})
