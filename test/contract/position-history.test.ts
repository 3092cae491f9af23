// GET /positions/history, black box: one record per fill side, newest first.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Key, newKey } from '../../src/client/key.ts'
import { bare, dataOf, type Query, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live

const history = async (query: Query = {}) => bare<Row[]>(await api.get('/positions/history', query))
const fields =
  'amount counterParty createdAt entryPrice eventType fee historyId isMaker pnl price symbol'
const pick = (rows: readonly Row[], ...names: string[]) =>
  rows.map((row) => names.map((name) => row[name]))

async function pair(amount = '100000'): Promise<[Key, Key]> {
  return [await live.trader(amount), await live.trader(amount)]
}

test('a record has the fields of the contract, and opening pays a fee', async () => {
  const [alice, bob] = await pair()
  await live.price('BTC', '105000')
  await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount: '0.2' })
  const [taken] = await history({ account: alice.address })
  assert.deepEqual(Object.keys(taken!).sort().join(' '), fields)
  const { createdAt, historyId, ...rest } = taken!
  assert.match(String(createdAt), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  assert.ok(Number.isSafeInteger(historyId))
  assert.deepEqual(rest, {
    amount: '0.2',
    counterParty: bob.address,
    entryPrice: '105000',
    eventType: 'open_long',
    fee: '8.4',
    isMaker: false,
    pnl: '-8.4',
    price: '105000',
    symbol: 'BTC',
  })
  const [made] = await history({ account: bob.address })
  assert.deepEqual(
    [made!.counterParty, made!.eventType, made!.fee, made!.isMaker, made!.pnl],
    [alice.address, 'open_short', '3.15', true, '-3.15'],
  )
})

test('the entry price is that after opening, or that of the closed part', async () => {
  const [alice, bob] = await pair()
  await live.price('SOL', '170')
  const deal = { buyer: alice, seller: bob, symbol: 'SOL' }
  await live.trade({ ...deal, price: '170', amount: '10' })
  await live.trade({ ...deal, price: '172', amount: '10' })
  await live.trade({ buyer: bob, seller: alice, symbol: 'SOL', price: '174', amount: '5' })
  const rows = await history({ account: alice.address })
  // 5 × (174 − 171) minus a maker fee of 0.1305.
  assert.deepEqual(pick(rows, 'eventType', 'entryPrice', 'pnl', 'isMaker'), [
    ['close_long', '171', '14.8695', true],
    ['open_long', '171', '-0.688', false],
    ['open_long', '170', '-0.68', false],
  ])
})

test('a fill that flips a position is two records', async () => {
  const [alice, bob] = await pair()
  await live.price('ETH', '3500')
  await live.trade({ buyer: alice, seller: bob, symbol: 'ETH', price: '3500', amount: '1' })
  await live.trade({ buyer: bob, seller: alice, symbol: 'ETH', price: '3510', amount: '3' })
  const rows = await history({ account: alice.address })
  assert.deepEqual(pick(rows, 'eventType', 'amount', 'entryPrice', 'price'), [
    ['open_short', '2', '3510', '3510'],
    ['close_long', '1', '3500', '3510'],
    ['open_long', '1', '3500', '3500'],
  ])
  const theirs = await history({ account: bob.address })
  assert.deepEqual(
    theirs.map(({ eventType }) => eventType),
    ['open_long', 'close_short', 'open_short'],
  )
  const [opened, closed] = rows
  assert.ok(Number(opened!.historyId) > Number(closed!.historyId))
})

test('ids strictly increase over all accounts and are those of the trade history', async () => {
  const all = await history({ limit: 1_000 })
  const ids = all.map(({ historyId }) => Number(historyId))
  assert.ok(ids.length > 8)
  for (const [at, id] of ids.entries()) if (at > 0) assert.ok(id < ids[at - 1]!)
  const account = String(all[0]!.counterParty)
  const own = await history({ account })
  const trades = dataOf<Row[]>(await api.get('/trades/history', { account }))
  assert.deepEqual(
    trades.map(({ history_id, pnl, fee }) => [history_id, pnl, fee]),
    pick(own, 'historyId', 'pnl', 'fee'),
  )
})

test('a liquidation is a force_close with the other account or the backstop', async () => {
  const [alice, bob] = [await live.trader('3200'), await live.trader('1000000')]
  const { address: account } = alice
  await live.price('BTC', '105000')
  await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount: '1' })
  await live.order(bob, { symbol: 'BTC', side: 'bid', price: '102690', amount: '0.1' })
  // Equity 858 USD is below maintenance, 1027, but not below two thirds of it.
  await live.price('BTC', '102700')
  dataOf(await live.sandbox('clock', { advance_ms: 5_000 }))
  const sold = (await history({ account }))[0]!
  assert.deepEqual(
    [sold.eventType, sold.amount, sold.price, sold.counterParty, sold.isMaker],
    ['force_close_long', '0.1', '102690', bob.address, false],
  )
  await live.price('BTC', '102300')
  dataOf(await live.sandbox('clock', { advance_ms: 5_000 }))
  assert.deepEqual(bare(await api.get('/positions', { account })), [])
  const risk = dataOf<{ markets: { backstop: Row }[] }>(
    await api.get('/info/risk', { symbol: 'BTC' }),
  )
  const [last] = await history({ account })
  assert.deepEqual(
    [last!.eventType, last!.amount, last!.counterParty],
    ['force_close_long', '0.9', risk.markets[0]!.backstop.address],
  )
  const trades = dataOf<Row[]>(await api.get('/trades/history', { account }))
  assert.deepEqual(
    trades.map(({ side, cause }) => `${side} ${cause}`),
    ['close_long backstop_liquidation', 'close_long market_liquidation', 'open_long normal'],
  )
})

