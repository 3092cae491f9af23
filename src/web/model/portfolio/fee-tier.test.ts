import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tierProgress, tiersOf } from './fee-tier.ts'

const level = (at: number) => ({ level: at, maker_fee_rate: '0', taker_fee_rate: '0' })
const tiers = tiersOf([level(0), level(1), level(2)], ['0', '1000', '5000'])

test('the way to the next tier is what is left of its volume', () => {
  const { tier, next, left, share } = tierProgress(tiers, 1, 2_000)
  assert.deepEqual([tier?.from, next?.from, left, share], [1_000, 5_000, 3_000, 0.25])
})

test('a volume that reaches the next tier before midnight has nothing left', () => {
  assert.deepEqual(tierProgress(tiers, 0, 1_500).left, 0)
  assert.equal(tierProgress(tiers, 0, 1_500).share, 1)
})

test('the highest tier has no next one, and volumes may be unknown', () => {
  assert.equal(tierProgress(tiers, 2, 9_000).next, undefined)
  assert.equal(tierProgress(tiersOf([level(0), level(1)], []), 0, 5).left, 0)
})
