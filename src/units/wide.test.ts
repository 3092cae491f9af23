// Each direction against its definition in BigInt, on products far beyond the safe integers whose
// quotients are safe: most lie one below, on, or one above a multiple of the divisor.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { InvariantViolation } from './invariant.ts'
import { compareProducts, differenceCeil, ratioCeil, ratioFloor, ratioTrunc } from './wide.ts'

const product = (factors: readonly number[]) => factors.reduce((all, one) => all * BigInt(one), 1n)
const fits = (value: bigint) => {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER)
}

const large = fc.oneof(fc.nat(100), fc.maxSafeInteger(), fc.integer())
const divisor = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10 ** 9 }))

/** (d × m ± 1) × c over d × c: products that are not safe, next to a multiple of the divisor. */
const near = fc
  .record({
    d: fc.integer({ min: 1, max: 2 ** 22 }),
    m: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }),
    off: fc.constantFrom(-1, 0, 1),
    c: fc.integer({ min: 1, max: 2 ** 50 }),
  })
  .map(({ d, m, off, c }) => ({ above: [d * m + off, c], below: [d, c] }))

const fraction = fc.oneof(
  near,
  fc.record({
    above: fc.array(large, { minLength: 1, maxLength: 4 }),
    below: fc.tuple(divisor, divisor),
  }),
)

type Ratio = (above: readonly number[], below: readonly number[]) => number

/** q is right when q × d and the dividend stand as the direction says. */
function holds(title: string, ratio: Ratio, right: (q: bigint, n: bigint, d: bigint) => boolean) {
  test(title, () => {
    const check = ({ above, below }: { above: readonly number[]; below: readonly number[] }) => {
      const [n, d] = [product(above), product(below)]
      if (!fits(n / d - 1n) || !fits(n / d + 1n)) return
      const q = ratio(above, below)
      assert.ok(Number.isSafeInteger(q))
      assert.ok(right(BigInt(q), n, d), `${n} ÷ ${d} is not ${q}`)
    }
    fc.assert(fc.property(fraction, check), { numRuns: 3_000 })
  })
}

holds('the floor is the largest whole number that is not above', ratioFloor, (q, n, d) => {
  return q * d <= n && n < (q + 1n) * d
})
holds('the ceiling is the smallest whole number that is not below', ratioCeil, (q, n, d) => {
  return (q - 1n) * d < n && n <= q * d
})
holds('truncation goes towards zero', ratioTrunc, (q, n, d) => {
  return n >= 0n ? q * d <= n && n < (q + 1n) * d : (q - 1n) * d < n && n <= q * d
})

test('products are compared without ever being rounded', () => {
  const factors = fc.array(large, { maxLength: 4 })
  const check = (left: readonly number[], right: readonly number[]) => {
    const [one, other] = [product(left), product(right)]
    assert.equal(compareProducts(left, right), one > other ? 1 : one < other ? -1 : 0)
    assert.equal(compareProducts([...left, 1], left), 0)
  }
  fc.assert(fc.property(factors, factors, check))
  assert.equal(compareProducts([2 ** 52 + 1, 2 ** 52 - 1], [2 ** 52, 2 ** 52]), -1)
})

test('the ceiling of a difference of products is exact', () => {
  const check = (left: readonly number[], right: readonly number[], times: number, by: number) => {
    const n = (product(left) - product(right)) * BigInt(times)
    const d = BigInt(by)
    if (!fits(n / d - 1n) || !fits(n / d + 1n)) return
    const q = BigInt(differenceCeil(left, right, times, by))
    assert.ok((q - 1n) * d < n && n <= q * d)
  }
  const pair = fc.tuple(large, fc.nat(1_000))
  fc.assert(fc.property(pair, pair, fc.nat(10 ** 6), divisor, check), { numRuns: 3_000 })
})

test('a result that is not a safe integer stops the machine', () => {
  const huge = [2 ** 52, 4]
  for (const ratio of [ratioFloor, ratioCeil, ratioTrunc])
    assert.throws(() => ratio(huge, [1]), InvariantViolation)
  assert.throws(() => differenceCeil(huge, [0, 0], 1, 1), InvariantViolation)
  assert.equal(ratioFloor([2 ** 53 - 1, 1], [1]), 2 ** 53 - 1)
})
