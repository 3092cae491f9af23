// docs/rules/prices.md where bounds are met exactly, and missed by one: what a random world hardly
// ever comes to.

import { test } from 'node:test'
import { BTC, given } from '../../support/scene.ts'

test('the smallest and the largest price that round into the grid are taken (PRICE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  const highest = scene.state.markets[BTC]!.params.tickMax * 1_000_000 + 499_999
  for (const price of [500_000, highest])
    scene.tick(BTC, 0, { price }).emits({ type: 'MarkUpdated', catchingUp: true })
  for (const price of [499_999, highest + 1])
    scene.tick(BTC, 0, { price }).refused('INVALID_PRICE', price)
})

test('no grid is so wide that a price may be above all that can be counted (PRICE-1)', () => {
  const scene = given({ market: { tickMax: 2_000_000_000 }, markets: ['BTC'] })
  scene.tick(BTC, 0, { price: 10 ** 15 }).accepted()
  scene.tick(BTC, 0, { price: 10 ** 15 + 1 }).refused('INVALID_PRICE', 10 ** 15 + 1)
})
