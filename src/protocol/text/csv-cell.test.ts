import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell } from './csv-cell.ts'

test('formulas of a spreadsheet become text, and numbers stay numbers', () => {
  for (const text of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '|calc', '\uFF1D1', '\uFF0B1', '\uFF0D1'])
    assert.equal(csvCell(text), `'${text}`)
  for (const text of ['\uFF20a', '\uFF5Ccalc']) assert.equal(csvCell(text), `'${text}`)
  assert.equal(csvCell('\t=1'), "'\t=1")
  assert.equal(csvCell('\r=1'), `"'\r=1"`)
  for (const text of ['-12.5', '0', '12', 'wire-7', 'a|b', '', '１'])
    assert.equal(csvCell(text), text)
  assert.equal(csvCell('a,"b"'), '"a,""b"""')
})
