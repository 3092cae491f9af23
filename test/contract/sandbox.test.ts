// The sandbox's own routes, black box.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { bare, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'

const live = await liveExchange()
after(() => live.close())
const { api } = live
const clock = async () =>
  dataOf<{ engine_now: number; now: number; frozen: boolean; offset_ms: number }>(
    await api.get('/sandbox/clock'),
  )
const priceOf = async (symbol: string) =>
  dataOf<Row[]>(await api.get('/info/prices')).find((row) => row.symbol === symbol)!
const hour = 3_600_000

test('the faucet credits test money and opens the account', async () => {
  const { address: account } = newKey()
  const faucet = (amount: unknown) => live.sandbox('faucet', { account, amount })
  assert.deepEqual(dataOf(await faucet('10.5')), { balance: '10.5' })
  assert.deepEqual(dataOf(await faucet('0.000001')), { balance: '10.500001' })
  const says = /is not above 0 and at most 1000000000 USD, six decimals/
  for (const amount of ['0', '-1', '1000000000.1', '0.0000001'])
    refused(await faucet(amount), { status: 400, says })
  refused(await faucet(5), { status: 400, says: /amount must be a string/ })
  const bad = await live.sandbox('faucet', { account: 'x', amount: '1' })
  refused(bad, { status: 400, says: /Invalid public key in account/ })
})

test('the clock freezes, advances and resumes; it moves engine time only', async () => {
  const frozen = dataOf<{ engine_now: number }>(await live.sandbox('clock', { freeze: true }))
  const before = await clock()
  assert.deepEqual([before.frozen, before.engine_now], [true, frozen.engine_now])
  const wall = before.now
  dataOf(await live.sandbox('clock', { advance_ms: 2 * hour }))
  const after = await clock()
  assert.equal(after.engine_now - before.engine_now, 2 * hour)
  assert.ok(after.now - wall < 60_000)
  const time = dataOf<{ now: number; engine_now: number }>(await api.get('/time'))
  assert.equal(time.engine_now, after.engine_now)
  const risk = dataOf<{ markets: Row[] }>(await api.get('/info/risk'))
  for (const { status } of risk.markets) assert.equal(status, 'live', 'no market goes stale')
  const { funding } = await priceOf('BTC')
  assert.notEqual(funding, '0', 'a whole epoch of funding has passed')
  const resumed = dataOf<{ frozen: boolean }>(await live.sandbox('clock', { resume: true }))
  assert.equal(resumed.frozen, false)
  const running = await clock()
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.ok((await clock()).engine_now > running.engine_now)
  for (const [body, says] of [
    [{}, /exactly one of advance_ms, freeze, resume is required/],
    [{ freeze: true, resume: true }, /exactly one of/],
    [{ advance_ms: 0 }, /advance_ms must be >= 1/],
    [{ advance_ms: 31 * 24 * hour + 1 }, /advance_ms must be <= 2678400000/],
    [{ freeze: false }, /freeze must be true/],
  ] as const)
    refused(await live.sandbox('clock', body), { status: 400, says })
})

test('orders do not wait while the clock is frozen, and do while it runs', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('SOL', '170')
  const ask = { symbol: 'SOL', side: 'ask', price: '170', amount: '1' }
  await live.order(bob, ask)
  const waiting = await live.order(alice, { ...ask, side: 'bid' })
  assert.equal(waiting.order_status, 'open')
  dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
  assert.equal(bare<Row[]>(await api.get('/positions', { account: alice.address })).length, 1)
  dataOf(await live.sandbox('clock', { freeze: true }))
  const waits = await live.order(bob, { ...ask, side: 'bid', price: '160' })
  assert.equal(waits.order_status, 'open')
  const book = dataOf<{ l: [Row[], Row[]] }>(await api.get('/book', { symbol: 'SOL' }))
  assert.deepEqual(book.l[0], [{ p: '160', a: '1', n: 1 }])
})

test('with jump false a market follows a new price gradually and is catching up', async () => {
  const oracle = (body: Row) => live.sandbox('oracle', { symbol: 'ETH', ...body })
  const stateOf = async () => {
    const risk = dataOf<{ markets: Row[] }>(await api.get('/info/risk', { symbol: 'ETH' }))
    return risk.markets[0]!.price_state
  }
  dataOf(await oracle({ price: '3600', jump: true }))
  assert.equal(await stateOf(), 'live')
  const { oracle: first } = dataOf(await oracle({ price: '3690', jump: false }))
  assert.notEqual(first, '3690')
  assert.equal(await stateOf(), 'catching_up')
  dataOf(await live.sandbox('clock', { advance_ms: 120_000 }))
  assert.deepEqual([(await priceOf('ETH')).oracle, await stateOf()], ['3690', 'live'])
})

