// The cost limit of one book read, whatever the number of orders.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, given } from '../../../test/support/scene.ts'
import { levelsRead } from './book-view.ts'
import { viewOf } from './exchange-view.ts'

test('a coarse read checks ten thousand levels a side and returns only complete ones', () => {
  const { state } = given({ funds: { A: 1_000_000 } })
  const { bids, asks } = state.markets[BTC]!
  const top = 59_999
  for (let n = 0; n < 3 * levelsRead; n++) {
    assert.equal(bids.levelOf(state.levels, top - n), 0)
    const level = bids.open(state.levels, top - n)
    state.levels.lots[level] = 1
    state.levels.count[level] = 1
  }
  assert.equal(asks.bestLevel, 0)
  const read = (depth: number, gather: number) => viewOf(state).books.depth(BTC, depth, gather).bids
  // The coarsest grid: the first level is complete, and reading ends within the second.
  assert.deepEqual(read(1_000, 10_000), [{ price: 50_000, lots: 10_000, orders: 10_000 }])
  const gathered = read(1_000, 1_000)
  assert.equal(gathered.length, 10)
  assert.ok(gathered.every(({ lots }) => lots === 1_000))
  const uneven = read(1_000, 700)
  assert.equal(uneven.length, 14)
  assert.ok(uneven.slice(1).every(({ lots }) => lots === 700))
  assert.equal(read(1_000, 1).length, 1_000)
  assert.equal(read(10, 100).length, 10)
})
