// Each direction is checked against its definition in BigInt (q × d <= n < (q + 1) × d and so
// on), not against a second division that could share a mistake.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { InvariantViolation } from './invariant.ts'
import {
  divCeil,
  divFloor,
  mulDivCeil,
  mulDivFloor,
  mulDivTrunc,
  mulPpmCeil,
  mulPpmFloor,
  roundHalfUp,
  shareTrunc,
} from './rounding.ts'

const MAX = Number.MAX_SAFE_INTEGER
const RUNS = { numRuns: 3_000 }

const clamp = (n: number) => Math.min(Math.max(n, 1), MAX)
const nearMultiple = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 31 }), fc.nat(2 ** 22), fc.constantFrom(-1, 0, 1))
  .map(([d, k, off]) => clamp(k * d + off))
const nearMillions = fc
  .tuple(fc.nat(9_007_199_254), fc.constantFrom(-1, 0, 1))
  .map(([k, off]) => clamp(k * 1_000_000 + off))
const positive = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 1, max: MAX }),
  fc.nat(1_000).map((n) => MAX - n),
  fc.nat(52).map((n) => 2 ** n),
  nearMultiple,
  nearMillions,
)
const whole = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 9, arbitrary: positive })
const signed = fc.tuple(whole, fc.boolean()).map(([n, negative]) => (negative ? -n : n))
const rate = fc.oneof(fc.constantFrom(0, 1, 50, 400, 999_999, 1_000_000), fc.nat(1_000_000))

// Dividends that sit one below, on, or one above a multiple of the divisor, where a quotient that
// is rounded before it is floored would show.
const division = fc.oneof(
  fc.tuple(signed, positive),
  fc
    .tuple(positive, fc.nat(), fc.constantFrom(-1, 0, 1), fc.boolean())
    .map(([d, seed, off, neg]) => {
      const most = Math.floor(MAX / d)
      const k = most - (seed % Math.min(most, 1_000))
      const n = Math.min(k * d + off, MAX)
      return [neg ? -n : n, d] as [number, number]
    }),
)

// (d × m + 1) × (d × n ± 1) leaves a remainder of ±1, the least that must still move the result.
const quotient = fc.oneof(
  fc.tuple(signed, signed, positive),
  fc
    .tuple(fc.integer({ min: 2, max: 2 ** 24 }), fc.nat(2 ** 14), fc.nat(2 ** 14), fc.boolean())
    .map(([d, m, n, up]) => [d * m + 1, d * n + (up ? 1 : -1), d] as [number, number, number]),
)

const big = BigInt
const abs = (n: bigint) => (n < 0n ? -n : n)
function isFloor(q: number, n: bigint, d: number): void {
  assert.ok(Number.isSafeInteger(q) && !Object.is(q, -0))
  assert.ok(big(q) * big(d) <= n && n < (big(q) + 1n) * big(d), `${q} = floor(${n} / ${d})`)
}
function isCeil(q: number, n: bigint, d: number): void {
  assert.ok(Number.isSafeInteger(q) && !Object.is(q, -0))
  assert.ok((big(q) - 1n) * big(d) < n && n <= big(q) * big(d), `${q} = ceil(${n} / ${d})`)
}
function isTrunc(q: number, n: bigint, d: number): void {
  assert.ok(Number.isSafeInteger(q) && !Object.is(q, -0))
  assert.ok(q === 0 || q < 0 === n < 0n, `${q} has the sign of ${n}`)
  isFloor(Math.abs(q), abs(n), d)
}

test('a rate in ppm is applied exactly, down or up', () => {
  fc.assert(
    fc.property(whole, rate, (value, ppm) => {
      isFloor(mulPpmFloor(value, ppm), big(value) * big(ppm), 1_000_000)
      isCeil(mulPpmCeil(value, ppm), big(value) * big(ppm), 1_000_000)
    }),
    RUNS,
  )
})

test('a rate in ppm is applied exactly next to every multiple of a million near 2^53', () => {
  for (let k = 9_007_199_254; k > 9_007_197_254; k--) {
    for (const value of [k * 1_000_000 - 1, k * 1_000_000, k * 1_000_000 + 1]) {
      isFloor(mulPpmFloor(value, 999_999), big(value) * 999_999n, 1_000_000)
      isCeil(mulPpmCeil(value, 999_999), big(value) * 999_999n, 1_000_000)
    }
  }
})

test('a division rounds down or up as its name says, also next to a multiple', () => {
  fc.assert(
    fc.property(division, ([n, d]) => {
      isFloor(divFloor(n, d), big(n), d)
      isCeil(divCeil(n, d), big(n), d)
    }),
    { numRuns: 20_000 },
  )
})

test('a share is the exact part of the total, towards zero, and all of it for the whole', () => {
  fc.assert(
    fc.property(signed, whole, positive, (total, some, all) => {
      const part = some % (all + 1)
      isTrunc(shareTrunc(total, part, all), big(total) * big(part), all)
      assert.equal(shareTrunc(total, all, all), total + 0)
    }),
    RUNS,
  )
})

