import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ManualTime } from '../../../test/support/manual-time.ts'
import { MemorySequencer } from '../../../test/support/memory-sequencer.ts'
import { VenueClock } from '../clock.ts'
import { openingCommands, standardGenesis } from '../sandbox-markets.ts'
import { combined, type Quotation } from './combined.ts'
import { PriceFeed } from './price-feed.ts'

const now = 1_750_000_000_000
const at = (price: number, weight = 1, ageMs = 0): Quotation => ({
  price,
  weight,
  receivedAt: now - ageMs,
  observedAt: now - ageMs - 100,
})

const of = (quotations: readonly Quotation[], minSources = 2) =>
  combined(quotations, now, minSources)?.price ?? null

test('fewer fresh sources than the market requires are none', () => {
  assert.equal(of([]), null)
  assert.equal(of([at(100)]), null)
  assert.equal(of([at(100)], 1), 100)
  assert.equal(of([at(100), at(102)]), 101)
  assert.equal(of([at(100), at(100)], 3), null)
})

test('of two the middle counts, whatever their weights', () => {
  assert.equal(of([at(10_000), at(10_201)]), 10_100)
  assert.equal(of([at(10_000, 5), at(10_201, 1)]), 10_100)
})

test('two that differ by more than 3 % are none', () => {
  assert.equal(of([at(10_000), at(10_300)]), 10_150)
  assert.equal(of([at(10_000), at(10_301)]), null)
  assert.equal(of([at(10_000), at(10_301)], 1), null)
})

test('a source older than five seconds does not count', () => {
  assert.equal(of([at(100, 1, 5_000), at(100)]), 100)
  assert.equal(of([at(100, 1, 5_001), at(100)]), null)
})

test('of three none is dropped, and one wrong source does not move the median', () => {
  for (const wrong of [1, 50, 105, 200, 10 ** 15]) {
    const price = of([at(wrong), at(100), at(101)])
    assert.ok(price === 100 || price === 101, `${wrong}`)
  }
  assert.equal(of([at(100), at(101), at(200), at(201)]), 101)
})

test('the lowest price at which half the weight is reached', () => {
  assert.equal(of([at(100, 1), at(101, 1), at(102, 2)]), 101)
  assert.equal(of([at(100, 1), at(101, 1), at(102, 3)]), 102)
  assert.equal(of([at(100, 2), at(101, 1), at(102, 1)]), 100)
})

test('zero, negative and malformed numbers are not prices', () => {
  for (const price of [0, -100, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 10 ** 15 + 1])
    assert.equal(of([at(price), at(100)]), null, `${price}`)
})

// Prices close together, so that both sides of 3 % are common.
const quotation = fc.record({
  price: fc.integer({ min: 9_500, max: 10_500 }),
  weight: fc.integer({ min: 1, max: 4 }),
  receivedAt: fc.integer({ min: now - 7_000, max: now }),
  observedAt: fc.integer({ min: now - 9_000, max: now - 100 }),
})
const isFresh = ({ receivedAt }: Quotation) => now - receivedAt <= 5_000

test('the order of sources means nothing, and the price is one that a fresh source said', () => {
  const shuffled = fc
    .array(quotation, { maxLength: 7 })
    .chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
      ),
    )
  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      const price = of(all)
      assert.equal(of(other), price)
      const fresh = all.filter(isFresh)
      if (price === null || fresh.length === 2) return
      assert.ok(fresh.some((each) => each.price === price))
    }),
  )
})

test('a price is as new as more than half of the weight that counts', () => {
  const observedAt = (...each: readonly (readonly [ageMs: number, weight: number])[]) => {
    const all = each.map(([ageMs, weight]) => ({ ...at(100, weight), observedAt: now - ageMs }))
    return now - combined(all, now, 1)!.observedAt
  }
  assert.equal(observedAt([700, 1]), 700)
  assert.equal(observedAt([100, 1], [700, 1]), 700)
  assert.equal(observedAt([100, 9], [700, 1]), 700, 'of two both')
  assert.equal(observedAt([100, 1], [700, 1], [400, 1]), 400)
  assert.equal(observedAt([100, 1], [700, 1], [400, 1], [500, 1]), 500)
  assert.equal(observedAt([100, 2], [700, 2], [400, 1]), 400)
})

test('no newer time is reached by more than half of the weight, and this one is', () => {
  fc.assert(
    fc.property(fc.array(quotation, { minLength: 3, maxLength: 7 }), (all) => {
      const fresh = all.filter(isFresh)
      const found = combined(all, now, 1)
      if (found === null || fresh.length < 3) return
      const weightOf = (some: readonly Quotation[]) =>
        some.reduce((sum, { weight }) => sum + weight, 0)
      const since = (time: number) =>
        weightOf(fresh.filter(({ observedAt }) => observedAt >= time)) * 2 > weightOf(fresh)
      assert.ok(since(found.observedAt) && !since(found.observedAt + 1))
    }),
  )
})

test('a lying minority cannot move the price out of the honest range', () => {
  // Fewer liars than honest ones, saying anything.
  const honest = fc.array(fc.integer({ min: 10_000, max: 10_300 }), { minLength: 3, maxLength: 4 })
  const scene = honest.chain((prices) =>
    fc.tuple(
      fc.constant(prices),
      fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: prices.length - 1 }),
    ),
  )
  fc.assert(
    fc.property(scene, ([prices, lies]) => {
      const price = of([...prices, ...lies].map((each) => at(each)))
      assert.ok(price !== null, 'the honest ones suffice')
      assert.ok(price >= Math.min(...prices) && price <= Math.max(...prices), `${price}`)
    }),
    { numRuns: 2_000 },
  )
})

