import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, emptyDraft } from './order-draft.ts'
import { feeAtMost, feeText } from './order-fee.ts'

const resting = { notional: '5250', fee: '0.7875' }
const feeOf = (part: Partial<Draft>, preview = resting) =>
  feeAtMost({ ...emptyDraft, ...part }, preview, 0.0004)

test('an order that may take on arrival costs at most the taker fee', () => {
  const takes: readonly Partial<Draft>[] = [
    {},
    { tif: 'IOC' },
    { tif: 'FOK' },
    { kind: 'market', postOnly: true, tif: 'TOB' },
    { kind: 'scale', tif: 'TOB' },
    { kind: 'stop', stopLimit: true, postOnly: true },
    { kind: 'oco', postOnly: true },
    { kind: 'twap' },
  ]
  for (const part of takes) assert.equal(feeOf(part), 2.1, JSON.stringify(part))
  // A sale that meets better prices than its own now.
  assert.equal(feeOf({ side: 'ask' }, { notional: '5250', fee: '2.2' }), 2.2)
})

test('an order that never takes costs the fee that the exchange returns', () => {
  const rests: readonly Partial<Draft>[] = [
    { postOnly: true },
    { tif: 'TOB' },
    { kind: 'scale', postOnly: true },
    { kind: 'chase' },
    { kind: 'iceberg' },
  ]
  for (const part of rests) assert.equal(feeOf(part), '0.7875', JSON.stringify(part))
})

test('an order without a value has no fee, and a known fee needs no rate', () => {
  assert.equal(feeAtMost(emptyDraft, null, 0.0004), null)
  assert.equal(feeAtMost(emptyDraft, { notional: null, fee: null }, 0.0004), null)
  assert.equal(feeAtMost(emptyDraft, resting, null), '0.7875')
})

test('the most is rounded up, a rebate down, and no float adds a cent', () => {
  const texts: readonly (readonly [string | number | null, string])[] = [
    ['64.2245', '64.23 USD'],
    ['64.220001', '64.23 USD'],
    ['64.22', '64.22 USD'],
    [160_550 * 0.0004, '64.22 USD'],
    [1.1 * 1.1, '1.21 USD'],
    ['0.000001', '0.0001 USD'],
    ['0.0032', '0.0032 USD'],
    ['0.009999', '0.0100 USD'],
    ['0', '0.00 USD'],
    ['-1.239', '-1.23 USD'],
    ['12345.671', '12,345.68 USD'],
    [null, '–'],
  ]
  for (const [fee, text] of texts) assert.equal(feeText(fee), text, String(fee))
})
