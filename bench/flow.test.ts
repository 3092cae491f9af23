import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFlow } from './flow.ts'

test('the flow is the one that every engine was measured with', () => {
  const flow = makeFlow({ commands: 20_000, seed: 7, prefill: 2_000 })
  const expected = { trades: 2_562, lots: 18_334, notional: 916_806_797n, hash: 3_905_227_346 }
  assert.deepEqual(flow.reference, expected)
  const counts = [0, 0, 0, 0]
  for (let i = flow.prefill; i < flow.count; i++) counts[flow.type[i] as number]! += 1
  assert.deepEqual(counts, [9_569, 8_471, 1_548, 412])
})