async function venue() {
  const time = new ManualTime(now)
  const clock = new VenueClock(time.wall, 0)
  const exchange = new MemorySequencer(standardGenesis, () => clock)
  await Promise.all(openingCommands().map((command) => exchange.submit(command)))
  const fault = (error: unknown) => {
    throw error
  }
  const weights = new Map([
    ['one', 1],
    ['two', 1],
  ])
  const feed = new PriceFeed({
    ...{ exchange, wall: time.wall, monotonic: time.wall, weights, fault, timers: time.timers },
    engineNow: () => clock.now(),
  })
  feed.start()
  return { time, exchange, feed, market: exchange.state.markets[1]! }
}

/** Observed this very moment, less what clocks may differ. */
const seen = { ageMs: 100, isTimed: true }

/** Both sources say this now. */
function agree(feed: PriceFeed, price: number, market = 1): void {
  assert.equal(feed.push('one', market, price, seen), 'taken')
  assert.equal(feed.push('two', market, price, seen), 'taken')
}

test('the first five ticks come 250 ms apart, the others every three seconds', async () => {
  const { time, exchange, feed, market } = await venue()
  const before = exchange.seq
  const { oracle } = market
  assert.equal(feed.push('one', 1, oracle, seen), 'taken')
  await time.pass(3_000)
  assert.equal(exchange.seq, before, 'one source is none')
  agree(feed, oracle)
  const at: number[] = []
  for (let ms = 0; ms < 8_000; ms += 50) {
    const seq = exchange.seq
    await time.pass(50)
    if (exchange.seq > seq) at.push(ms + 50)
    if (ms % 1_000 === 0) agree(feed, oracle)
  }
  assert.deepEqual(at, [50, 250, 500, 750, 1_000, 4_000, 7_000])
  feed.close()
  await time.pass(3_000)
  assert.equal(exchange.seq, before + 7)
})

test('a shorter staleAfterMs has its ticks at two thirds of it', async () => {
  const { time, exchange, feed, market } = await venue()
  const change = { staleAfterMs: 1_000 }
  await exchange.submit({ type: 'ChangeMarket', market: market.id as never, change })
  agree(feed, market.oracle)
  await time.pass(0)
  await time.pass(1_000)
  agree(feed, market.oracle)
  const before = exchange.seq
  await time.pass(665)
  assert.equal(exchange.seq, before)
  await time.pass(1)
  assert.equal(exchange.seq, before + 1)
})

test('a move of 0.25 % becomes a tick immediately, at least 100 ms apart', async () => {
  const { time, exchange, feed, market } = await venue()
  const { oracle } = market
  agree(feed, oracle)
  await time.pass(0)
  await time.pass(2_000)
  const before = exchange.seq
  agree(feed, oracle + Math.ceil(oracle / 400) - 1)
  await time.pass(0)
  assert.equal(exchange.seq, before)
  const moved = oracle + Math.ceil(oracle / 400)
  feed.push('one', 1, moved, seen)
  feed.push('two', 1, moved, seen)
  await time.pass(0)
  assert.equal(exchange.seq, before + 1)
  assert.equal(market.oracle, moved)
  agree(feed, oracle - Math.ceil(oracle / 400))
  await time.pass(99)
  assert.equal(exchange.seq, before + 1)
  await time.pass(1)
  assert.equal(exchange.seq, before + 2)
})

test('a fault of a source takes its price away', async () => {
  const { time, exchange, feed, market } = await venue()
  const before = exchange.seq
  feed.push('one', 1, market.oracle, seen)
  assert.equal(feed.push('two', 1, 0, seen), 'invalid_price')
  assert.equal(feed.push('three', 1, market.oracle, seen), 'unknown_source')
  assert.equal(feed.push('one', 99, market.oracle, seen), 'unknown_market')
  await time.pass(3_000)
  assert.equal(exchange.seq, before)
})

test('prices are reported by source and by market, also when they count no more', async () => {
  const { time, feed, market } = await venue()
  const { oracle } = market
  agree(feed, oracle)
  feed.push('two', 1, 0, seen)
  feed.push('two', 99, oracle, seen)
  feed.push('one', 2, 5, { ageMs: 700, isTimed: false })
  const taken = { weight: 1, takenAtMs: now }
  assert.deepEqual(feed.sourceCounts(), [
    { source: 'one', ...taken, taken: 2, refused: 0 },
    { source: 'two', ...taken, taken: 1, refused: 2 },
  ])
  await time.pass(5_001)
  agree(feed, oracle + 1)
  const [first, second, third] = feed.marketWords()
  const ages = { ageMs: 0, observedAgeMs: 100, isTimed: true }
  const fresh = { weight: 1, price: oracle + 1, ...ages, isFresh: true }
  const words = [
    { source: 'one', ...fresh },
    { source: 'two', ...fresh },
  ]
  assert.deepEqual(first, { market: 1, price: oracle + 1, latencyMs: null, words })
  const ofOld = { ageMs: 5_001, observedAgeMs: 5_701, isTimed: false }
  const old = { weight: 1, price: 5, ...ofOld, isFresh: false }
  const none = { price: null, latencyMs: null }
  assert.deepEqual(second, { market: 2, ...none, words: [{ source: 'one', ...old }] })
  assert.deepEqual(third, { market: 3, ...none, words: [] })
})
