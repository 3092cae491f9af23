// docs/rules/prices.md through both engines: what the time of an observation decides.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Scene } from '../../support/scene.ts'
import { boundFor } from '../../support/trial-rules.ts'

const rich = 10 ** 12

test('a time of observation is whole and not after now (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  const tick = (observedAtMs: unknown) => scene.tick(BTC, 60_000, { observedAtMs })
  for (const wrong of [0.5, 'now', -0.5]) tick(wrong).refused('INVALID_TIME', 0, 0, scene.now)
  tick(-1).refused('INVALID_TIME', -1, 0, scene.now)
  tick(scene.now + 1).refused('INVALID_TIME', scene.now + 1, 0, scene.now)
  tick(scene.now).accepted()
  tick(0).accepted()
  // Before the price itself.
  scene.tick(BTC, 0, { observedAtMs: -1 }).refused('INVALID_TIME', -1, 0, scene.now)
})

/** A long that needs a step at 59,150. */
function weak(): Scene {
  const funds = { A: 80_000_000, B: rich, C: rich, insurance: 10 ** 9 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 5_000, 60_000)
  return scene
}

test('a liquidation step waits for a fresh price (PRICE-6, LIQ-3)', () => {
  const scene = weak()
  scene.bid('C', 5_000, 58_950, { tif: 'ALO' })
  const outcome = scene.later(2_000).seen(BTC, 58_950, 1_001)
  outcome.includes({ type: 'LiquidationStarted' }).lacks('LiquidationStepped')
  assert.equal(scene.account('A').unfilledSteps, 0)
  scene.seen(BTC, 58_950, 1_000).includes({ type: 'LiquidationStepped' }, { type: 'Traded' })
})

test('a step passes over orders that came after its price was observed (PRICE-6)', () => {
  const scene = weak()
  scene.later(2_000)
  scene.bid('C', 100, 58_950, { tif: 'ALO' })
  scene.later(1)
  scene.bid('C', 5_000, 58_950, { tif: 'ALO' })
  scene.later(100)
  const outcome = scene.seen(BTC, 58_950, 101)
  assert.deepEqual(
    outcome.all('Traded').map(({ lots }) => lots),
    [100],
  )
})

test('the backstop does not sell at an old price (PRICE-6, LIQ-4)', () => {
  const scene = weak()
  scene.reserve(500_000_000)
  scene.later(1).seen(BTC, 58_600).includes({ type: 'BackstopTookOver' })
  scene.bid('C', 5_000, 58_600, { tif: 'ALO' })
  scene.later(1_500).seen(BTC, 58_600, 1_001).lacks('OrderPlaced')
  // Fresh, but observed before the bid came.
  scene.later(400)
  scene.run({ type: 'ChangeMarket', market: BTC, change: { observedWithinMs: 10_000 } })
  scene.seen(BTC, 58_600, 1_901).lacks('Traded')
  scene.seen(BTC, 58_600).includes({ type: 'OrderPlaced', origin: 'backstop' }, { type: 'Traded' })
})

/** The backstop holds what A lost, and an order that is older than the price of its sale stands
 *  before one that is younger. */
function beforeSale(side: 'buys' | 'sells', old: number, young: number, size = 5_000): Scene {
  const funds = { A: 67_000_000, B: rich, C: rich }
  const market = { leverageMax: 50, impactValue: 10 ** 9 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds, market })
  scene[side]('A', 'B', 5_000, 60_000)
  const gone = side === 'buys' ? 58_700 : 61_300
  scene.mark(BTC, gone).includes({ type: 'BackstopTookOver' })
  scene.deposit('insurance', rich)
  scene.reserve(10 ** 9)
  scene.later(2_000)
  const quotes = side === 'buys' ? 'bid' : 'ask'
  scene[quotes]('C', 5_000, old, { tif: 'ALO' }).accepted()
  scene.later(1_000)
  scene[quotes]('C', size, young, { tif: 'ALO' }).accepted()
  scene.later(100)
  return scene
}

test('case 143: the backstop does not sell below younger bids (PRICE-6, LIQ-4)', () => {
  const row = worked('prices', 143)
  const [, mark = 0, oldBid = 0, youngBid = 0, oldAsk = 0, youngAsk = 0] = row.given()
  const limits = (['buys', 'sells'] as const).map((side) => {
    const quotes = side === 'buys' ? ([oldBid, youngBid] as const) : ([oldAsk, youngAsk] as const)
    const scene = beforeSale(side, ...quotes)
    const [sale] = scene.seen(BTC, mark, 500).lacks('Traded').all('OrderPlaced')
    // The next price is newer than both.
    const trades = scene.later(100).seen(BTC, mark).all('Traded')
    assert.equal(trades[0]!.price, quotes[1])
    return sale!.price
  })
  row.says(...limits)
  // Less than the impact value says nothing.
  const trades = beforeSale('buys', oldBid, youngBid, 10).seen(BTC, mark, 500).all('Traded')
  assert.deepEqual(
    trades.map(({ price }) => price),
    [oldBid],
  )
})

test('a quote that no taker could hit counts in no sample (PRICE-8, FUND-1)', () => {
  const market = { impactValue: 1_000_000, speedBumpMs: 0 }
  const funds = { A: rich }
  for (const [ahead, impact] of [
    [249, 0],
    [250, 60_300_000_000],
  ] as const) {
    const scene = given({ markets: ['BTC'], market, funds })
    scene.later(4_000)
    scene.bid('A', 100, 60_300, { tif: 'ALO' })
    // Old enough when the tick comes, but not when its price was observed.
    const observedAtMs = scene.now + ahead
    scene.later(1_000)
    const outcome = scene.tick(BTC, 60_000, { observedAtMs }).one('PremiumSampled')
    assert.equal(outcome.impactBid, impact)
  }
})

test('observedWithinMs is a parameter of the market (MARKET-1, MARKET-2, PRICE-1)', () => {
  const scene = given({ markets: ['BTC'], funds: { A: rich, M: rich } })
  for (const observedWithinMs of [99, 10_001, 0.5]) {
    const change = { observedWithinMs }
    scene.run({ type: 'ChangeMarket', market: BTC, change }).refused('INVALID_PARAMETER', 0)
    scene.list('ETH', change).refused('INVALID_PARAMETER', 0)
  }
  scene
    .run({ type: 'ChangeMarket', market: BTC, change: { observedWithinMs: 10_000 } })
    .emits({ type: 'MarketChanged', effectiveAt: scene.now })
  scene.seen(BTC, 60_000)
  scene.ask('M', 100, 60_000, { tif: 'ALO' })
  scene.bid('A', 100, 60_000)
  scene.later(9_000).seen(BTC, 60_000, 9_000).includes({ type: 'Traded' })
})

test('of too many candidates those with the best entry price are considered (LIQ-6)', (t) => {
  boundFor(t, { deleverageCandidates: 2 })
  const shorts = { X: 60_100, Y: 60_300, Z: 60_200 }
  const funds = { A: 70_000_000, B: rich, X: rich, Y: rich, Z: rich }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  for (const [name, price] of Object.entries(shorts)) scene.sells(name, 'B', 1_000, price)
  scene.buys('A', 'B', 5_000, 60_000)
  const outcome = scene.mark(BTC, 58_000).all('Deleveraged')
  const names = ['Y', 'Z'].map((name) => scene.id(name))
  assert.deepEqual(outcome.map(({ counterparty }) => counterparty).sort(), names)
})
