import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replyLines } from './reply-lines.ts'

test('text from other accounts moves no cursor, and hides no line', () => {
  const up = '\u001b[1A\u001b[2K'
  const lines = replyLines([
    { who: 'ann', why: 'first' },
    { who: 'eve', why: `${up}\r\n\u202egood` },
  ])
  assert.equal(lines.length, 3)
  assert.match(lines[2]!, /eve +\\u\{1b\}\[1A\\u\{1b\}\[2K\\u\{d\}\\n\\u\{202e\}good/)
  assert.doesNotMatch(lines.join(''), /\p{Cc}|\p{Cf}/u)
})
