import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDecimal } from '../../units/decimal.ts'
import { msOfIso, plainDecimal, wholeOf } from './decimal-text.ts'

test('a number is written in plain digits, with its point where it belongs', () => {
  const cases = [
    ['60000.50', 0, '60000.5'],
    ['6000050', -2, '60000.5'],
    ['184136023127', -8, '1841.36023127'],
    ['5', -8, '0.00000005'],
    ['5', 3, '5000'],
    ['1.5e-7', 0, '0.00000015'],
    ['1.5E+3', 0, '1500'],
    ['-2.50', 1, '-25'],
    ['0', 5, '0'],
    ['0060', 0, '60'],
  ] as const
  for (const [text, places, plain] of cases) assert.equal(plainDecimal(text, places), plain, text)
})

test('an invalid number is an empty text', () => {
  for (const text of ['', 'NaN', 'Infinity', '1.', '.5', '+1', '1,5', '1e', '1e9999', ' 1', '0x1'])
    assert.equal(plainDecimal(text), '', text)
  assert.equal(plainDecimal('1', 61), '')
})

test('moving the point there and back changes nothing', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: -8, max: 8 }), (value, places) => {
      const back = plainDecimal(plainDecimal(`${value}`, places), -places)
      assert.deepEqual(parseDecimal(back, 0), { ok: true, value: value + 0 })
    }),
  )
})

test('times are whole milliseconds or ISO texts', () => {
  assert.equal(wholeOf('1672515782136'), 1_672_515_782_136)
  for (const text of [null, '', '1.5', 'soon']) assert.equal(wholeOf(text), null)
  assert.equal(msOfIso('2022-12-25T09:30:59.123456Z'), Date.UTC(2022, 11, 25, 9, 30, 59, 123))
  for (const text of [null, '', 'soon']) assert.equal(msOfIso(text), null)
})
