import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleaned, entryProblem, isNumber, readEntry } from './number-entry.ts'

const read = (text: string, places?: number) => readEntry(text, places).number

test('a decimal comma is a decimal comma', () => {
  for (const [typed, meant] of [
    ['1,5', '1.5'],
    ['0,05', '0.05'],
    [',5', '0.5'],
    ['1,2345', '1.2345'],
    ['0,125', '0.125'],
    ['1234,567', '1234.567'],
    ['1.234,5', '1234.5'],
    ['1.234.567,89', '1234567.89'],
    ['1 234,5', '1234.5'],
    ['1\u00a0234\u202f567,5', '1234567.5'],
  ])
    assert.equal(read(typed!), meant, typed)
})

test('thousands may be divided where nothing else can be meant', () => {
  for (const [typed, meant] of [
    ['1,234.5', '1234.5'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1 234', '1234'],
    ["1'234.5", '1234.5'],
    ['1,200.', '1200'],
  ])
    assert.equal(read(typed!), meant, typed)
})

test('plain numbers stay as they are, also half typed', () => {
  for (const [typed, meant] of [
    ['15', '15'],
    ['1.234', '1.234'],
    ['1.2340', '1.2340'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['5,', '5'],
    [' 7 ', '7'],
    ['0', '0'],
  ])
    assert.equal(read(typed!), meant, typed)
})

test('one group of three is refused where it may be both, with both', () => {
  assert.deepEqual(readEntry('1,234', 5), { number: null, readings: ['1234', '1.234'] })
  assert.equal(entryProblem('1,234', 5), 'may be 1234 or 1.234: write it so')
  assert.equal(isNumber('1,234'), false)
  // Whole dollars and cents have no third decimal.
  assert.equal(read('2,500', 2), '2500')
  assert.equal(read('100,010', 0), '100010')
  assert.deepEqual(readEntry('100.010', 0).readings, ['100010', '100.010'])
  assert.equal(read('1.234', 5), '1.234')
})

test('all other input is not a number, and is kept as typed', () => {
  const others = [
    '',
    '1e3',
    '-5',
    '+5',
    '1..5',
    '1,,5',
    '1.5.2',
    '1,5,2',
    '1,5.2',
    '12,34.5',
    '1 5',
    '1,23,456',
    '007',
    '0,0,0',
    '1.234,567,8',
    '1,234,',
    '$100',
    '100 USD',
    'NaN',
    'Infinity',
    '0x10',
    '١٢',
    '１２',
    '1\n2',
    '1 234 5',
  ]
  for (const typed of others) {
    assert.equal(read(typed), null, typed)
    assert.equal(isNumber(typed), false, typed)
    assert.equal(cleaned(typed), typed.trim())
  }
  assert.equal(entryProblem(' '), 'is missing')
  assert.equal(entryProblem('1e3'), 'is not a number')
})

test('whatever is understood is the digits that were typed, in their order', () => {
  const marks = [',', '.', ' ', '']
  const parts = ['1', '5', '12', '005', '234', '0']
  for (const a of parts)
    for (const one of marks)
      for (const b of parts)
        for (const two of marks)
          for (const c of [...parts, '']) {
            const typed = `${a}${one}${b}${two}${c}`
            const number = read(typed)
            if (number === null) continue
            const digits = (text: string) => text.replace(/[^0-9]/g, '')
            assert.equal(digits(number), digits(typed), typed)
            // No mark is dropped that does not divide whole groups of three.
            if (!number.includes('.') && /[,.]./.test(typed))
              assert.match(typed, /^[0-9]{1,3}(?:[,. ][0-9]{3})+[.,]?$/, typed)
          }
})
