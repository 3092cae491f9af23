// Rejections by the risk rules, over HTTP: each names the state of the market, its numbers and the
// nearest accepted value. The tests send the values that they name.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Key } from '../../../src/client/key.ts'
import type { Command } from '../../../src/core/index.ts'
import { AdminClient } from '../../support/http/admin-client.ts'
import { type Answer, dataOf, type Row } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const admin = new AdminClient(live)
const inside = live.running.exchange
const market = inside.view.symbols.get('BTC')!
const bid = { symbol: 'BTC', side: 'bid', tif: 'GTC', reduce_only: false }

const create = (key: Key, fields: Row) => api.signed(key, '/orders/create', { ...bid, ...fields })
const riskOf = async (query: Readonly<Record<string, string>> = {}) =>
  dataOf<{ markets: Row[] }>(await api.get('/info/risk', { symbol: 'BTC', ...query })).markets[0]!
const setMode = async (verb: string) =>
  dataOf(await admin.post(`/markets/${verb}`, { symbol: 'BTC' }))

/** A price update that the oracle follows at its own speed. */
async function tick(price: number): Promise<void> {
  const micro = price * 1_000_000
  const command = { type: 'OracleTick', market, price: micro, observedAtMs: null, jump: false }
  await inside.submit(command as Command)
}

function says(answer: Answer, name: string, pattern: RegExp): readonly string[] {
  assert.equal(answer.status, 422, answer.text)
  const { error } = answer.body as { error: string }
  assert.ok(error.startsWith(`${name}: `), error)
  const found = pattern.exec(error)
  assert.ok(found, error)
  return found.slice(1)
}

beforeEach(async () => {
  await setMode('resume')
  await live.price('BTC', '105000')
})

/** Offers that a bid at 106000 matches, and a trader who is long 1 BTC. */
async function withOffers(): Promise<Readonly<{ maker: Key; trader: Key }>> {
  const maker = await live.trader('10000000')
  const trader = await live.trader('100000')
  await live.trade({ buyer: trader, seller: maker, symbol: 'BTC', price: '105000', amount: '1' })
  dataOf(await create(maker, { side: 'ask', price: '105100', amount: '3' }))
  dataOf(await create(maker, { price: '104900', amount: '3' }))
  return { maker, trader }
}

async function withoutOffers({ maker }: { maker: Key }): Promise<void> {
  dataOf(
    await api.signed(maker, '/orders/cancel_all', {
      all_symbols: true,
      exclude_reduce_only: false,
    }),
  )
}

test('reduce-only: the largest amount and the nearest resting price are named', async () => {
  const desk = await withOffers()
  await setMode('reduce_only')
  const buys = await create(desk.trader, { price: '106000', amount: '0.5' })
  says(buys, 'TRADING_DISABLED', /BTC is reduce-only: orders that take must only reduce a pos/)
  says(buys, 'TRADING_DISABLED', /You can still close, .*; no amount of it would be accepted now/)
  const [price] = says(buys, 'TRADING_DISABLED', /the nearest price that rests is (\d+)$/)
  assert.equal(price, '105099')
  const rested = dataOf(await create(desk.trader, { price, amount: '0.5' }))
  assert.equal(rested.order_status, 'open')
  const sells = await create(desk.trader, { side: 'ask', price: '104000', amount: '1.2' })
  const [amount] = says(sells, 'TRADING_DISABLED', /largest amount accepted now is ([\d.]+) BTC/)
  assert.equal(amount, '1')
  const wish = { account: desk.trader.address, symbol: 'BTC', side: 'ask', slippage_percent: '1' }
  const preview = dataOf(await api.post('/orders/preview', { ...wish, amount: '1.2' }))
  assert.deepEqual([preview.accepted, preview.max_amount], [false, '1'])
  const closed = await create(desk.trader, { side: 'ask', price: '104000', amount: '1' })
  assert.equal(dataOf(closed).order_status, 'filled')
  await withoutOffers(desk)
})

test('in a post-only market the nearest resting price is named', async () => {
  const desk = await withOffers()
  await setMode('post_only')
  const sells = await create(desk.trader, { side: 'ask', price: '104000', amount: '0.5' })
  const [price] = says(
    sells,
    'ORACLE_NOT_AVAILABLE',
    new RegExp(
      'BTC is post-only: nothing matches until the operator opens it again. You can still ' +
        'cancel, edit, set stops, and place orders that rest: ALO and TOB orders, .*; the ' +
        'nearest price that rests is ([0-9]+)$',
    ),
  )
  assert.ok(!sells.text.includes('try again'))
  assert.equal(price, '104901')
  const rested = await create(desk.trader, { side: 'ask', price, amount: '0.5' })
  assert.equal(dataOf(rested).order_status, 'open')
  await withoutOffers(desk)
})

