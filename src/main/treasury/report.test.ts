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

test('an amount that is too large is refused with the maximum', () => {
  const says = (amount: string) => {
    const read = readReport({ type: 'deposit', reference: 'wire-7', account, amount })
    return isSlip(read) ? read.says : null
  }
  assert.equal(says('4503599627.370496'), null)
  for (const large of ['4503599627.370497', '9'.repeat(30)])
    assert.match(says(large)!, /^"\d.*" is too large: at most 4503599627\.370496 USD$/)
  for (const wrong of ['0', '-1', `-${'9'.repeat(30)}`, '1e3', '0.0000001', ''])
    assert.match(says(wrong)!, /must be USD above 0 with 6 decimals at most/, wrong)
})

test('a reason is a line that people read', () => {
  const says = (reason: string) => {
    const read = readReport({ type: 'failed', withdrawal_id: '7', reason })
    return isSlip(read) ? read.says : null
  }
  assert.equal(says('Konto gelöscht'), null)
  for (const bad of ['', ' ', 'a\nb', '\u0000', ' a', '\ud800', 'x'.repeat(401)])
    assert.match(says(bad)!, /must be 1 to 400 characters on one line/, JSON.stringify(bad))
})
