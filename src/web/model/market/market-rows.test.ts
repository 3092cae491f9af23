import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sparkPath } from '../chart/spark-line.ts'
import { sortedBy } from '../pages/sort.ts'
import type { Market, Prices } from '../wire.ts'
import { marketRow, marketTotals } from './market-rows.ts'

const market = (symbol: string) => ({ symbol }) as Market
const prices = (mark: string, part: Partial<Prices> = {}): Prices => ({
  ...{ symbol: 'A', mark, mid: mark, oracle: mark, funding: '0', next_funding: '0.00001' },
  ...{ open_interest: '3', volume_24h: '1000', yesterday_price: '80', timestamp: 0 },
  ...part,
})

const rows = [
  marketRow(market('A'), prices('100')),
  marketRow(market('B'), undefined),
  marketRow(market('C'), prices('60', { volume_24h: '5000', next_funding: '-0.0002' })),
]

test('a row has the change, the open interest in USD and the funding of a year', () => {
  const { change, interest, annual, funding } = rows[0]!
  assert.deepEqual([change, interest, funding], [0.25, 300, 0.00001])
  assert.ok(Math.abs(annual - 0.0876) < 1e-12)
})

test('a market without prices has no numbers, and is last in every order', () => {
  const { change, volume, interest, annual } = rows[1]!
  assert.ok([change, volume, interest, annual].every(Number.isNaN))
  for (const down of [true, false])
    assert.equal(sortedBy(rows, (row) => row.interest, down).at(-1), rows[1])
})

test('totals add up what is known', () => {
  assert.deepEqual(marketTotals(rows), { markets: 3, volume: 6_000, interest: 480 })
})

test('a spark line spans its box, and equal values are in its middle', () => {
  const box = { width: 10, height: 4 }
  assert.equal(sparkPath([1, 3, 2], box), 'M0 4L5 0L10 2')
  assert.equal(sparkPath([7, 7], box), 'M0 2L10 2')
  assert.equal(sparkPath([1, 2], box, 6), 'M8 4L10 0')
  assert.equal(sparkPath([1], box), '')
})
