import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { feeOf } from './fee.ts'
import { ppm, quote } from './units.ts'

test('fees round up and rebates round down (worked case 5)', () => {
  const cases = [
    [1, 400, 1],
    [2_500, 400, 1],
    [2_501, 400, 2],
    [7_407_123_450, -50, -370_356],
    [1, -50, 0],
  ] as const
  for (const [value, rate, fee] of cases) {
    assert.ok(Object.is(feeOf(quote(value), ppm(rate)), fee), `(${value}, ${rate}) -> ${fee}`)
  }
})

test('the fees of an opening fill are those of worked case 1', () => {
  assert.equal(feeOf(quote(7_407_123_450), ppm(400)), 2_962_850)
  assert.equal(feeOf(quote(7_407_123_450), ppm(150)), 1_111_069)
})

test('a fee is never below the exact one, and above it by less than a micro-dollar', () => {
  const value = fc.oneof(fc.nat(10_000), fc.maxSafeNat())
  const rate = fc.oneof(fc.constantFrom(-50, 0, 150, 400), fc.integer({ min: -1e6, max: 1e6 }))
  fc.assert(
    fc.property(value, rate, (amount, ratePpm) => {
      const fee = feeOf(quote(amount), ppm(ratePpm))
      const above = BigInt(fee) * 1_000_000n - BigInt(amount) * BigInt(ratePpm)
      assert.ok(above >= 0n && above < 1_000_000n && !Object.is(fee, -0))
    }),
    { numRuns: 3_000 },
  )
})
