import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, emptyDraft } from './order-draft.ts'
import { holds } from './verdict.ts'

test('a refusal of before is of exactly these fields, and of a moment ago', () => {
  const draft = { ...emptyDraft, price: '100' }
  const verdict = { draft, at: 1_000 }
  assert.equal(holds(verdict, draft, 1_000), true)
  assert.equal(holds(verdict, draft, 6_000), true)
  assert.equal(holds(verdict, draft, 6_001), false)
  assert.equal(holds(verdict, changed(draft, { price: '101' }), 1_000), false)
  assert.equal(holds(null, draft, 1_000), false)
})
