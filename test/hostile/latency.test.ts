// Gains explained by latency (docs/rules/adversary.md): lots of a taker that arrived before the
// newest observation count as held since that observation, all others from their trade on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger } from '../programs/adversary/ledger.ts'
import { Gaps } from '../programs/adversary/outside/gaps.ts'

const [long, other] = [7, 8]
const lots = 10
const unitValue = 3

/** One market at 1,000, whose price was observed and sent at time 0; it is 900 from time 400 on. */
function fallen(): Readonly<{ gaps: Gaps; ledger: Ledger }> {
  const ledger = new Ledger()
  ledger.lots[1] = []
  ledger.unitValue[1] = unitValue
  const gaps = new Gaps(ledger)
  gaps.list(1, 1_000, 0)
  gaps.tick(1, 0, true)
  gaps.move(1, 900, 400)
  return { gaps, ledger }
}

function hold({ lots: held }: Ledger, account: number, signed: number): void {
  held[1]![account] = signed
}

test('a trade of a taker that arrived in time is explained by the price in flight', () => {
  const { gaps, ledger } = fallen()
  gaps.addUnderWay(1, long, lots, 600)
  hold(ledger, long, lots)
  const fall = 100 * lots * unitValue
  assert.equal(gaps.windowOf(1, long), fall)
  assert.deepEqual(gaps.use(1, long, 2 * fall), { used: fall, latency: fall, lagMs: 600 })
  // An excuse is used once.
  assert.equal(gaps.use(1, long, fall).used, 0)
})

test('without that the lots count from the trade on', () => {
  const { gaps, ledger } = fallen()
  hold(ledger, long, lots)
  assert.equal(gaps.windowOf(1, long), 0)
  gaps.move(1, 890, 700)
  assert.deepEqual(gaps.use(1, long, 1_000_000), {
    used: 10 * lots * unitValue,
    latency: 0,
    lagMs: 0,
  })
})

test('a price in flight does not excuse the account that it favours', () => {
  const { gaps, ledger } = fallen()
  gaps.addUnderWay(1, other, -lots, 600)
  hold(ledger, other, -lots)
  assert.equal(gaps.windowOf(1, other), 0)
})

test('a gain before the trade is limited to the move since the observation', () => {
  const { gaps, ledger } = fallen()
  // A tick brings a price that was observed after half of the fall.
  gaps.move(1, 850, 500)
  gaps.tick(1, 450, true)
  gaps.addUnderWay(1, long, lots, 600)
  hold(ledger, long, lots)
  assert.equal(gaps.windowOf(1, long), 50 * lots * unitValue)
})

test('the excuse ends with the tick that includes the price', () => {
  const { gaps, ledger } = fallen()
  gaps.addUnderWay(1, long, lots, 600)
  hold(ledger, long, lots)
  // It was observed before the trade, and liquidation could act on it: it may still be needed.
  gaps.tick(1, 400, true)
  assert.equal(gaps.windowOf(1, long), 100 * lots * unitValue)
  gaps.tick(1, 800, true)
  gaps.tick(1, 900, true)
  assert.equal(gaps.windowOf(1, long), 0)
})

test('lots added while the market is not live have no excuse for the next price', () => {
  const { gaps, ledger } = fallen()
  gaps.addLate(1, long, lots)
  hold(ledger, long, lots)
  gaps.move(1, 700, 600)
  assert.equal(gaps.windowOf(1, long), 0)
})

test('a payment at an observed price is explained, also after the price has returned', () => {
  const { gaps, ledger } = fallen()
  hold(ledger, long, lots)
  gaps.move(1, 800, 600)
  gaps.move(1, 1_000, 700)
  assert.equal(gaps.windowOf(1, long), 0)
  gaps.tick(1, 650, true)
  assert.equal(gaps.windowOf(1, long), 100 * lots * unitValue)
  gaps.tick(1, 750, true)
  assert.equal(gaps.windowOf(1, long), 0)
})

test('while sources lack the price of the world, gains from it stay explained', () => {
  const { gaps, ledger } = fallen()
  hold(ledger, long, lots)
  gaps.tick(1, 500, true)
  gaps.move(1, 800, 1_000, true)
  const fall = 100 * lots * unitValue
  // Liquidation acts, but at a price that is not the world's.
  for (const at of [1_500, 3_000, 60_000]) gaps.tick(1, at, true)
  assert.equal(gaps.windowOf(1, long), fall)
  // Lots traded meanwhile have no such excuse.
  hold(ledger, other, lots)
  assert.equal(gaps.windowOf(1, other), 0)
  // The two prices are equal again.
  gaps.move(1, 799, 70_000, false)
  for (const at of [75_001, 76_000, 77_000]) gaps.tick(1, at, true)
  assert.equal(gaps.windowOf(1, long), 0)
})

test('a fall without prices is explained, also after a gain at a wrong index', () => {
  const { gaps, ledger } = fallen()
  hold(ledger, long, lots)
  gaps.move(1, 1_100, 1_000, true)
  for (const at of [1_500, 3_000]) gaps.tick(1, at, true)
  gaps.move(1, 800, 4_000, true)
  // Liquidation could last act at 1,100, though not at that price.
  assert.equal(gaps.windowOf(1, long), 300 * lots * unitValue)
})
