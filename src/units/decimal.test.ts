import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatDecimal, formatGrid, parseDecimal, parseGrid, parseNearest } from './decimal.ts'
import { InvariantViolation } from './invariant.ts'

const MAX = Number.MAX_SAFE_INTEGER
const RUNS = { numRuns: 3_000 }
const half = { stepValue: 5, stepScale: 1 }
const tenThousand = { stepValue: 10_000, stepScale: 0 }

const safe = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -2_000, max: 2_000 }))
const scale = fc.nat(20)
const step = fc.record({
  stepValue: fc.oneof(fc.constantFrom(1, 5, 25, 50, 10_000), fc.integer({ min: 1, max: MAX })),
  stepScale: scale,
})
const parsed = (value: number) => ({ ok: true, value })
const refused = (reason: string) => ({ ok: false, reason })

test('decimal text is read exactly', () => {
  const cases = [
    ['0', 6, 0],
    ['1', 6, 1_000_000],
    ['0.5', 6, 500_000],
    ['-12.34', 6, -12_340_000],
    ['0.000001', 6, 1],
    ['0.1', 1, 1],
    ['1.500000000000', 1, 15],
    ['100', 0, 100],
    ['100.000', 0, 100],
    ['9007199254.740991', 6, MAX],
    ['-9007199254.740991', 6, -MAX],
  ] as const
  for (const [text, places, value] of cases) {
    assert.deepEqual(parseDecimal(text, places), parsed(value), text)
  }
})

test('minus zero is read as zero', () => {
  for (const text of ['-0', '-0.0', '-0.000000000']) {
    const result = parseDecimal(text, 6)
    assert.ok(result.ok && Object.is(result.value, 0), text)
  }
})

test('text that is not a plain decimal is malformed', () => {
  const signs = '- . +1 --1 1- -.5 .5 5. 1.2.3 1,5'
  const zeros = '00 007 -01 00.5'
  const others = '1e3 1E3 0x10 0b1 1_000 1n \u0663 \uff11 NaN Infinity -Infinity null'
  const texts = [signs, zeros, others].flatMap((line) => line.split(' '))
  const spaced = ['', ' ', ' 1', '1 ', '1\n', '1\u0000']
  const long = [`0.${'0'.repeat(39)}`, '1'.repeat(41)]
  for (const text of [...texts, ...spaced, ...long]) {
    assert.deepEqual(parseDecimal(text, 6), refused('malformed'), JSON.stringify(text))
  }
})

test('a nonzero digit beyond the scale is off the grid', () => {
  assert.deepEqual(parseDecimal('0.0000001', 6), refused('off_grid'))
  assert.deepEqual(parseDecimal('1.5', 0), refused('off_grid'))
  assert.deepEqual(parseDecimal('99999999999999999999.5', 0), refused('off_grid'))
})

test('more than a safe integer is too large', () => {
  assert.deepEqual(parseDecimal('9007199254.740992', 6), refused('too_large'))
  assert.deepEqual(parseDecimal('9007199254.740993', 6), refused('too_large'))
  assert.deepEqual(parseDecimal('-9007199254740992', 0), refused('too_large'))
  assert.deepEqual(parseDecimal('9'.repeat(40), 20), refused('too_large'))
})

test('a number is written in its shortest exact form', () => {
  const cases = [
    [0, 6, '0'],
    [-0, 6, '0'],
    [1, 6, '0.000001'],
    [-1, 20, '-0.00000000000000000001'],
    [1_500_000, 6, '1.5'],
    [-12_340_000, 6, '-12.34'],
    [100, 0, '100'],
    [100_000_000, 6, '100'],
    [MAX, 6, '9007199254.740991'],
  ] as const
  for (const [value, places, text] of cases) assert.equal(formatDecimal(value, places), text)
})

test('a written number is read back as the same number', () => {
  fc.assert(
    fc.property(safe, scale, (value, places) => {
      const text = formatDecimal(value, places)
      assert.deepEqual(parseDecimal(text, places), parsed(value + 0))
      assert.match(text, /^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])$/)
    }),
    RUNS,
  )
})

