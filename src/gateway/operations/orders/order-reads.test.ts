// Orders as they are, as they were, and as they would be.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressNamed, exchangeOf, refusedWith, replyOf } from '../../../../test/support/desk.ts'
import { BTC, given, levelAt, START } from '../../../../test/support/scene.ts'
import type { OrderEventRow, OrderRow } from '../../../projections/history/history.ts'
import { stateHash } from '../../../sequencer/snapshots/state-hash.ts'
import { previewOrder } from '../previews/preview-order.ts'
import { getOpenOrders } from './get-open-orders.ts'
import { getOrderEvents } from './get-order-events.ts'
import { getOrderHistory } from './get-order-history.ts'

const alice = addressNamed('alice')
const bob = addressNamed('bob')
const funds = { [alice]: 1_000_000_000, [bob]: 10 ** 12 }
const uuid = '7a1f8f5e-0d8f-4b7a-9c39-3b7b1f2f8a10'
type Row = Record<string, unknown>

test('open orders are shown to the field', async () => {
  const scene = given({ funds })
  scene.bid(alice, 100, 59_000, { clientOrderId: uuid })
  scene.stop(alice, 'ask', levelAt(58_000, { size: 7, limitPrice: 57_900 }), { reduceOnly: true })
  const reply = await replyOf(getOpenOrders, exchangeOf(scene), { account: alice })
  const shared = { symbol: 'BTC', filled_amount: '0', cancelled_amount: '0' }
  const none = { stop_parent_order_id: null, created_at: START, updated_at: START }
  assert.deepEqual(reply, {
    rows: [
      {
        ...{ order_id: 2, client_order_id: null, ...shared, side: 'ask', price: '57900' },
        ...{ initial_amount: '0.00007', stop_price: '58000', order_type: 'stop_limit', ...none },
        reduce_only: true,
      },
      {
        ...{ order_id: 1, client_order_id: uuid, ...shared, side: 'bid', price: '59000' },
        ...{ initial_amount: '0.001', stop_price: null, order_type: 'limit', ...none },
        reduce_only: false,
        queue: { ahead: '0', behind: '0', orders_ahead: 0 },
      },
    ],
    last_order_id: scene.state.seq,
  })
  const stranger = await replyOf(getOpenOrders, exchangeOf(scene), { account: addressNamed('new') })
  assert.deepEqual(stranger.rows, [])
})

const order: OrderRow = {
  order: 7,
  clientOrderId: uuid,
  account: alice,
  market: BTC,
  side: 'bid',
  orderType: 'limit',
  initialPrice: 60_000,
  price: 60_010,
  initialLots: 100,
  filledLots: 30,
  cancelledLots: 70,
  filledValue: 18_000_010,
  status: 'cancelled',
  stopPrice: null,
  parent: null,
  reduceOnly: false,
  expireTime: null,
  mmp: false,
  trailDistance: null,
  trailPpm: null,
  trailActivation: null,
  extreme: null,
  oco: null,
  source: null,
  turned: false,
  reason: 'owner',
  createdAt: START,
  updatedAt: START + 5,
}

test('order history has one row per order', async () => {
  const scene = given({ funds })
  const fresh = { ...order, order: 8, filledLots: 0, cancelledLots: 0, status: 'open' } as const
  const exchange = exchangeOf(scene, { rows: { orders: [order, { ...fresh, reason: null }] } })
  const { rows, has_more } = await replyOf<{ rows: Row[]; has_more: boolean }>(
    getOrderHistory,
    exchange,
    { account: alice },
  )
  assert.equal(has_more, false)
  assert.deepEqual([rows[0]?.order_id, rows[0]?.average_filled_price], [8, null])
  assert.deepEqual(rows[1], {
    order_id: 7,
    client_order_id: uuid,
    symbol: 'BTC',
    side: 'bid',
    initial_price: '60000',
    price: '60010',
    amount: '0.001',
    initial_amount: '0.001',
    filled_amount: '0.0003',
    cancelled_amount: '0.0007',
    average_filled_price: '60000.03333333333333333333333',
    order_status: 'cancelled',
    stop_price: null,
    order_type: 'limit',
    stop_parent_order_id: null,
    reduce_only: false,
    reason: 'owner',
    created_at: START,
    updated_at: START + 5,
  })
})

test('the events of an order, by its id or by its client id', async () => {
  const ended: OrderEventRow = { ...order, unreleased: false, id: 4, event: 'cancel', atMs: START }
  const event: OrderEventRow = { ...ended, id: 3, event: 'make', filledLots: 0, filledValue: 0 }
  const rows = { orders: [order], events: [event, ended] }
  const exchange = exchangeOf(given({ funds }), { rows })
  const byId = await replyOf<Row[]>(getOrderEvents, exchange, { order_id: 7 })
  assert.deepEqual(
    byId.map(({ event_type }) => event_type),
    ['cancel', 'make'],
  )
  assert.deepEqual(
    byId.map(({ average_filled_price }) => average_filled_price),
    ['60000.03333333333333333333333', null],
  )
  const mine = { account: alice, client_order_id: uuid }
  assert.deepEqual(await replyOf(getOrderEvents, exchange, mine), byId)
  for (const request of [
    { order_id: 8 },
    { ...mine, account: bob },
    { order_id: 7, account: bob },
  ]) {
    const error = await refusedWith(replyOf(getOrderEvents, exchange, request))
    assert.deepEqual([error.status, error.code, error.errorName], [404, 404, 'ORDER_NOT_FOUND'])
  }
  for (const request of [{}, { client_order_id: uuid }, { account: alice }]) {
    const error = await refusedWith(replyOf(getOrderEvents, exchange, request))
    assert.equal(error.status, 400)
  }
  const owned = exchangeOf(given({ funds }), { rows, reads: 'owner' })
  const byKey = (key: string | null) => replyOf(getOrderEvents, owned, { order_id: 7 }, key)
  assert.deepEqual(await byKey(alice), byId)
  assert.equal((await refusedWith(byKey(null))).status, 401)
  assert.equal((await refusedWith(byKey(bob))).status, 404)
})

