import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PriceSimulation } from './price-simulation.ts'

const start = 50_000_000_000
const atMs = 1_750_000_000_000
const dayMs = 86_400_000
const simulation = (seed: string, volatilityPpm = 900_000) =>
  new PriceSimulation(seed, volatilityPpm, start, atMs)

test('the path is the same however often it is read', () => {
  const pauses = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.string(), pauses, (seed, ms) => {
      const seldom = simulation(seed)
      const often = simulation(seed)
      let now = atMs
      for (const pause of ms) {
        for (let part = 1; part <= 4; part++) often.priceAt(now + Math.floor((pause * part) / 4))
        now += pause
        assert.equal(seldom.priceAt(now), often.priceAt(now))
      }
    }),
    { numRuns: 50 },
  )
})

test('a wild market stays within half and double, and no step is beyond a live tick', () => {
  let price = start
  let low = start
  let high = start
  const wild = simulation('days')
  for (let now = atMs; now < atMs + 4 * dayMs; now += 250) {
    const next = wild.priceAt(now)
    // A live tick may move 20 ppm per millisecond: 0.5 % in 250.
    assert.ok(Math.abs(next - price) * 200 < price, `${price} → ${next}`)
    price = next
    low = Math.min(low, price)
    high = Math.max(high, price)
  }
  assert.ok(low > start / 2 && high < start * 2, `${low}..${high}`)
  assert.ok(high - low > start / 50, 'it moves')
})

test('the measured volatility is the configured one', () => {
  const calm = simulation('calm', 200_000)
  let squares = 0
  let last = start
  const hours = 24 * 20
  for (let minute = 1; minute <= hours * 60; minute++) {
    const price = calm.priceAt(atMs + minute * 60_000)
    if (minute % 60 !== 0) continue
    squares += ((price - last) / last) ** 2
    last = price
  }
  const annual = Math.sqrt((squares / hours) * 24 * 365)
  assert.ok(annual > 0.15 && annual < 0.3, `${annual}`)
})

test('a saved simulation continues in the same way', () => {
  const one = simulation('memory')
  for (let now = atMs; now < atMs + 3_600_000; now += 3_000) one.priceAt(now)
  const other = simulation('other')
  other.restore(JSON.parse(JSON.stringify(one.save())))
  for (let now = atMs + 3_600_000; now < atMs + 7_200_000; now += 3_000)
    assert.equal(other.priceAt(now), one.priceAt(now))
})

test('after a gap the price continues where it was', () => {
  const gap = simulation('gap')
  const before = gap.priceAt(atMs + 10_000)
  const after = gap.priceAt(atMs + 30 * dayMs)
  assert.ok(Math.abs(after - before) * 200 < before)
})