test('any string is either refused or worth exactly what it says', () => {
  const unit = fc.constantFrom(...'00012345699.-+e ')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), fc.nat(8), (text, places) => {
      const result = parseDecimal(text, places)
      if (!result.ok) return
      const [integer = '', fraction = ''] = text.replace('-', '').split('.')
      const units = BigInt(integer + fraction) * 10n ** BigInt(places)
      const value = (text.startsWith('-') ? -units : units) / 10n ** BigInt(fraction.length)
      assert.equal(BigInt(result.value), value)
    }),
    { numRuns: 20_000 },
  )
})

test('a price is read as whole ticks, whatever the tick', () => {
  assert.deepEqual(parseGrid('60001.5', half), parsed(120_003))
  assert.deepEqual(parseGrid('-60001.50', half), parsed(-120_003))
  assert.deepEqual(parseGrid('60001.3', half), refused('off_grid'))
  assert.deepEqual(parseGrid('60001.55', half), refused('off_grid'))
  assert.deepEqual(parseGrid('6e4', half), refused('malformed'))
  assert.deepEqual(parseGrid('120000', tenThousand), parsed(12))
  assert.deepEqual(parseGrid('125000', tenThousand), refused('off_grid'))
})

test('a number between two steps rounds to the nearest, a half away from zero', () => {
  const cases = [
    ['60001.24', 120_002],
    ['60001.25', 120_003],
    ['60001.2499999999', 120_002],
    ['-60001.25', -120_003],
    ['0.2', 0],
    ['60001.5', 120_003],
  ] as const
  for (const [text, steps] of cases) assert.deepEqual(parseNearest(text, half), parsed(steps), text)
  assert.deepEqual(parseNearest('6e4', half), refused('malformed'))
  assert.deepEqual(parseNearest('9'.repeat(40), half), refused('too_large'))
  assert.deepEqual(parseNearest(`${MAX}5000`, tenThousand), refused('too_large'))
})

test('the nearest of a whole number of steps is that number', () => {
  fc.assert(
    fc.property(safe, step, (steps, grid) => {
      const text = formatGrid(steps, grid)
      assert.deepEqual(parseNearest(text, grid), parseGrid(text, grid))
    }),
    RUNS,
  )
})

test('text above 2^53 is read exactly when its steps are few enough', () => {
  assert.deepEqual(parseGrid(`${MAX}0000`, tenThousand), parsed(MAX))
  assert.deepEqual(parseGrid(`${MAX}0001`, tenThousand), refused('off_grid'))
  assert.deepEqual(parseGrid('90071992547409920000', tenThousand), refused('too_large'))
  assert.equal(formatGrid(-MAX, tenThousand), `-${MAX}0000`)
})

test('whole steps are written and read back as the same steps', () => {
  fc.assert(
    fc.property(safe, step, (steps, grid) => {
      assert.deepEqual(parseGrid(formatGrid(steps, grid), grid), parsed(steps + 0))
    }),
    RUNS,
  )
})

test('a multiple of the step is on the grid and nothing else is', () => {
  fc.assert(
    fc.property(safe, fc.integer({ min: 1, max: 60 }), scale, (units, stepValue, stepScale) => {
      const text = formatDecimal(units, stepScale)
      const expected = units % stepValue === 0 ? parsed(units / stepValue + 0) : refused('off_grid')
      assert.deepEqual(parseGrid(text, { stepValue, stepScale }), expected)
    }),
    RUNS,
  )
})

test('a step or a scale that is none is a bug, and so is a fraction of a step', () => {
  const wrong = [
    () => parseDecimal('1', -1),
    () => parseDecimal('1', 21),
    () => parseGrid('1', { stepValue: 0, stepScale: 0 }),
    () => formatDecimal(0.5, 2),
    () => formatGrid(2 ** 53, half),
  ]
  for (const call of wrong) assert.throws(call, InvariantViolation)
})
