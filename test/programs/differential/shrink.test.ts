import assert from 'node:assert/strict'
import { test } from 'node:test'
import { historyOf, historyText, minimised } from './shrink.ts'

/** Fails at the first 7 that a 3 went before. */
function failing(list: readonly number[]): readonly number[] | null {
  const three = list.indexOf(3)
  const seven = list.findIndex((value, at) => value === 7 && three >= 0 && at > three)
  return seven < 0 ? null : list.slice(0, seven + 1)
}

test('the rest of a failing list is the part that makes it fail', () => {
  const list = Array.from({ length: 1_000 }, (_, i) => i % 10)
  assert.deepEqual(minimised(list, failing, 1_000), [3, 7])
})

test('shrinking ends when its attempts are used up', () => {
  const list = Array.from({ length: 1_000 }, () => 3).concat(7)
  let calls = 0
  const counting = (part: readonly number[]) => {
    calls += 1
    return failing(part)
  }
  minimised(list, counting, 5)
  assert.ok(calls <= 6)
})

test('a history survives being written and read, with the numbers JSON does not know', () => {
  const history = [{ price: Number.NaN, size: Number.POSITIVE_INFINITY, amount: -1.5, text: 'x' }]
  assert.deepEqual(historyOf(historyText(history)), history)
})
