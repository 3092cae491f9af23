import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenAlgo, OpenOrder, Position } from '../wire.ts'
import { Account } from './account.ts'

test('a first order brings a leverage where none was chosen and nothing is traded', () => {
  const account = new Account()
  assert.equal(account.firstLeverage('BTC', 50), null)
  account.settings.value = new Map()
  assert.equal(account.firstLeverage('BTC', 50), 10)
  assert.equal(account.firstLeverage('WIF', 5), 5)
  const times = { created_at: 1, updated_at: 1 }
  const row = { symbol: 'BTC', isolated: true, leverage: 50, ...times }
  account.settings.value = new Map([['BTC', { ...row, leverage_set: false }]])
  assert.equal(account.firstLeverage('BTC', 50), 10)
  account.settings.value = new Map([['BTC', { ...row, leverage_set: true }]])
  assert.equal(account.firstLeverage('BTC', 50), null)
  account.applyLeverage('ETH', 3)
  assert.equal(account.leverage('ETH', 50), 3)
  assert.equal(account.firstLeverage('ETH', 50), null)
  account.positions.value = [{ s: 'SOL' } as Position]
  assert.equal(account.firstLeverage('SOL', 20), null)
})

test('an order that closes a whole position has its present size', () => {
  const account = new Account()
  const stop = { os: 'open', s: 'BTC', d: 'ask', si: null, a: '1', whole_position: true }
  const rows = [
    { ...stop, i: 4 },
    { ...stop, i: 3, d: 'bid' },
    { ...stop, i: 2, si: 1 },
    { ...stop, i: 1, whole_position: undefined },
  ] as unknown as readonly OpenOrder[]
  account.setOrders(rows)
  account.followSizes()
  assert.deepEqual(account.orders.value, rows)
  account.positions.value = [{ s: 'BTC', d: 'bid', a: '3' } as Position]
  account.followSizes()
  assert.deepEqual(
    account.orders.value.map(({ i, a }) => [i, a]),
    [
      [4, '3'],
      [3, '1'],
      // It waits for order 1, and is as large as that.
      [2, '1'],
      [1, '1'],
    ],
  )
})

test('the margin mode is locked by the one rule that applies', () => {
  const account = new Account()
  assert.equal(account.modeLock('BTC', false), null)
  assert.equal(account.modeLock('WIF', true), 'WIF has isolated margin only.')
  const algo = { symbol: 'BTC', child_order_id: 2 } as OpenAlgo
  account.algos.value = [algo]
  account.orders.value = [{ s: 'BTC', i: 2 } as OpenOrder, { s: 'ETH', i: 3 } as OpenOrder]
  // The order of an algo counts with the algo.
  assert.match(account.modeLock('BTC', false) ?? '', /^Cancel the open order, stop or algo in BTC /)
  account.orders.value = [...account.orders.value, { s: 'BTC', i: 4 } as OpenOrder]
  assert.match(
    account.modeLock('BTC', false) ?? '',
    /^Cancel the 2 orders, stops and algos in BTC /,
  )
  account.positions.value = [{ s: 'BTC' } as Position]
  assert.match(account.modeLock('BTC', false) ?? '', /^Close the position in BTC /)
})
