import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from './pace.ts'

test('what gets done while more waits is the pace', () => {
  const pace = new Pace()
  for (let n = 0; n <= 10; n++) pace.finished(10, n * 25, true)
  assert.equal(pace.waitMs(40), 100)
})

test('a pause in which little waited is no pace: the next ones are not told to wait for it', () => {
  const pace = new Pace()
  pace.finished(1, 0, true)
  pace.finished(3, 5_000, true)
  pace.finished(1, 5_001, false)
  assert.equal(pace.waitMs(2), 0)
})

test('little that is slow for long is a pace', () => {
  const pace = new Pace()
  for (let n = 0; n <= 32; n++) pace.finished(1, n * 100, true)
  assert.equal(pace.waitMs(5), 500)
})
