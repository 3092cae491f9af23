import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareProducts } from '../../units/wide.ts'
import { compareScores } from './deleverage.ts'

type Factors = readonly [number, number, number, number]

const scored = ([profit, notional, cost, equity]: Factors) => {
  return { profit, notional, cost, equity, score: (profit * notional) / (cost * equity) }
}

// Neighbours on purpose: the second is the first with each factor moved by at most one, and
// sometimes both scaled alike, so that scores are equal or differ by less than the precision of a
// float.
test('ranking by floats equals ranking by exact products', () => {
  const factor = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 51 }))
  const cost = fc.oneof(fc.constant(0), factor)
  const nudge = fc.integer({ min: -1, max: 1 })
  fc.assert(
    fc.property(
      fc.tuple(factor, factor, cost, factor),
      fc.tuple(nudge, nudge, nudge, nudge),
      fc.integer({ min: 1, max: 3 }),
      (factors, nudges, scale) => {
        const moved = factors.map((each, at) => Math.max(1, each * scale + nudges[at]!))
        const one = scored(factors)
        const other = scored(moved as unknown as Factors)
        const exact = compareProducts(
          [other.profit, other.notional, one.cost, one.equity],
          [one.profit, one.notional, other.cost, other.equity],
        )
        assert.equal(Math.sign(compareScores(one, other)) + 0, exact)
      },
    ),
    { numRuns: 5_000 },
  )
})
