// docs/rules/prices.md where bounds are met exactly, and missed by one: what a random world hardly
// ever comes to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, given, type Scene } from '../../support/scene.ts'

const rich = { A: 10 ** 12, B: 10 ** 12 }
/** A dollar: the impact price of a side is its best price. */
const thin = { impactValue: 1_000_000 }

function markOf(scene: Scene, oracle: number, external: number | null = null): number {
  const micro = external === null ? null : external * 1_000_000
  return scene.tick(BTC, oracle, { jump: true, external: micro }).one('MarkUpdated').mark
}

test('a side without orders says nothing, however low the other one stands (PRICE-2)', () => {
  const scene = given({ market: thin, markets: ['BTC'], funds: rich })
  // As near to nothing as a bid and an ask may be to each other.
  scene.ask('A', 1_000, 3_000, { tif: 'ALO' }).accepted()
  scene.later(250)
  assert.equal(markOf(scene, 60_000, 59_500), 60_000)
})

test('the smallest and the largest price that can be one are taken (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  const highest = 2 * scene.state.markets[BTC]!.params.tickMax - 1
  for (const price of [1, highest * 1_000_000])
    scene.tick(BTC, 0, { price }).tells({ type: 'MarkUpdated', catchingUp: true })
  for (const external of [1, 10 ** 15])
    scene.tick(BTC, 60_000, { external }).tells({ type: 'MarkUpdated' })
})