const limitOrder = { account: alice, symbol: 'BTC', side: 'bid', price: '60000', tif: 'GTC' }

test('a preview says what the order costs and leaves behind, and changes nothing', async () => {
  const scene = given({ funds })
  scene.ask(bob, 10_000, 60_000)
  const hash = stateHash(scene.state)
  const reply = await replyOf(previewOrder, exchangeOf(scene), { ...limitOrder, amount: '0.1' })
  assert.deepEqual(reply, {
    accepted: true,
    notional: '6000',
    fee: '2.4',
    margin: '120',
    position_after: '0.1',
    // (6,000 − 1,000 + 2.4) ÷ 0.099, rounded up
    liquidation_price: '50530',
    guarded_price: '60000',
    risk_tier: {
      from_value: '0',
      max_leverage: 50,
      initial_fraction: '0.02',
      maintenance_fraction: '0.01',
    },
    max_amount: reply.max_amount,
  })
  assert.equal(stateHash(scene.state), hash)
  scene.bid(alice, 10_000, 60_000).accepted()
  assert.equal(scene.balance(alice), 1_000_000_000 - 2_400_000)
})

test('a preview explains a refusal as placing the order would', async () => {
  const scene = given({ funds })
  const preview = (more: Row) =>
    replyOf(previewOrder, exchangeOf(scene), { ...limitOrder, ...more })
  const cases: readonly [Row, number, RegExp][] = [
    [{ amount: '10' }, 5, /^INSUFFICIENT_BALANCE: /],
    [{ amount: '0.1', price: '60000.5' }, 52, /^INVALID_TICK_SIZE: /],
    [{ amount: '0.000001' }, 59, /^INVALID_AMOUNT: /],
    [{ amount: '0.1', price: '2000000' }, 4, /^INVALID_TICK_LEVEL: /],
    [{ amount: '0.1', symbol: 'DOGE' }, 3, /^BOOK_NOT_FOUND: /],
    [{ amount: '0.1', account: addressNamed('new') }, 1, /^ACCOUNT_NOT_FOUND: /],
    [{ amount: '0.1', reduce_only: true }, 23, /^NO_POSITION_FOR_REDUCE_ONLY_ORDER: /],
  ]
  for (const [more, code, words] of cases) {
    const reply = await preview(more)
    assert.deepEqual([reply.accepted, reply.code], [false, code])
    assert.match(`${reply.error}`, words)
  }
  const { max_amount, notional } = await preview({ amount: '10' })
  assert.deepEqual([max_amount, notional], ['0.81699', '600000'])
  scene.bid(alice, 81_700, 60_000).refused('INSUFFICIENT_BALANCE', 1_000_008_000, 1_000_000_000)
  scene.bid(alice, 81_699, 60_000).accepted()
})

test('a preview may assume another leverage of the market', async () => {
  const scene = given({ funds })
  const exchange = exchangeOf(scene)
  const preview = (more: Row) => replyOf<Row>(previewOrder, exchange, { ...limitOrder, ...more })
  const usual = await preview({ amount: '0.01' })
  const careful = await preview({ amount: '0.01', leverage: 10 })
  // A fiftieth and a tenth of 600, and the fee.
  assert.deepEqual([usual.margin, careful.margin], ['12.24', '60.24'])
  assert.ok(Number(careful.max_amount) < Number(usual.max_amount) / 4)
  const much = await preview({ amount: '1', leverage: 10 })
  assert.ok(
    String(much.error).includes(`accepted now is ${careful.max_amount} BTC`),
    `${much.error}`,
  )
  const beyond = await preview({ amount: '0.01', leverage: 51 })
  assert.deepEqual([beyond.accepted, beyond.code], [false, 11])
  assert.match(String(beyond.error), /leverage 51 is outside 1 to 50/)
})

test('a market order is previewed with its slippage; one of both kinds is malformed', async () => {
  const scene = given({ funds })
  scene.ask(bob, 5_000, 60_100)
  const market = { account: alice, symbol: 'BTC', side: 'bid', amount: '0.1' }
  const exchange = exchangeOf(scene)
  const reply = await replyOf(previewOrder, exchange, { ...market, slippage_percent: '1' })
  // Only 0.05 of it crosses; its value is that at mark.
  assert.deepEqual([reply.accepted, reply.notional, reply.position_after], [true, '6000', '0.05'])
  const tight = await replyOf(previewOrder, exchange, { ...market, slippage_percent: '0.1' })
  assert.deepEqual([tight.accepted, tight.code], [false, 25])
  for (const more of [{}, { price: '1' }, { tif: 'GTC' }, { slippage_percent: '1', price: '1' }]) {
    const error = await refusedWith(replyOf(previewOrder, exchange, { ...market, ...more }))
    assert.deepEqual([error.status, error.errorName], [400, 'MALFORMED_REQUEST'])
  }
})
