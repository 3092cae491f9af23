import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenAlgo, OpenOrder, Position } from '../wire.ts'
import { linesOf, noteAt } from './chart-lines.ts'

const long = { s: 'BTC', d: 'bid', a: '2', p: '100', l: '60' } as Position
const level = (part: Partial<OpenOrder>) =>
  ({
    i: 7,
    s: 'BTC',
    d: 'ask',
    a: '2',
    f: '0',
    c: '0',
    ot: 'stop_loss_market',
    si: null,
    ...part,
  }) as OpenOrder
const limit = {
  i: 8,
  s: 'BTC',
  d: 'bid',
  a: '1',
  f: '0',
  ip: '90',
  sp: null,
  ot: 'limit',
} as OpenOrder

test('a position has its entry and its liquidation, orders and levels a line each', () => {
  const elsewhere = { ...limit, s: 'ETH' } as OpenOrder
  const trails = level({ i: 9, sp: null, ot: 'stop_market' })
  const market = { ...limit, ot: 'market' } as OpenOrder
  const lines = linesOf('BTC', [long], [level({ sp: '95' }), limit, elsewhere, trails, market])
  assert.deepEqual(
    lines.map(({ kind, price, drags }) => [kind, price, drags]),
    [
      ['entry', '100', false],
      ['liquidation', '60', false],
      ['stop_loss', '95', true],
      ['order', '90', true],
    ],
  )
})

test('a stop that trails has a line where it would fire, and is not dragged', () => {
  const none = { trailing_distance: null, activation_price: null }
  const trailing = { ...none, trailing_percent: '1', extreme_price: '110' }
  const stop = level({ i: 9, sp: '108.9', ot: 'stop_market', trailing })
  const [line] = linesOf('BTC', [], [stop])
  assert.deepEqual([line!.label, line!.price, line!.drags], ['Trailing sell 2', '108.9', false])
})

test('a level shows the gain of its part, an order its distance', () => {
  const [, , half] = linesOf('BTC', [long], [level({ sp: '95', a: '0.5' })])
  assert.equal(noteAt(half!, 95, 100), '-2.50 USD')
  assert.equal(noteAt(half!, 104, 100), '+2.00 USD')
  const [order] = linesOf('BTC', [], [limit])
  assert.equal(noteAt(order!, 90, 100), '-10.00%')
})

test('a leg of an OCO names the other one, and the stop is not dragged', () => {
  const stop = level({ i: 9, d: 'bid', sp: '11000.5', ot: 'stop_market', oco_order_id: 8 })
  const shown = (...orders: readonly OpenOrder[]) =>
    linesOf('BTC', [], orders).map(({ label, drags }) => [label, drags])
  const rests = { ...limit, oco_order_id: 9 } as OpenOrder
  assert.deepEqual(shown(rests, stop), [
    ['OCO with stop 11,000.5: Buy 1', true],
    ['OCO with limit 90: Stop buy 2', false],
  ])
  const sells = level({ i: 8, sp: '80', ot: 'stop_market', oco_order_id: 9 })
  assert.deepEqual(shown(sells, stop), [
    ['OCO with buy stop 11,000.5: Stop sell 2', false],
    ['OCO with sell stop 80: Stop buy 2', false],
  ])
  const trailing = { trailing_percent: '1' } as OpenOrder['trailing']
  assert.deepEqual(shown(rests, { ...stop, trailing } as OpenOrder), [
    ['OCO with trailing stop: Buy 1', true],
    ['OCO with limit 90: Trailing buy 2', false],
  ])
  // The other one has ended, and this one was spared.
  const [alone] = linesOf('BTC', [], [stop])
  assert.deepEqual([alone!.label, alone!.drags], ['Stop buy 2', true])
})

test('an iceberg is labelled with its visible and its whole size', () => {
  const iceberg = { order_id: 5, kind: 'iceberg', initial_amount: '9', child_order_id: 8 }
  const [line] = linesOf('BTC', [], [limit], [iceberg as OpenAlgo])
  assert.deepEqual([line!.label, line!.price, line!.drags], ['Iceberg buy 1 of 9', '90', false])
})

test('each of several levels has its share and a name of its own', () => {
  const levels = [
    level({ i: 12, sp: '120', a: '0.5', ot: 'take_profit_market' }),
    level({ i: 11, sp: '110', a: '1.5', ot: 'take_profit_market' }),
  ]
  const lines = linesOf('BTC', [long], levels).slice(2)
  assert.deepEqual(
    lines.map(({ id, label, drags }) => [id, label, drags]),
    [
      ['take_profit-BTC-2', 'TP 25%', true],
      ['take_profit-BTC', 'TP 75%', true],
    ],
  )
  const small = (a: string) => linesOf('BTC', [long], [level({ sp: '95', a })])[2]!.label
  assert.deepEqual(['0.02', '0.006', '0.001'].map(small), ['SL 1%', 'SL 0.3%', 'SL <0.1%'])
})
