import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenOrder, Position } from '../wire.ts'
import { linesOf, noteAt } from './chart-lines.ts'

const long = { s: 'BTC', d: 'bid', a: '2', p: '100', l: '60' } as Position
const level = (part: Partial<OpenOrder>) =>
  ({
    i: 7,
    s: 'BTC',
    d: 'ask',
    a: '2',
    f: '0',
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
  const lines = linesOf('BTC', [long], [level({ sp: '95' }), limit, elsewhere, trails])
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

test('a level says what its part of the position gains, an order how far away it is', () => {
  const [, , half] = linesOf('BTC', [long], [level({ sp: '95', a: '0.5' })])
  assert.equal(noteAt(half!, 95, 100), '-2.50 USD')
  assert.equal(noteAt(half!, 104, 100), '+2.00 USD')
  const [order] = linesOf('BTC', [], [limit])
  assert.equal(noteAt(order!, 90, 100), '-10.00%')
})
