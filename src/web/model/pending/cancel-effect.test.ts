import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenAlgo, OpenOrder } from '../wire.ts'
import { cancelEffect } from './cancel-effect.ts'

const order = (i: number, part: object = {}) =>
  ({
    i,
    s: 'BTC',
    d: 'ask',
    a: '2',
    ot: 'limit',
    si: null,
    ip: '100',
    sp: null,
    ...part,
  }) as OpenOrder
const chase = {
  order_id: 9,
  kind: 'chase',
  child_order_id: 2,
  filled_amount: '1',
  initial_amount: '4',
} as OpenAlgo

test('cancelling names the orders that end with it', () => {
  const level = { ot: 'stop_loss_market', si: 5 }
  const open = {
    orders: [
      order(1),
      order(2),
      order(3, { oco_order_id: 4 }),
      order(4, { oco_order_id: 3, ot: 'stop_market' }),
      order(5),
      order(6, level),
      order(7, { ...level, ot: 'take_profit_market' }),
    ],
    algos: [chase],
  }
  const said = (id: number) => {
    const { button, also } = cancelEffect(id, open)
    return [button, also]
  }
  assert.deepEqual(said(1), ['Cancel', ''])
  assert.deepEqual(said(2), ['Cancel chase', 'The whole chase ends, 1 of 4 filled.'])
  assert.deepEqual(said(3), ['Cancel both', 'Both legs of the OCO end.'])
  assert.deepEqual(said(4), said(3))
  assert.deepEqual(said(5), ['Cancel with TP/SL', 'With it its 2 levels end.'])
  assert.deepEqual(said(6), ['Cancel', ''])
})
