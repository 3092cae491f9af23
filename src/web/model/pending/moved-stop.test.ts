import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridOf } from '../market/market-grid.ts'
import type { OpenOrder } from '../wire.ts'
import { lostBy, movedStop } from './moved-stop.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })
const row = (part: object) =>
  ({
    i: 1,
    I: null,
    s: 'BTC',
    d: 'bid',
    a: '2',
    f: '0',
    c: '0',
    ro: false,
    si: null,
    ...part,
  }) as OpenOrder
const stop = (part: object = {}) => row({ ot: 'stop_market', ip: '0', sp: '110', ...part })

test('a moved stop has all that the old one had', () => {
  const plain = { symbol: 'BTC', side: 'bid', reduce_only: false }
  assert.deepEqual(movedStop(stop(), '112', [stop()], grid), {
    ...plain,
    stop_order: { stop_price: '112', amount: '2' },
  })
  const turned = stop({
    ot: 'stop_limit',
    ip: '111',
    trigger_direction: 'lte',
    trigger_price_type: 'last_trade_price',
    expire_time: 70,
    c: '0.5',
  })
  assert.deepEqual(movedStop(turned, '108', [turned], grid), {
    ...plain,
    stop_order: {
      stop_price: '108',
      limit_price: '111',
      trigger_direction: 'lte',
      trigger_price_type: 'last_trade_price',
      amount: '1.5',
    },
    expire_time: 70,
  })
  const exit = stop({ ro: true, whole_position: true, slippage_percent: '2' })
  assert.deepEqual(movedStop(exit, '112', [exit], grid), {
    ...plain,
    reduce_only: true,
    stop_order: { stop_price: '112', slippage_percent: '2' },
  })
})

const trailing = { trailing_percent: '2', trailing_distance: null, activation_price: '120' }
const level = (i: number, ot: string, part: object) =>
  row({ i, ot, d: 'ask', ip: '0', ro: true, si: 1, ...part })

test('the levels that it brings come along', () => {
  const orders = [
    level(5, 'stop_loss_market', { sp: null, trailing, whole_position: true }),
    level(3, 'take_profit_limit', { sp: '130', ip: '129', a: '1', I: 'mine' }),
    level(2, 'take_profit_market', { sp: '120', a: '1' }),
    stop(),
    level(6, 'take_profit_market', { sp: '150', si: 9 }),
  ]
  const { take_profit, stop_loss } = movedStop(stop(), '112', orders, grid)
  assert.deepEqual(take_profit, [
    { stop_price: '120', amount: '1' },
    { stop_price: '130', limit_price: '129', amount: '1' },
  ])
  assert.deepEqual(stop_loss, { trailing_percent: '2', activation_price: '120' })
  // Only a client id cannot be had twice.
  assert.match(lostBy(stop(), orders), /without the client id mine/)
  assert.equal(lostBy(stop(), [stop()]), '')
})
