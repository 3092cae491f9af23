import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenAlgo, OpenOrder, OpenTwap } from '../wire.ts'
import { cancelPlan } from './cancel-plan.ts'
import { workRows } from './work-rows.ts'

const order = (i: number, part: object) =>
  ({ i, s: 'BTC', d: 'ask', a: '2', f: '0', c: '0', si: null, ro: false, ...part }) as OpenOrder
const level = (i: number, ot: string, part: object = {}) => order(i, { ot, ro: true, ...part })

const resting = order(1, { ot: 'limit' })
const attached = level(2, 'take_profit_market', { si: 1 })
const armed = level(3, 'stop_loss_market', { si: 99 })
const leg = order(4, { ot: 'stop_market', oco_order_id: 5, expire_time: 70 })
const otherLeg = order(5, { ot: 'limit', oco_order_id: 4, ip: '106000' })
const child = order(7, { ot: 'limit' })
const reduces = order(8, { ot: 'limit', ro: true })
const iceberg = {
  order_id: 6,
  symbol: 'BTC',
  kind: 'iceberg',
  side: 'bid',
  initial_amount: '9',
  filled_amount: '3',
  reduce_only: false,
  child_order_id: 7,
  expire_time: null,
} as OpenAlgo
const twap = { order_id: 9, side: 'bid', reduce_only: true, initial_amount: '4' } as OpenTwap
const work = {
  orders: [resting, attached, armed, leg, otherLeg, child, reduces],
  algos: [iceberg],
  twaps: [twap],
}

test('waiting and running work is one list, with the owner of each', () => {
  const rows = workRows(work)
  assert.deepEqual(
    rows.map(({ id, kind, belongs }) => [id, kind, belongs]),
    [
      [9, 'TWAP', ''],
      [6, 'Iceberg', 'has the sell limit'],
      [4, 'Stop market', 'OCO with the sell limit at 106,000'],
      [3, 'Stop loss market', 'position'],
      [2, 'Take profit market', 'the sell limit'],
    ],
  )
  assert.deepEqual([rows[1]!.filled, rows[1]!.size, rows[2]!.ends], ['3', '9', 70])
})

test('a level shows the size it closes: its rest, or the whole future position', () => {
  const closing = (parts: readonly object[], filled = '0') =>
    workRows({
      orders: [order(1, { ot: 'limit', f: filled }), ...parts] as OpenOrder[],
      algos: [],
      twaps: [],
    }).map(({ size, closes }) => [size, closes])
  const whole = level(2, 'stop_loss_market', { si: 1, whole_position: true })
  assert.deepEqual(closing([whole]), [['2', 'whole position once armed']])
  assert.deepEqual(closing([whole], '0.5'), [['2', 'whole position']])
  // Armed it is as large as the position.
  assert.deepEqual(closing([{ ...whole, si: 99 }]), [['2', '']])
  const cut = level(3, 'take_profit_market', { a: '0.06854', c: '0.06491' })
  assert.deepEqual(closing([cut]), [['0.00363', '']])
})

test('cancelling all names what ends and what stays', () => {
  const everything = { symbol: null, side: null, sparing: false }
  const all = cancelPlan(work, everything)
  assert.equal(all.ends, '3 orders, 1 stop, 2 TP/SL levels, 1 iceberg, 1 TWAP')
  assert.equal(all.leaves, '')
  // A level of an order that ends goes with it, that of a position stays.
  const sparing = cancelPlan(work, { ...everything, sparing: true })
  assert.equal(sparing.ends, '2 orders, 1 stop, 1 TP/SL level, 1 iceberg')
  assert.equal(sparing.leaves, '1 order, 1 TP/SL level, 1 TWAP')
  const nothing = cancelPlan({ orders: [], algos: [], twaps: [] }, everything)
  assert.equal(nothing.ends, 'nothing')
})
