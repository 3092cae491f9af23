// What an account reads of itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressNamed,
  exchangeOf,
  fillRowsOf,
  refusedWith,
  replyOf,
} from '../../../../test/support/desk.ts'
import { BTC, ETH, given, levelAt, START } from '../../../../test/support/scene.ts'
import { getAccount } from './get-account.ts'
import { getAccountSettings } from './get-account-settings.ts'
import { getTradeHistory } from './get-trade-history.ts'

const alice = addressNamed('alice')
const bob = addressNamed('bob')
const funds = { [alice]: 500_000_000, [bob]: 10 ** 12 }
type Row = Record<string, unknown>

test('an account is shown to the field', async () => {
  const scene = given({ funds })
  scene.own(alice, 'SetLeverage', { market: BTC, leverage: 20 })
  scene.buys(alice, bob, 1_000, 60_000)
  scene.mark(BTC, 59_800)
  scene.bid(alice, 400, 59_000)
  scene.stop(alice, 'bid', levelAt(63_000, { size: 7 }))
  scene.own(alice, 'Withdraw', { amount: 5_000_000 })
  scene.later(40).run({ type: 'Tick' })
  const reply = await replyOf(getAccount, exchangeOf(scene), { account: alice })
  assert.deepEqual(reply, {
    // 500 − 0.24 of fees − 5
    balance: '494.76',
    fee_level: 0,
    maker_fee: '0.00015',
    taker_fee: '0.0004',
    volume_14d: '0',
    account_equity: '492.76',
    cross_account_equity: '492.76',
    // 5 % of 1,400 lots and 400 ppm of 400, each worth 0.598
    available_to_spend: '450.80432',
    available_to_withdraw: '432.96',
    pending_balance: '5',
    total_margin_used: '41.95568',
    cross_mmr: '5.98',
    positions_count: 1,
    orders_count: 1,
    stop_orders_count: 1,
    spot_balances: [],
    spot_collateral: '0',
    spot_market_value: '0',
    pending_interest: '0',
    use_ltp_for_stop_orders: false,
    updated_at: START + 40,
  })
})

test('an isolated position counts in the equity of the account, not in the cross', async () => {
  const scene = given({ funds })
  scene.own(alice, 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys(alice, bob, 1_000, 60_000)
  scene.mark(BTC, 60_100)
  const reply = await replyOf(getAccount, exchangeOf(scene), { account: alice })
  assert.deepEqual(
    [reply.balance, reply.cross_account_equity, reply.account_equity, reply.total_margin_used],
    ['487.76', '487.76', '500.76', '12'],
  )
})

test('an address without an account is 404 with the engine’s code', async () => {
  const stranger = { account: addressNamed('stranger') }
  const exchange = exchangeOf(given({ funds }))
  const error = await refusedWith(replyOf(getAccount, exchange, stranger))
  assert.deepEqual([error.status, error.code, error.errorName], [404, 1, 'ACCOUNT_NOT_FOUND'])
  assert.deepEqual(await replyOf(getAccountSettings, exchange, stranger), [])
})

test('settings leave the defaults out', async () => {
  const scene = given({ funds })
  scene.own(alice, 'SetLeverage', { market: ETH, leverage: 5 })
  scene.own(alice, 'SetLeverage', { market: BTC, leverage: 50 })
  const at = { created_at: START, updated_at: START }
  assert.deepEqual(await replyOf(getAccountSettings, exchangeOf(scene), { account: alice }), [
    { symbol: 'ETH', isolated: false, leverage: 5, ...at },
  ])
})

test('on request, settings show whether a leverage was chosen, also for the default', async () => {
  const scene = given({ funds })
  scene.own(alice, 'SetLeverage', { market: BTC, leverage: 50 })
  scene.own(alice, 'SetMarginMode', { market: ETH, isolated: true })
  const at = { created_at: START, updated_at: START }
  const request = { account: alice, chosen: true }
  const rows = await replyOf<Row[]>(getAccountSettings, exchangeOf(scene), request)
  const most = rows.find(({ symbol }) => symbol === 'ETH')?.leverage
  assert.deepEqual(rows, [
    { symbol: 'BTC', isolated: false, leverage: 50, leverage_set: true, ...at },
    { symbol: 'ETH', isolated: true, leverage: most, leverage_set: false, ...at },
  ])
})

test('trade history continues at its cursor, and each row comes once', async () => {
  const scene = given({ funds })
  for (let at = 0; at < 5; at++) scene.buys(alice, bob, 10 + at, 60_000)
  const exchange = exchangeOf(scene, { rows: { fills: fillRowsOf(scene) } })
  type Page = { rows: Row[]; next_cursor: string | null; has_more: boolean }
  const page = (more: Row) =>
    replyOf<Page>(getTradeHistory, exchange, { account: alice, limit: 2, ...more })
  const seen: unknown[] = []
  let cursor: string | null = null
  const sizes: number[] = []
  do {
    const { rows, next_cursor, has_more }: Page = await page({ cursor })
    assert.equal(has_more, next_cursor !== null)
    sizes.push(rows.length)
    seen.push(...rows.map(({ amount }) => amount))
    cursor = next_cursor
  } while (cursor !== null)
  assert.deepEqual(sizes, [2, 2, 1])
  assert.deepEqual(seen, ['0.00014', '0.00013', '0.00012', '0.00011', '0.0001'])
  const whole = await page({ limit: 5 })
  assert.deepEqual([whole.rows.length, whole.has_more, whole.next_cursor], [5, false, null])
  assert.deepEqual(whole.rows[0], {
    history_id: 9,
    order_id: 10,
    client_order_id: null,
    symbol: 'BTC',
    amount: '0.00014',
    price: '60000',
    entry_price: '60000',
    fee: '0.00336',
    pnl: '-0.00336',
    event_type: 'fulfill_taker',
    side: 'open_long',
    cause: 'normal',
    created_at: START,
  })
})

test('a cursor that this list did not give is 400', async () => {
  const exchange = exchangeOf(given({ funds }))
  const orders = Buffer.from('orders 5').toString('base64url')
  for (const cursor of ['x', '5', orders, Buffer.from('trades 05').toString('base64url')]) {
    const error = await refusedWith(replyOf(getTradeHistory, exchange, { account: alice, cursor }))
    assert.deepEqual([error.status, error.errorName], [400, 'INVALID_CURSOR'])
  }
})
