import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../client/client.ts'
import type { Trader } from '../account/trader.ts'
import type { Desk } from '../desk.ts'
import { gridOf } from '../market/market-grid.ts'
import type { NewNotice } from '../notices.ts'
import type { OpenAlgo, OpenTwap, OrderUpdate } from '../wire.ts'
import { notifyFailedAlgos, notifyFailedStops, sliceRefusal } from './failed-work.ts'

function failing() {
  const notices: NewNotice[] = []
  const desk = {
    notices: { show: (notice: NewNotice) => notices.push(notice) },
    markets: { gridOf: () => gridOf({ tick_size: '1', lot_size: '0.001' }) },
  } as unknown as Desk
  return { desk, notices }
}

/** Written at the second time of asking. */
function late(rows: readonly object[]) {
  let calls = 0
  return async () => ({ rows: calls++ === 0 ? [] : rows })
}

const stop = (i: number, oe: string, ot = 'stop_market') => ({ i, oe, ot }) as OrderUpdate
const row = (order_id: number, reason: string) => ({
  order_id,
  reason,
  symbol: 'BTC',
  side: 'ask',
  stop_price: '89900',
  amount: '1000',
  order_type: 'stop_market',
})

test('a stop that was refused when it fired gets a lasting notice', async () => {
  const { desk, notices } = failing()
  const getOrderHistory = late([row(1, 'ORDER_AMOUNT_TOO_HIGH'), row(2, 'liquidation')])
  const trader = { address: 'me', client: { getOrderHistory } } as unknown as Trader
  const changed = [stop(1, 'force_cancel'), stop(2, 'force_cancel'), stop(3, 'stop_triggered')]
  await notifyFailedStops(desk, trader, changed)
  assert.deepEqual(
    notices.map(({ title, text, stays }) => [title, text, stays]),
    [
      [
        'Stop market failed, BTC',
        'The stop fired at 89,900, but the order to sell 1,000 was refused: the order was too ' +
          'large. Nothing was traded.',
        true,
      ],
    ],
  )
})

test('a triggered stop that expires before its position is closed is reported', async () => {
  const { desk, notices } = failing()
  const order = { i: 1, s: 'BTC', ot: 'market', r: true, oe: 'expired', a: '2', f: '1.5' }
  const rows = [
    { ...order, expire_time: 70 },
    { ...order, i: 2 },
    { ...order, i: 3, r: false, expire_time: 70 },
  ]
  await notifyFailedStops(desk, {} as Trader, rows as OrderUpdate[])
  assert.deepEqual(
    notices.map(({ title, text, stays }) => [title, text, stays]),
    [
      [
        'Triggered stop expired, BTC',
        '1.5 of 2 were filled in its time. The position is still open, without this stop.',
        true,
      ],
    ],
  )
})

test('so is an algo that ended because its orders were refused', async () => {
  const { desk, notices } = failing()
  const amounts = { symbol: 'BTC', filled_amount: '0.1', initial_amount: '2' }
  const algo = (order_id: number, reason: string) => ({
    order_id,
    kind: 'chase',
    reason,
    order_status: 'cancelled',
    ...amounts,
  })
  const getAlgoHistory = late([algo(1, 'refused'), algo(2, 'owner')])
  const trader = { address: 'me', client: { getAlgoHistory } } as unknown as Trader
  const open = [{ order_id: 1 }, { order_id: 2 }, { order_id: 3 }] as OpenAlgo[]
  await notifyFailedAlgos(desk, trader, open, open.slice(2))
  assert.deepEqual(
    notices.map(({ title, stays }) => [title, stays]),
    [['Chase failed, BTC', true]],
  )
  assert.match(notices[0]!.text, /ended with 0\.1 of 2 filled/)
})

test('a TWAP without fills shows why its slices are refused', async () => {
  const twap = { symbol: 'BTC', side: 'bid', planned_sub_order_amount: '9' } as OpenTwap
  const says = (answer: object | null) => {
    const previewOrder = async () => answer ?? Promise.reject(new Error('no answer'))
    return sliceRefusal({ previewOrder } as unknown as Client, 'me', twap)
  }
  const error = 'order value is above the most'
  const refused = 'slices are refused: Order value is above the most'
  assert.equal(await says({ accepted: false, error }), refused)
  assert.equal(await says({ accepted: true }), 'nothing filled yet')
  assert.equal(await says(null), 'nothing filled yet')
})
