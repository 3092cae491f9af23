import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marginRatio } from './account.ts'

test('the margin ratio is of the cross account alone', () => {
  assert.equal(marginRatio({ cm: '50', ce: '200' }), 0.25)
  assert.equal(marginRatio({ cm: '0', ce: '0' }), 0)
  assert.equal(marginRatio({ cm: '50', ce: '-1' }), 1)
})
