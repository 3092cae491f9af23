// Places in the queue, against lists that are counted from the front.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throughWorld } from '../../../test/support/random-world.ts'
import { BTC, given } from '../../../test/support/scene.ts'
import type { OrderId } from '../commands/ids.ts'
import type { State } from '../engine.ts'
import { viewOf } from '../view/exchange-view.ts'
import { levelsOf, restInBook } from './book.ts'
import { QueuePositions, queueSteps } from './queue-positions.ts'

/** Every resting order with its place, counted from the front of its level. */
function counted(state: State): Map<number, object> {
  const places = new Map<number, object>()
  const { levels, orders } = state
  for (const market of state.markets.slice(1))
    for (const side of [market!.bids, market!.asks])
      for (const level of levelsOf(state, side)) {
        let ahead = 0
        let ordersAhead = 0
        for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
          const behind = levels.lots[level]! - ahead - orders.remaining(slot)
          places.set(orders.id(slot), { ahead, behind, ordersAhead })
          ahead += orders.remaining(slot)
          ordersAhead += 1
        }
      }
  return places
}

// Few prices, so that levels are deep; fills, cancels and edits all change the lists.
test('every place equals the count from the front, alone and after others', () => {
  let deep = 0
  for (const seed of [3, 8, 21])
    throughWorld(seed, 150, ({ state }) => {
      const places = counted(state)
      const ids = [...places.keys()]
      const shuffled = ids.toSorted((a, b) => ((a * 7_919) % 101) - ((b * 7_919) % 101))
      for (const order of [ids, ids.toReversed(), shuffled]) {
        const queues = viewOf(state).orders.queues()
        for (const id of order) assert.deepEqual(queues.of(id as OrderId), places.get(id))
      }
      for (const id of ids) {
        const alone = viewOf(state)
          .orders.queues()
          .of(id as OrderId)
        assert.deepEqual(alone, places.get(id))
        if ((alone?.ordersAhead ?? 0) > 1) deep += 1
      }
      return undefined
    })
  assert.ok(deep > 100, `${deep}`)
})

/** A level of `count` orders of one lot each, with the ids 1 to `count`. */
function deepLevel(count: number): State {
  const { state } = given({ funds: { A: 1_000_000 } })
  for (let id = 1; id <= count; id++) {
    const slot = state.orders.take(id)
    state.orders.setPrice(slot, 50_000)
    state.orders.setRemaining(slot, 1)
    restInBook(state, state.markets[BTC]!.bids, slot)
  }
  return state
}

test('the middle of a hundred thousand orders is counted, and so are a thousand of them', () => {
  const state = deepLevel(100_000)
  const place = (id: number) => ({ ahead: id - 1, behind: 100_000 - id, ordersAhead: id - 1 })
  const alone = new QueuePositions(state, queueSteps)
  assert.deepEqual(alone.of(50_000 as OrderId), place(50_000))
  assert.ok(alone.stepsLeft >= 50_000)
  const many = new QueuePositions(state, 2 * queueSteps)
  for (let id = 100_000; id > 0; id -= 100) assert.deepEqual(many.of(id as OrderId), place(id))
})

test('counting ends at its bound, and says nothing instead of something wrong', () => {
  const state = deepLevel(100)
  const bounded = new QueuePositions(state, 10)
  assert.equal(bounded.of(50 as OrderId), null)
  assert.equal(bounded.stepsLeft, 0)
  assert.equal(bounded.of(1 as OrderId), null)
  assert.equal(bounded.of(101 as OrderId), undefined)
})