test('a share of a position keeps the worked numbers', () => {
  assert.equal(shareTrunc(7_411_324_360, 5_000, 12_352), 3_000_050_340)
  assert.equal(shareTrunc(-7_411_324_360, 5_000, 12_352), -3_000_050_340)
})

test('a product is divided exactly in each direction, or stops when the result is not safe', () => {
  fc.assert(
    fc.property(quotient, ([left, right, divisor]) => {
      const product = big(left) * big(right)
      const ways = [
        [mulDivFloor, isFloor],
        [mulDivCeil, isCeil],
        [mulDivTrunc, isTrunc],
      ] as const
      for (const [divide, check] of ways) {
        // A quotient between MAX and MAX + 1 depends on the direction; the next test has those.
        const size = abs(product) / big(divisor)
        if (size < big(MAX)) check(divide(left, right, divisor), product, divisor)
        else if (size > big(MAX)) {
          assert.throws(() => divide(left, right, divisor), InvariantViolation)
        }
      }
    }),
    RUNS,
  )
})

test('the largest safe integer is a result, and one more is not', () => {
  assert.equal(mulDivCeil(MAX, 7, 7), MAX)
  assert.equal(mulDivFloor(-MAX, 7, 7), -MAX)
  // 5 x 5404319552844595 / 3 is MAX + 2/3: a result downwards, and 2^53 upwards.
  const over = [5, 5_404_319_552_844_595, 3] as const
  assert.equal(mulDivFloor(...over), MAX)
  assert.equal(mulDivTrunc(...over), MAX)
  assert.throws(() => mulDivCeil(...over), InvariantViolation)
  assert.throws(() => mulDivFloor(2 ** 52, 2, 1), InvariantViolation)
  assert.throws(() => mulDivCeil(-(2 ** 52), 2, 1), InvariantViolation)
})

test('rounding half up gives the nearest unit, and from the middle the greater', () => {
  fc.assert(
    fc.property(signed, positive, (value, size) => {
      const unit = size % 2 === 0 ? size : size + 1 <= MAX ? size + 1 : size - 1
      isFloor(roundHalfUp(value, unit), big(value) + big(unit / 2), unit)
    }),
    RUNS,
  )
  assert.equal(roundHalfUp(1_500_000, 1_000_000), 2)
  assert.equal(roundHalfUp(1_499_999, 1_000_000), 1)
  assert.equal(roundHalfUp(-1_500_000, 1_000_000), -1)
  assert.ok(Object.is(roundHalfUp(-1, 1_000_000), 0))
})

test('nothing divided is zero and never minus zero', () => {
  const results = [
    mulPpmFloor(-0, 5),
    mulPpmCeil(0, -0),
    mulPpmFloor(7, -0),
    divFloor(-0, 3),
    divCeil(-1, 3),
    shareTrunc(-1, 1, 3),
    shareTrunc(-5, 0, 3),
    mulDivFloor(-5, 0, 3),
    mulDivCeil(-1, 1, 3),
    mulDivTrunc(1, -1, 3),
    roundHalfUp(-0, 2),
  ]
  for (const result of results) assert.ok(Object.is(result, 0))
})

test('operands outside the stated ranges are bugs, of every function and in every place', () => {
  const notSafe = [2 ** 53, -(2 ** 53), 0.5, Number.NaN, Number.POSITIVE_INFINITY]
  const notDivisor = [0, -1, ...notSafe]
  const notPpm = [-1, 1_000_001, Number.NaN]
  const notMoney = [-1, 2 ** 53, Number.NaN]
  const table: [(...operands: number[]) => number, good: number[], wrong: number[][]][] = [
    [mulPpmFloor as never, [7, 5], [notMoney, notPpm]],
    [mulPpmCeil as never, [7, 5], [notMoney, notPpm]],
    [divFloor as never, [7, 2], [notSafe, notDivisor]],
    [divCeil as never, [7, 2], [notSafe, notDivisor]],
    [mulDivFloor as never, [7, 3, 2], [notSafe, notSafe, notDivisor]],
    [mulDivCeil as never, [7, 3, 2], [notSafe, notSafe, notDivisor]],
    [mulDivTrunc as never, [7, 3, 2], [notSafe, notSafe, notDivisor]],
    [shareTrunc as never, [7, 1, 2], [notSafe, [-1, 3, ...notSafe], notDivisor]],
    [roundHalfUp as never, [7, 2], [notSafe, [0, -2, 3, 0.5, Number.NaN]]],
  ]
  for (const [called, good, wrong] of table) {
    called(...good)
    for (const [place, operands] of wrong.entries())
      for (const operand of operands)
        assert.throws(() => called(...good.with(place, operand)), InvariantViolation, called.name)
  }
})