test('in a stale market the age of the price and its maximum are named', async () => {
  const desk = await withOffers()
  dataOf(await live.sandbox('scenario', { name: 'freeze', symbol: 'BTC' }))
  dataOf(await live.sandbox('clock', { advance_ms: 8_000 }))
  const { status, price_state, price_age_ms } = await riskOf()
  assert.deepEqual([status, price_state], ['stale', 'stale'])
  const [age] = says(
    await create(desk.trader, { price: '106000', amount: '0.5' }),
    'ORACLE_NOT_AVAILABLE',
    /its newest price is (\d+) ms old \(maximum: 4500 ms\); try again/,
  )
  assert.equal(Number(age), price_age_ms)
  assert.ok(Number(age) >= 4_501)
  dataOf(await live.sandbox('oracle', { symbol: 'BTC', resume: true }))
  await tick(105_000)
  assert.equal((await riskOf()).status, 'live')
  await withoutOffers(desk)
})

test('the errors of closed markets and frozen accounts name the state', async () => {
  const trader = await live.trader()
  const order = { price: '104000', amount: '0.1' }
  await setMode('cancel_only')
  const closed =
    /^TRADING_DISABLED: BTC is cancel-only: no orders are accepted\. You can still cancel$/
  says(await create(trader, order), 'TRADING_DISABLED', closed)
  await setMode('halt')
  const halted = /^TRADING_DISABLED: BTC is halted: no orders are accepted\. You can still cancel$/
  says(await create(trader, order), 'TRADING_DISABLED', halted)
  await setMode('resume')
  dataOf(await admin.post('/accounts/freeze', { account: trader.address, frozen: true }))
  const frozen = /the operator has frozen this account: it can neither trade nor withdraw/
  says(await create(trader, order), 'TRADING_DISABLED', frozen)
  const leaves = await api.signed(trader, '/account/withdraw', { amount: '10' })
  says(leaves, 'WITHDRAWAL_BLOCKED', frozen)
})

test('the maximum of one owner is named in the rejection and in /info/risk', async () => {
  const owner = await live.trader('10000000')
  dataOf(
    await admin.post('/accounts/owner_limit', {
      ...{ account: owner.address, symbol: 'BTC', amount: '2' },
    }),
  )
  dataOf(await create(owner, { price: '104000', amount: '1.5' }))
  assert.equal((await riskOf()).owner_limit, null)
  const { owner_limit } = await riskOf({ account: owner.address })
  assert.deepEqual(owner_limit, { limit: '2', used: '1.5', left: '0.5' })
  const [reach, limit, most] = says(
    await create(owner, { price: '104000', amount: '0.6' }),
    'POSITION_LIMIT_EXCEEDED',
    /could reach ([\d.]+) BTC, the limit is ([\d.]+) BTC; the largest .* is ([\d.]+) BTC$/,
  )
  assert.deepEqual([reach, limit, most], ['2.1', '2', '0.5'])
  dataOf(await create(owner, { price: '104000', amount: most }))
  assert.deepEqual((await riskOf({ account: owner.address })).owner_limit, {
    ...{ limit: '2', used: '2', left: '0' },
  })
  const other = await live.trader()
  const { owner_interest_cap } = await riskOf()
  const { owner_limit: theirs } = await riskOf({ account: other.address })
  assert.deepEqual(theirs, { limit: owner_interest_cap, used: '0', left: owner_interest_cap })
})

test('stops and orders have separate maximums, and the one reached is named', async () => {
  const trader = await live.trader()
  const stop = { symbol: 'BTC', side: 'bid', reduce_only: false }
  const place = (n: number) =>
    api.signed(trader, '/orders/stop/create', {
      ...{ ...stop, stop_order: { stop_price: `${106_000 + n}`, amount: '0.001' } },
    })
  for (let n = 0; n < 200; n++) dataOf(await place(n))
  says(
    await place(200),
    'OPEN_ORDER_LIMIT_REACHED',
    /200 of at most 200 stops are open in all markets; 0 more would be accepted/,
  )
  dataOf(await create(trader, { price: '104000', amount: '0.01' }))
})

test('while a market is catching up, a rejection names the price that was used', async () => {
  const maker = await live.trader('10000000')
  const trader = await live.trader('30000')
  await live.trade({ buyer: trader, seller: maker, symbol: 'BTC', price: '105000', amount: '1' })
  await tick(95_000)
  const { mark } = dataOf<Row[]>(await api.get('/info/prices')).find(
    (each) => each.symbol === 'BTC',
  )!
  assert.equal((await riskOf()).price_state, 'catching_up')
  const counts = new RegExp(
    `BTC is catching up with its newest price: a long counts at 95000, not at the mark ${mark}`,
  )
  const opens = await create(trader, { tif: 'ALO', price: '90000', amount: '20' })
  says(opens, 'INSUFFICIENT_BALANCE', counts)
  const leaves = await api.signed(trader, '/account/withdraw', { amount: '25000' })
  says(leaves, 'OVER_WITHDRAWAL', counts)
  await tick(70_000)
  says(
    await api.signed(trader, '/account/withdraw', { amount: '10' }),
    'WITHDRAWAL_BLOCKED',
    /equity -[\d.]+ USD is below the maintenance margin [\d.]+ USD; BTC is catching up .* at 70000/,
  )
})
