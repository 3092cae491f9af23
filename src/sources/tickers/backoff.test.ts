import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backoff } from './backoff.ts'

const waits = (backoff: Backoff, lasted: readonly number[]) => lasted.map((ms) => backoff.next(ms))

test('each wait is up to twice the one before, and never above half a minute', () => {
  const most = waits(new Backoff(() => 0.999_999), Array(12).fill(0))
  assert.deepEqual(most, [500, 1_000, 2_000, 4_000, 8_000, 16_000, ...Array(6).fill(30_000)])
  assert.deepEqual(waits(new Backoff(() => 0), [0, 0, 0]), [250, 500, 1_000])
})

test('a connection that lasted a minute makes the next attempt a first one', () => {
  const backoff = new Backoff(() => 0)
  assert.deepEqual(waits(backoff, [0, 0, 59_999, 60_000, 0]), [250, 500, 1_000, 250, 500])
})
