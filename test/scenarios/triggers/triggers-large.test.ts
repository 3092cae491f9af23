// docs/rules/orders.md, ORDER-1, through both engines: a position that has become worth more than
// the largest order is still closed by its stops and TWAPs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, codeOf, freeTiers, given, levelAt, type Scene } from '../../support/scene.ts'

const funds = { A: 300_000_000_000, B: 10 ** 13 }
const largest = 1_000_000_000_000
/** 990,000 dollars at 60,000, and 1,006,500 at 61,000. */
const lots = 1_650_000

/** A is short, and has opened it by one order. */
function short(change: Record<string, unknown> = {}): Scene {
  const market = { orderValueMax: largest, ...change }
  const scene = given({ tiers: freeTiers, funds, markets: ['BTC'], market })
  scene.bid('B', lots, 60_000, { tif: 'ALO' }).accepted()
  scene.ask('A', lots, 60_000).accepted()
  scene.wait(200)
  assert.equal(scene.held('A')[0], -lots)
  return scene
}

const half = { type: 'Traded', lots: lots / 2 } as const

/** Two orders for all of it. */
function offers(scene: Scene): void {
  for (let n = 0; n < 2; n++) scene.ask('B', lots / 2, 61_010, { tif: 'ALO' }).accepted()
}

test('a market stop closes a position that outgrew the largest order (ORDER-1, TRIG-3)', () => {
  const scene = short()
  scene.stop('A', 'bid', levelAt(61_000), { reduceOnly: true }).accepted()
  offers(scene)
  scene.mark(BTC, 61_000).includes(half, half)
  assert.equal(scene.held('A')[0], 0)
  // An order of its owner is still refused.
  const again = short()
  again.mark(BTC, 61_000)
  again
    .bid('A', lots, 61_000, { reduceOnly: true })
    .refused('ORDER_AMOUNT_TOO_HIGH', lots * 61_000 * 10, largest)
})

test('a stop that outgrows the largest order while it waits is released (ORDER-1, ORDER-3)', () => {
  const scene = short({ speedBumpMs: 200 })
  scene.stop('A', 'bid', levelAt(60_600), { reduceOnly: true }).accepted()
  offers(scene)
  scene.mark(BTC, 60_600).includes({ type: 'OrderPlaced', waiting: true })
  scene.mark(BTC, 61_000).lacks('OrderCancelled')
  scene.wait(200).includes(half, half)
})

test('a stop with a limit price rests, however large (ORDER-1, TRIG-3)', () => {
  const scene = short()
  scene.stop('A', 'bid', levelAt(61_000, { limitPrice: 61_000 }), { reduceOnly: true }).accepted()
  scene.mark(BTC, 61_000).includes({ type: 'OrderRested' })
})

test('a stop that may open is bounded by the largest order (ORDER-1, TRIG-3)', () => {
  const scene = short()
  scene.stop('A', 'bid', levelAt(61_000, { size: lots })).accepted()
  const code = codeOf('ORDER_AMOUNT_TOO_HIGH')
  scene.mark(BTC, 61_000).includes({ type: 'OrderCancelled', reason: 'refused', rejection: code })
})

test('a slice of a reduce-only TWAP is not bounded by the largest order (ORDER-1, TRIG-6)', () => {
  const slice = (reduceOnly: boolean) => {
    const scene = short()
    const change = { orderValueMax: 100_000_000_000 }
    scene.run({ type: 'ChangeMarket', market: BTC, change })
    scene.ask('B', 160_000, 60_000, { tif: 'ALO' }).accepted()
    const plan = { market: BTC, side: 'bid', size: lots, slippagePpm: 1_000, clientOrderId: null }
    scene.own('A', 'PlaceTwap', { ...plan, durationSeconds: 60, reduceOnly }).accepted()
    return scene.wait(0)
  }
  slice(true).includes({ type: 'AlgoStepped', rejection: 0 }, { type: 'Traded', lots: 160_000 })
  const rejection = codeOf('ORDER_AMOUNT_TOO_HIGH')
  slice(false).includes({ type: 'AlgoStepped', rejection })
})
