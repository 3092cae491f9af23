import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ManualTime } from '../../../test/support/manual-time.ts'
import { MemorySequencer } from '../../../test/support/memory-sequencer.ts'
import { VenueClock } from '../clock.ts'
import { openingCommands, standardGenesis } from '../sandbox-markets.ts'
import { combined, PriceFeed, type Quotation } from './price-feed.ts'

const now = 1_750_000_000_000
const at = (price: number, weight = 1, ageMs = 0): Quotation => ({
  price,
  weight,
  atMs: now - ageMs,
})

test('one source is none, two that agree are a price', () => {
  assert.equal(combined([], now), null)
  assert.equal(combined([at(100)], now), null)
  assert.equal(combined([at(100), at(103)], now), 100)
})

test('two that differ by more than 3 % are none', () => {
  assert.equal(combined([at(10_000), at(10_300)], now), 10_000)
  assert.equal(combined([at(10_000), at(10_301)], now), null)
})

test('a source older than five seconds does not count', () => {
  assert.equal(combined([at(100, 1, 5_000), at(100)], now), 100)
  assert.equal(combined([at(100, 1, 5_001), at(100)], now), null)
})

test('one wrong source of three is dropped and does not take the good ones along', () => {
  for (const wrong of [1, 50, 105, 200, 10 ** 15])
    assert.equal(combined([at(wrong, 100), at(100), at(101)], now), 100, `${wrong}`)
})

test('two against two are none', () => {
  assert.equal(combined([at(100), at(101), at(200), at(201)], now), null)
})

test('the lowest price at which half the weight is reached', () => {
  assert.equal(combined([at(100, 1), at(101, 1), at(102, 2)], now), 101)
  assert.equal(combined([at(100, 1), at(101, 1), at(102, 3)], now), 102)
  assert.equal(combined([at(100, 2), at(101, 1), at(102, 1)], now), 100)
})

test('zero, negative and broken numbers are no prices', () => {
  for (const price of [0, -100, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 10 ** 15 + 1])
    assert.equal(combined([at(price), at(100)], now), null, `${price}`)
})

// Prices close together, so that both sides of 3 % are common.
const quotation = fc.record({
  price: fc.integer({ min: 9_500, max: 10_500 }),
  weight: fc.integer({ min: 1, max: 4 }),
  atMs: fc.integer({ min: now - 7_000, max: now }),
})

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
      const price = combined(all, now)
      assert.equal(combined(other, now), price)
      if (price === null) return
      assert.ok(all.some((each) => each.price === price && now - each.atMs <= 5_000))
    }),
  )
})

test('a minority that lies cannot move the price out of what the honest say', () => {
  // Honest ones within 3 % of each other, and fewer liars than honest ones, saying anything.
  const honest = fc.array(fc.integer({ min: 10_000, max: 10_300 }), { minLength: 2, maxLength: 4 })
  const scene = honest.chain((prices) =>
    fc.tuple(
      fc.constant(prices),
      fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: prices.length - 1 }),
    ),
  )
  fc.assert(
    fc.property(scene, ([prices, lies]) => {
      const price = combined(
        [...prices, ...lies].map((each) => at(each)),
        now,
      )
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
  const feed = new PriceFeed({ exchange, wall: time.wall, weights, fault, timers: time.timers })
  feed.start()
  return { time, exchange, feed, market: exchange.state.markets[1]! }
}

test('a venue ticks every three seconds while two sources push, and not on one', async () => {
  const { time, exchange, feed, market } = await venue()
  const before = exchange.seq
  assert.equal(feed.push('one', 1, market.oracle + 5_000_000, null), 'taken')
  await time.pass(3_000)
  assert.equal(exchange.seq, before)
  assert.equal(feed.push('one', 1, market.oracle + 5_000_000, null), 'taken')
  assert.equal(feed.push('two', 1, market.oracle + 6_000_000, market.oracle), 'taken')
  await time.pass(3_000)
  assert.equal(exchange.seq, before + 1)
  assert.equal(market.oracle, 105_005_000_000)
  assert.equal(market.external, 0)
  feed.close()
  await time.pass(3_000)
  assert.equal(exchange.seq, before + 1)
})

test('a fault of a source takes its price away', async () => {
  const { time, exchange, feed, market } = await venue()
  const before = exchange.seq
  feed.push('one', 1, market.oracle, null)
  feed.push('two', 1, market.oracle, null)
  assert.equal(feed.push('two', 1, 0, null), 'invalid_price')
  assert.equal(feed.push('three', 1, market.oracle, null), 'unknown_source')
  assert.equal(feed.push('one', 99, market.oracle, null), 'unknown_market')
  await time.pass(3_000)
  assert.equal(exchange.seq, before)
})

test('both perpetual prices make an external price', async () => {
  const { feed, market } = await venue()
  feed.push('one', 1, market.oracle, market.oracle + 7)
  feed.push('two', 1, market.oracle, market.oracle + 9)
  await feed.tick()
  assert.equal(market.external, market.oracle + 7)
})
