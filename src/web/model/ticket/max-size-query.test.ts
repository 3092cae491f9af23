import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridOf } from '../market/market-grid.ts'
import { untoldLimits } from '../market/markets.ts'
import { maxSizeKey, maxSizeQuery } from './max-size-query.ts'
import { type Draft, emptyDraft } from './order-draft.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })
const ordered = {
  symbol: 'BTC',
  amount: '',
  grid,
  mark: 100,
  now: 0,
  minOrderUsd: 0,
  limits: untoldLimits,
}
const probe = (part: Partial<Draft>) => {
  const { account, symbol, side, amount, reduce_only, ...how } = maxSizeQuery(
    { ...emptyDraft, ...part },
    ordered,
    { account: 'me', mark: '100' },
  )
  assert.deepEqual([account, symbol, side, amount], ['me', 'BTC', 'bid', '0.001'])
  assert.equal(reduce_only, false)
  return how
}

test('the maximum is requested with the typed price and kind, regardless of the size', () => {
  assert.deepEqual(probe({ kind: 'limit', price: '110' }), { price: '110', tif: 'GTC' })
  assert.deepEqual(probe({ kind: 'limit', price: '110', size: '7', postOnly: true }), {
    price: '110',
    tif: 'ALO',
  })
  assert.deepEqual(probe({ kind: 'market', slippage: '3' }), { slippage_percent: '3' })
  assert.deepEqual(probe({ kind: 'iceberg', price: '90' }), { price: '90', tif: 'ALO' })
  assert.deepEqual(probe({ kind: 'stop', stop: '120' }), { slippage_percent: '10' })
  assert.deepEqual(probe({ kind: 'scale', price: '90', to: '80' }), { price: '90', tif: 'GTC' })
  // A limit order without a price is not a limit order yet.
  assert.deepEqual(probe({ kind: 'limit' }), { slippage_percent: '1' })
})

test('another price, kind or side has another most, another size has not', () => {
  const limit: Draft = { ...emptyDraft, kind: 'limit', price: '110' }
  const about = (part: Partial<Draft>) => maxSizeKey({ ...limit, ...part })
  for (const part of [{ price: '111' }, { kind: 'market' }, { side: 'ask' }] as const)
    assert.notEqual(about(part), about({}))
  for (const part of [{ size: '2' }, { stop: '120' }, { ends: '1h' }] as const)
    assert.equal(about(part), about({}))
  assert.notEqual(about({ kind: 'market', slippage: '2' }), about({ kind: 'market' }))
})
