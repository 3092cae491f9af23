import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentBeyond, takingOf } from './depth.ts'

const asks = [
  { price: 101, size: 2 },
  { price: 102, size: 2 },
  { price: 110, size: 100 },
]
const buy = { side: 'bid', amount: 3, mark: 100, slippagePercent: 5 } as const

test('the depth ends at the worst price of the order', () => {
  assert.deepEqual(takingOf(asks, buy), { depth: 4, share: 0.75, average: (2 * 101 + 102) / 3 })
  assert.equal(takingOf(asks, { ...buy, slippagePercent: 10 })?.depth, 104)
  assert.equal(takingOf(asks, { ...buy, amount: 8 })?.share, 2)
  assert.equal(takingOf(asks, { ...buy, amount: 8 })?.average, 101.5)
})

test('the distance of a limit beyond the mark depends on its side', () => {
  assert.equal(Math.round(percentBeyond('bid', 109, 100)), 9)
  assert.equal(Math.round(percentBeyond('ask', 109, 100)), -9)
  assert.equal(percentBeyond('bid', 109, 0), 0)
})

test('a sell takes bids from the best one down', () => {
  const bids = [99, 98, 90].map((price) => ({ price, size: 1 }))
  const taking = takingOf(bids, { ...buy, side: 'ask', amount: 2 })
  assert.deepEqual(taking, { depth: 2, share: 1, average: 98.5 })
})

test('where nothing is offered within reach there is nothing to ask about', () => {
  assert.equal(takingOf([], buy), null)
  assert.equal(takingOf(asks, { ...buy, slippagePercent: 0.1 }), null)
})
