import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather, ownByGroup, takenUpTo } from './book-rows.ts'

const bids = [
  { price: 104.9, size: 1 },
  { price: 104.8, size: 2 },
  { price: 104.1, size: 3 },
  { price: 103.5, size: 4 },
]
const rows = (levels: typeof bids, side: 'bid' | 'ask', group: number, most = 10) =>
  gather(levels, { side, group, rows: most, own: new Map() }).map(({ price, size, sum }) => [
    Math.round(price * 10) / 10,
    size,
    sum,
  ])

test('bids gather downwards and asks upwards, so that no row promises a better price', () => {
  assert.deepEqual(rows(bids, 'bid', 1), [
    [104, 6, 6],
    [103, 4, 10],
  ])
  const asks = [...bids].reverse()
  assert.deepEqual(rows(asks, 'ask', 1), [
    [104, 4, 4],
    [105, 6, 10],
  ])
})

test('ungrouped, every level is a row with the sum so far', () => {
  assert.deepEqual(rows(bids, 'bid', 0.1), [
    [104.9, 1, 1],
    [104.8, 2, 3],
    [104.1, 3, 6],
    [103.5, 4, 10],
  ])
})

test('the last row is complete: it counts levels beyond the last drawn one', () => {
  assert.deepEqual(rows(bids, 'bid', 1, 1), [[104, 6, 6]])
})

test('own size is shown at its row', () => {
  const orders = [
    { side: 'bid' as const, price: 104.8, size: 0.5 },
    { side: 'bid' as const, price: 104.1, size: 0.25 },
    { side: 'ask' as const, price: 104.8, size: 9 },
  ]
  const own = ownByGroup(orders, 'bid', 1)
  const [first, second] = gather(bids, { side: 'bid', group: 1, rows: 5, own })
  assert.equal(first?.own, 0.75)
  assert.equal(second?.own, 0)
})

test('a row knows the average price and the value of everything up to it', () => {
  const found = gather(bids, { side: 'bid', group: 1, rows: 5, own: new Map() })
  const [first, second] = found.map((row) => takenUpTo(row, 105))
  const best = 104.9 + 2 * 104.8 + 3 * 104.1
  assert.deepEqual([first!.sum, first!.worth, first!.average], [6, best, best / 6])
  assert.equal(second!.worth, best + 4 * 103.5)
  assert.equal(second!.away, 1 - second!.average / 105)
  assert.equal(takenUpTo(found[0]!, null).away, null)
})
