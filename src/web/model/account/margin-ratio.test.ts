import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Position } from '../wire.ts'
import { crossRatio, isolatedRatio, positionRatio, worstRatio } from './margin-ratio.ts'

/** A long of 1 at 100 with a margin of 10, liquidated at 91, where 1 % of the value is left. */
const long = { s: 'BTC', d: 'bid', a: '1', p: '100', m: '10', l: '91', i: true } as Position

test('the ratio of the cross account is maintenance over equity, and at most 1', () => {
  assert.equal(crossRatio({ cm: '50', ce: '200' }), 0.25)
  assert.equal(crossRatio({ cm: '0', ce: '0' }), 0)
  assert.equal(crossRatio({ cm: '50', ce: '-1' }), 1)
})

test('an isolated position is at 1 at its liquidation price, and lower before', () => {
  assert.equal(isolatedRatio(long, 91), 1)
  assert.equal(isolatedRatio(long, 90), 1)
  assert.ok(Math.abs(isolatedRatio(long, 100) - 100 / 91 / 10) < 1e-12)
  assert.equal(isolatedRatio({ ...long, l: null }, 100), 0)
})

test('the worst ratio counts, and a cross position has that of the account', () => {
  const numbers = { cm: '1', ce: '100' }
  assert.equal(worstRatio(numbers, [long], () => 91.2) > 0.8, true)
  assert.equal(
    worstRatio(numbers, [], () => 0),
    0.01,
  )
  assert.equal(positionRatio({ ...long, i: false }, 91, 0.01), 0.01)
})
