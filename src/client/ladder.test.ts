import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatGrid, parseGrid } from '../units/decimal.ts'
import { ladderOf, type Rung } from './ladder.ts'

const market = { tick_size: '0.5', lot_size: '0.001' }
const lotsOf = (text: string) => {
  const parsed = parseGrid(text, { stepValue: 1, stepScale: 3 })
  assert.ok(parsed.ok)
  return parsed.value
}
const sumOf = (rungs: readonly Rung[]) => rungs.reduce((sum, { amount }) => sum + lotsOf(amount), 0)

test('a ladder is spread evenly, with the remainder at its end', () => {
  const flat = ladderOf(market, { from: '100', to: '98', amount: '1', count: 3 })
  assert.deepEqual(flat, [
    { price: '100', amount: '0.333' },
    { price: '99', amount: '0.333' },
    { price: '98', amount: '0.334' },
  ])
  const shape = 'rising'
  const rising = ladderOf(market, { from: '98', to: '99', amount: '0.6', count: 3, shape })
  assert.deepEqual(rising, [
    { price: '98', amount: '0.1' },
    { price: '98.5', amount: '0.2' },
    { price: '99', amount: '0.3' },
  ])
  const one = ladderOf(market, { from: '98', to: '99', amount: '0.6', count: 1 })
  assert.deepEqual(one, [{ price: '98', amount: '0.6' }])
})

// Prices and sizes near the smallest that fit, so that rounding matters.
test('prices are on the grid and differ, sizes add up exactly', () => {
  const input = fc.record({
    count: fc.integer({ min: 1, max: 50 }),
    from: fc.integer({ min: 1, max: 400 }),
    room: fc.integer({ min: 0, max: 90 }),
    lots: fc.integer({ min: 1, max: 3_000 }),
    shape: fc.constantFrom('flat' as const, 'rising' as const),
    falls: fc.boolean(),
  })
  let made = 0
  fc.assert(
    fc.property(input, ({ count, from, room, lots, shape, falls }) => {
      const price = (ticks: number) => formatGrid(ticks, { stepValue: 5, stepScale: 1 })
      const ends = [price(from), price(from + count - 1 + room)]
      const [first, last] = falls ? ends.toReversed() : ends
      const amount = formatGrid(lots, { stepValue: 1, stepScale: 3 })
      const request = { from: first!, to: last!, amount, count, shape }
      const weights = shape === 'flat' ? count : (count * (count + 1)) / 2
      if (lots < weights) return
      const rungs = ladderOf(market, request)
      made += 1
      assert.equal(rungs.length, count)
      assert.equal(sumOf(rungs), lots)
      assert.equal(new Set(rungs.map((rung) => rung.price)).size, count)
      assert.equal(rungs[0]!.price, first)
      if (count > 1) assert.equal(rungs.at(-1)!.price, last)
      const sizes = rungs.map((rung) => lotsOf(rung.amount))
      assert.deepEqual(
        sizes,
        [...sizes].sort((one, other) => one - other),
      )
      assert.ok(sizes[0]! >= 1)
    }),
  )
  assert.ok(made > 30, `${made}`)
})

test('a ladder that the price grid cannot hold is rejected with the reason', () => {
  const request = { from: '100', to: '101', amount: '1', count: 3 }
  const refuses = (change: object, says: RegExp) =>
    assert.throws(() => ladderOf(market, { ...request, ...change }), says)
  refuses({ count: 4 }, /there are 3 prices, too few for 4 orders: at most 3/)
  refuses({ amount: '0.002' }, /0\.002 is too little for 3 orders of at least 0\.001 each/)
  refuses({ from: '100.2' }, /price 100\.2 is not a positive multiple of 0\.5/)
  refuses({ amount: '0.0001' }, /amount 0\.0001 is not a positive multiple of 0\.001/)
  refuses({ count: 0 }, /0 is not a number of orders/)
})