test('limit, offset, symbol and times select records; times are inclusive', async () => {
  const [alice, bob] = await pair()
  await live.price('DOGE', '0.2')
  const times: number[] = []
  for (let at = 0; at < 5; at++) {
    const clock = dataOf<{ engine_now: number }>(await live.sandbox('clock', { advance_ms: 1_000 }))
    times.push(clock.engine_now)
    const amount = `${1_000 + at}`
    await live.trade({ buyer: alice, seller: bob, symbol: 'DOGE', price: '0.2', amount })
  }
  const { address: account } = alice
  const amounts = async (query: Query) =>
    (await history({ account, ...query })).map(({ amount }) => amount)
  const all = ['1004', '1003', '1002', '1001', '1000']
  assert.deepEqual(await amounts({}), all)
  assert.deepEqual(await amounts({ limit: 2 }), all.slice(0, 2))
  for (const limit of [1_001, '9223372036854775807'])
    assert.deepEqual(await amounts({ limit }), all)
  assert.deepEqual(await amounts({ limit: 2, offset: 3 }), all.slice(3))
  assert.deepEqual(await amounts({ offset: 5 }), [])
  assert.deepEqual(await amounts({ symbol: 'DOGE', offset: 0 }), all)
  assert.deepEqual(await amounts({ symbol: 'BTC' }), [])
  const [, second, third, fourth] = times as [number, number, number, number]
  const middle = ['1003', '1002', '1001']
  assert.deepEqual(await amounts({ start_time: second, end_time: fourth }), middle)
  assert.deepEqual(await amounts({ start_time: third, end_time: third }), ['1002'])
  assert.deepEqual(await amounts({ start_time: second + 1, end_time: fourth - 1 }), ['1002'])
  const empty = { symbol: '', start_time: 'null', end_time: '', limit: 'null', offset: '' }
  assert.deepEqual(await amounts(empty), all)
})

test('the default limit is a hundred records, the maximum a thousand', async () => {
  const [alice, bob] = await pair()
  await live.price('SOL', '170')
  const order = { symbol: 'SOL', amount: '0.1', price: '170', tif: 'GTC', reduce_only: false }
  for (let round = 0; round < 11; round++) {
    const batch = await Promise.all(
      Array.from({ length: 10 }, async () => ({
        type: 'Create',
        data: await api.body(alice, '/orders/create', { ...order, side: 'ask' }),
      })),
    )
    dataOf(await api.post('/orders/batch', { actions: batch }))
    await live.order(bob, { ...order, side: 'bid', amount: '1' })
  }
  assert.equal((await history({ account: alice.address })).length, 100)
  assert.equal((await history({ account: alice.address, limit: 1_000 })).length, 110)
  assert.equal((await history()).length, 100)
})

test('the largest int64 is accepted as an end time and as an offset', async () => {
  const most = '9223372036854775807'
  const all = await history({})
  assert.ok(all.length > 0)
  assert.deepEqual(await history({ end_time: most }), all)
  assert.deepEqual(await history({ start_time: 0, end_time: '9007199254740993' }), all)
  assert.deepEqual(await history({ start_time: most, end_time: most }), [])
  assert.deepEqual(await history({ offset: most }), [])
  const beyond = await api.get('/positions/history', { end_time: '9223372036854775808' })
  refused(beyond, { status: 400, says: /end_time must be a whole number/ })
})

test('a value out of range is 400 with exactly error and code', async () => {
  const says: readonly (readonly [Query, RegExp])[] = [
    [{ limit: 0 }, /limit must be >= 1/],
    [{ limit: '1.5' }, /limit must be a whole number, not "1.5"/],
    [{ limit: '1e3' }, /limit must be a whole number/],
    [{ limit: 'ten' }, /limit must be a whole number/],
    [{ limit: '99999999999999999999' }, /limit must be a whole number/],
    [{ start_time: '-9223372036854775808' }, /start_time must be a whole number >= 0, not "-922/],
    [{ offset: -1 }, /offset must be >= 0/],
    [{ offset: '01' }, /offset must be a whole number/],
    [{ start_time: -1 }, /start_time must be >= 0/],
    [{ start_time: 'now' }, /start_time must be a whole number/],
    [{ end_time: '1.0' }, /end_time must be a whole number/],
    [{ start_time: 2, end_time: 1 }, /start_time must not be after end_time/],
    [{ symbol: 'NOPE' }, /BOOK_NOT_FOUND: no market has this symbol/],
    [{ symbol: 'btc' }, /no market has this symbol/],
    [{ account: 'x' }, /Invalid public key in account/],
  ]
  for (const [query, text] of says) {
    const answer = await api.get('/positions/history', query)
    refused(answer, { status: 400, says: text })
    assert.deepEqual(Object.keys(answer.body), ['error', 'code'])
  }
})

test('an account without history has none', async () => {
  assert.deepEqual(await history({ account: newKey().address }), [])
})
