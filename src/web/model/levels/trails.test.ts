import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenOrder } from '../wire.ts'
import { atMark } from './trails.ts'

const tick = { stepValue: 1, stepScale: 0 }
const none = { trailing_percent: null, trailing_distance: null, activation_price: null }
const stop = (d: 'bid' | 'ask', trailing: object) =>
  ({ i: 1, d, sp: null, trailing: { ...none, extreme_price: null, ...trailing } }) as OpenOrder

/** Where it fires after each of these marks. */
function followed(order: OpenOrder, marks: readonly number[]): (string | null)[] {
  let now = order
  return marks.map((mark) => {
    now = atMark(now, String(mark), tick)
    return now.sp
  })
}

// The worked cases of TRIG-11.
test('a sell follows the highest mark, a buy from its activation on the lowest', () => {
  const sell = stop('ask', { trailing_percent: '1' })
  assert.deepEqual(followed(sell, [60_000, 60_500, 61_003, 60_400]), [
    ...['59400', '59895', '60392', '60392'],
  ])
  const buy = stop('bid', { trailing_distance: '200', activation_price: '59500' })
  assert.deepEqual(followed(buy, [60_000, 59_450, 59_300, 59_499]), [
    ...[null, '59650', '59500', '59500'],
  ])
})

test('an unmoved trail is the same object, and a plain stop is left alone', () => {
  const started = atMark(stop('ask', { trailing_percent: '1' }), '60000', tick)
  assert.equal(atMark(started, '59999', tick), started)
  const { trailing: _, ...plain } = started
  assert.equal(atMark(plain as OpenOrder, '1', tick), plain)
})
