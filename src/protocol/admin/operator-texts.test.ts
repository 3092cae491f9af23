import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hiddenIn, isPaymentReference, isReason, scriptProblem } from './operator-texts.ts'

const bad: Readonly<Record<string, string>> = {
  control: '\u0000\u0007\u001b\u007f\u0085',
  bidirectional: '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  'zero-width': '\u00ad\u034f\u180e\u200b\u200c\u200d\u2060\u2063\ufeff\u3164\uffa0',
  blank: '\u2800\u115f\u1160\u17b4\u180b\u180c\u180d\u180f\u{e01ef}',
  lines: '\u2028\u2029',
}
const tags = Array.from({ length: 0x80 }, (_, at) => String.fromCodePoint(0xe0000 + at))

test('a text with an invisible character is refused, in any position', () => {
  for (const each of [...Object.values(bad).flatMap((text) => [...text]), ...tags]) {
    for (const text of [`${each}paid`, `pa${each}id`, `paid${each}`]) {
      assert.notEqual(hiddenIn(text, { lines: true }), null, JSON.stringify(text))
      assert.equal(isReason(text, 500), false)
      assert.equal(isPaymentReference(text), false)
      for (const field of ['reason', 'text', 'title'])
        assert.match(scriptProblem({ [field]: text }) ?? '', /has (the character U\+|half)/)
    }
  }
})

test('a reference has no selector of emoji, with which it would look like another', () => {
  for (const text of ['a\ufe0f', 'a\ufe00', '\u3164', '\u2800'])
    assert.equal(isPaymentReference(text), false, JSON.stringify(text))
  for (const text of ['wire-7731', 'оплата-1', '支払い/7'])
    assert.equal(isPaymentReference(text), true, text)
})

test('any script, accents and emoji are fine, and lines in a text of several', () => {
  for (const text of ['bezahlt', 'оплачено', 'مدفوع', '已付', 'e\u0301', '👍🏽', '⚠️', 'a\u00a0b'])
    assert.equal(hiddenIn(text, { lines: false }), null)
  assert.equal(scriptProblem({ text: 'one\ntwo' }), null)
  assert.match(
    scriptProblem({ title: 'one\ntwo' }) ?? '',
    /^title has the character U\+000A; it may have no control, bidirectional, zero-width or tag/,
  )
})
