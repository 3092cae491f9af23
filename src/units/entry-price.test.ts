import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { entryPriceText } from './entry-price.ts'
import { InvariantViolation } from './invariant.ts'
import { lots, quote } from './units.ts'

const price = (cost: number, size: number, value: number, scale: number) =>
  entryPriceText(quote(cost), lots(size), { value, scale })

test('the entry price is exact or has 28 significant digits (worked case 11)', () => {
  assert.equal(price(7_411_324_360, 12_352, 1, 5), '60001.00680051813471502590674')
  assert.equal(price(1_000_001, 3, 1, 0), '0.3333336666666666666666666667')
  assert.equal(price(20_000_000, 3, 1, 3), '6666.666666666666666666666667')
  assert.equal(price(1, 3, 1, 0), '0.0000003333333333333333333333333333')
  assert.equal(price(1_797_000, 3, 1, 5), '59900')
})

test('the entry price after a partial close is that of worked case 3', () => {
  assert.equal(price(4_411_274_020, 7_352, 1, 5), '60001.00680087051142546245919')
})

test('a short position has the price of the long one', () => {
  assert.equal(price(-7_411_324_360, -12_352, 1, 5), '60001.00680051813471502590674')
})

test('a lot may be larger than one unit, and not a power of ten', () => {
  assert.equal(price(12_000_000, 12, 10_000, 0), '0.0001')
  assert.equal(price(60_000_000, 4, 25, 2), '60')
})

test('a position that cost nothing has the price zero', () => {
  assert.equal(price(0, 5, 1, 5), '0')
})

test('a price above 28 digits keeps its size', () => {
  assert.equal(price(9_007_199_254_740_991, 1, 1, 30), `9007199254740991${'0'.repeat(24)}`)
  assert.equal(price(2_000_000, 3, 1, 30), `${'6'.repeat(27)}7${'0'.repeat(2)}`)
})

test('zeros at the end of a rounded price are not written', () => {
  // 1.000000000000001000000000000002...
  assert.equal(price(999_999_999_999_999, 999_999_999_999_998, 1, 6), '1.000000000000001')
})

test('nines that round up become the next power of ten', () => {
  // 10^29 / (10^30 + 1): thirty nines after the first zero.
  assert.equal(price(10 ** 15, 111_625_927_715_201, 8_958_492_175_324_801, 20), '0.1')
})

test('a tie at the 28th digit rounds to even', () => {
  // 4.5474735088646411895751953125e-18 and 6.3664629124104976654052734375e-18, 29 digits each.
  const zeros = '0'.repeat(17)
  assert.equal(price(5, 2 ** 40, 1, 0), `0.${zeros}4547473508864641189575195312`)
  assert.equal(price(7, 2 ** 40, 1, 0), `0.${zeros}6366462912410497665405273438`)
})

test('a position without lots, or a lot without size, is a bug', () => {
  assert.throws(() => price(1, 0, 1, 0), InvariantViolation)
  assert.throws(() => price(1, 1, 0, 0), InvariantViolation)
  assert.throws(() => price(1, 1, 1, -1), InvariantViolation)
})

test('the text is the exact price, or has 28 digits and is off by at most half of the last', () => {
  const some = fc.oneof(
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  )
  const lotValue = fc.constantFrom(1, 5, 25, 10_000)
  fc.assert(
    fc.property(some, some, lotValue, fc.nat(12), (cost, size, value, scale) => {
      const text = price(cost, size, value, scale)
      const [integer = '', fraction = ''] = text.split('.')
      assert.match(text, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
      const digits = (integer + fraction).replace(/^0+/, '')
      assert.ok(digits.length <= 28)
      // Both sides of text = |cost| x 10^scale / (10^6 x lots x value), over one denominator.
      const one = 10n ** BigInt(fraction.length)
      const divisor = 1_000_000n * BigInt(size) * BigInt(value)
      const exact = BigInt(cost) * 10n ** BigInt(scale) * one
      const off = BigInt(digits) * divisor - exact
      if (off === 0n) return
      // Zeros that were not written count too: the last place is the 28th digit, not the last
      // shown.
      const hidden = 10n ** BigInt(28 - digits.length)
      assert.ok((off < 0n ? -off : off) * 2n * hidden <= divisor, `${text} off by ${off}`)
    }),
    { numRuns: 5_000 },
  )
})
