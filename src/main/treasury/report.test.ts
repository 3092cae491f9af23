import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey } from '../../client/key.ts'
import { isSlip, readReport } from './report.ts'

const account = newKey().address
const slipOf = (reference: string) => {
  const read = readReport({ type: 'deposit', reference, account, amount: '5' })
  return isSlip(read) ? read.column : null
}

test('a reference that only looks like another one is refused', () => {
  for (const fine of ['wire-7', '\u00fcberweisung-7', '=7', '0x51c0'])
    assert.equal(slipOf(fine), null, fine)
  const alike = [
    'wire-7\u200b',
    'u\u0308berweisung-7',
    'invoice\u00a07',
    ' wire-7',
    'wire 7',
    'wire-7\u0000',
    'wire-7\t',
    '\ud800',
  ]
  for (const each of alike) assert.equal(slipOf(each), 'reference', JSON.stringify(each))
})
