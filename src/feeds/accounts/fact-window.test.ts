// Facts kept for returning readers, and from which place on they are complete.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Facts, FactWindow } from './fact-window.ts'
import type { Fact } from './facts.ts'

const fact = (seq: number) =>
  ({ type: 'channel', channel: 'accountLeverage', seq, atMs: 0, content: {} }) as Fact
const places = (facts: Facts, from: number) => facts.after(from).map(({ seq }) => seq)

test('facts are returned in order from any complete place', () => {
  const window = new FactWindow()
  const facts = new Facts(10)
  for (const seq of [11, 12, 12, 15]) window.add(facts, fact(seq))
  assert.deepEqual(places(facts, 10), [11, 12, 12, 15])
  assert.deepEqual(places(facts, 12), [15])
  assert.deepEqual(places(facts, 15), [])
  assert.equal(facts.completeAfter, 10)
})

test('an account with too many facts drops its oldest, and reports it', () => {
  const window = new FactWindow({ perAccount: 3, inAll: 1_000 })
  const facts = new Facts(0)
  for (let seq = 1; seq <= 1_000; seq++) window.add(facts, fact(seq))
  assert.deepEqual(places(facts, facts.completeAfter), [998, 999, 1_000])
})

test('all accounts together drop the oldest of all', () => {
  const window = new FactWindow({ perAccount: 1_000, inAll: 4 })
  const one = new Facts(0)
  const other = new Facts(0)
  for (const seq of [1, 2, 3]) window.add(one, fact(seq))
  for (const seq of [4, 5]) window.add(other, fact(seq))
  assert.deepEqual([one.completeAfter, other.completeAfter], [1, 0])
  for (let seq = 6; seq <= 5_000; seq++) window.add(other, fact(seq))
  assert.deepEqual([one.count, other.count], [0, 4])
  assert.deepEqual(places(other, other.completeAfter), [4_997, 4_998, 4_999, 5_000])
  assert.equal(one.completeAfter, 3)
})