test('a set price holds until changed or resumed; a path plays one price per tick', async () => {
  const oracle = (body: Row) => live.sandbox('oracle', { symbol: 'ETH', ...body })
  assert.deepEqual(dataOf(await oracle({ price: '3600' })), { symbol: 'ETH', oracle: '3600' })
  dataOf(await live.sandbox('clock', { advance_ms: 60_000 }))
  assert.equal((await priceOf('ETH')).oracle, '3600')
  dataOf(await oracle({ path: ['3601', '3602', '3603'] }))
  dataOf(await live.sandbox('clock', { advance_ms: 60_000 }))
  assert.equal((await priceOf('ETH')).oracle, '3603', 'the last of a path holds')
  dataOf(await oracle({ resume: true }))
  dataOf(await live.sandbox('clock', { advance_ms: hour }))
  assert.notEqual((await priceOf('ETH')).oracle, '3603')
  for (const [body, says] of [
    [{}, /exactly one of price, path, resume is required/],
    [{ price: '1', resume: true }, /exactly one of/],
    [{ price: '0' }, /price 0 is not a positive multiple of 0.0000001/],
    [{ price: '-5' }, /not a positive multiple/],
    [{ path: ['1'], jump: false }, /jump false goes with price: a path is made of jumps/],
    [{ path: [] }, /path must not have fewer than 1 items/],
  ] as const)
    refused(await oracle(body), { status: 400, says })
  const unknown = { status: 400, code: 3, says: /BOOK_NOT_FOUND: no market has this symbol/ }
  refused(await oracle({ price: '1', symbol: 'NOPE' }), unknown)
})

test('a revert restores everything: money, orders, ids, time, history', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('BTC', '105000')
  const picture = async () => ({
    account: dataOf(await api.get('/account', { account: alice.address })),
    orders: dataOf<Row[]>(await api.get('/orders', { account: alice.address })),
    history: bare<Row[]>(await api.get('/positions/history', { account: alice.address })),
    clock: (await clock()).engine_now,
  })
  await live.order(alice, { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01' })
  const saved = dataOf<{ id: string; seq: number }>(await live.sandbox('snapshot', {}))
  assert.ok(saved.id.length > 0 && saved.seq > 0)
  const before = await picture()
  const play = async () => {
    await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount: '0.1' })
    dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
    return picture()
  }
  const first = await play()
  assert.notDeepEqual(first, before)
  const listed = dataOf<Row[]>(await api.get('/sandbox/snapshots'))
  assert.ok(listed.some(({ id }) => id === saved.id))
  assert.deepEqual(dataOf(await live.sandbox('revert', { id: saved.id })), { id: saved.id })
  assert.deepEqual(await picture(), before)
  assert.deepEqual(await play(), first, 'the same again, ids included')
  const unknown = await live.sandbox('revert', { id: 'no-such-snapshot' })
  refused(unknown, { status: 404, says: /NOT_FOUND: no snapshot has this id/ })
})

test('bots fill the book, and stopping them empties it', async () => {
  const levels = async () => {
    const { l } = dataOf<{ l: [Row[], Row[]] }>(await api.get('/book', { symbol: 'XAU' }))
    return [l[0].length, l[1].length]
  }
  const running = async () => dataOf<{ running: boolean }>(await api.get('/sandbox/bots')).running
  assert.deepEqual(await levels(), [0, 0])
  assert.equal(await running(), false)
  const { id } = dataOf<{ id: string }>(await live.sandbox('snapshot', {}))
  assert.deepEqual(dataOf(await live.sandbox('bots', { running: true })), { running: true })
  assert.equal(await running(), true)
  dataOf(await live.sandbox('clock', { advance_ms: 120_000 }))
  for (const count of await levels()) assert.ok(count > 0)
  assert.deepEqual(dataOf(await live.sandbox('bots', { running: false })), { running: false })
  assert.deepEqual(await levels(), [0, 0])
  assert.equal(await running(), false)
  dataOf(await live.sandbox('bots', { running: true }))
  dataOf(await live.sandbox('revert', { id }))
  assert.equal(await running(), false, 'a revert restores the bots too')
  refused(await live.sandbox('bots', {}), { status: 400, says: /lacks running/ })
})

test('a scenario plays a named path', async () => {
  for (const name of ['crash', 'pump', 'wick', 'squeeze', 'freeze']) {
    const scenario = { name, symbol: 'DOGE' }
    assert.deepEqual(dataOf(await live.sandbox('scenario', scenario)), scenario)
  }
  await live.price('HYPE', '40')
  dataOf(await live.sandbox('oracle', { symbol: 'HYPE', resume: true }))
  dataOf(await live.sandbox('scenario', { name: 'crash', symbol: 'HYPE' }))
  dataOf(await live.sandbox('clock', { advance_ms: 600_000 }))
  assert.ok(Number((await priceOf('HYPE')).oracle) < 38)
  const odd = await live.sandbox('scenario', { name: 'boom', symbol: 'DOGE' })
  refused(odd, { status: 400, says: /name must be one of crash, pump, wick, squeeze, freeze/ })
})
