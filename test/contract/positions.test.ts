// GET /positions, black box: every field of the contract, and what the contract leaves open.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { bare, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox, liveExchange } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live

const positionsOf = async (account: string) => bare<Row[]>(await api.get('/positions', { account }))
const isoMicroseconds = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/
const fields = 'amount createdAt entryPrice isolated margin side symbol updatedAt'.split(' ')
/** At least one whole epoch of funding. */
const twoHours = 7_200_000
/** Micro-dollars of a decimal with up to six places. */
const micro = (text: unknown) => Math.round(+String(text) * 1e6)

test('a position has exactly the fields of the contract', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('BTC', '105000')
  await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount: '0.5' })
  const [long] = await positionsOf(alice.address)
  assert.deepEqual(Object.keys(long!).sort(), fields)
  const { createdAt, updatedAt, ...rest } = long!
  assert.match(String(createdAt), isoMicroseconds)
  assert.equal(updatedAt, createdAt)
  // 52,500 USD at the taker rate of 0.0004
  const expected = { symbol: 'BTC', amount: '0.5', entryPrice: '105000', isolated: false }
  assert.deepEqual(rest, { ...expected, side: 'bid', margin: '-21' })
  const [short] = await positionsOf(bob.address)
  assert.deepEqual([short!.side, short!.amount, short!.margin], ['ask', '0.5', '-7.875'])
})

// An order that waited at the speed bump is filled when it falls due. The command that runs it
// arrives some time after that, and the fill has the time of the command.
test('createdAt is the time of the opening fill, also behind the speed bump', async () => {
  const waiting = await liveExchange()
  try {
    const [alice, bob] = [await waiting.trader(), await waiting.trader()]
    await waiting.price('BTC', '105000')
    const deal = { symbol: 'BTC', price: '105000', amount: '0.5' }
    await waiting.order(bob, { ...deal, side: 'ask', tif: 'ALO' })
    await waiting.order(alice, { ...deal, side: 'bid' })
    const held = async () =>
      bare<Row[]>(await waiting.api.get('/positions', { account: alice.address }))
    dataOf(await waiting.sandbox('clock', { advance_ms: 10_000 }))
    const [position] = await held()
    const account = alice.address
    const [fill] = bare<Row[]>(await waiting.api.get('/positions/history', { account }))
    assert.equal(position!.createdAt, fill!.createdAt)
    assert.equal(position!.updatedAt, fill!.createdAt)
  } finally {
    await waiting.close()
  }
})

test('the margin of a cross position is profit minus fees and funding', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('ETH', '3500')
  await live.trade({ buyer: alice, seller: bob, symbol: 'ETH', price: '3500', amount: '2' })
  await live.price('ETH', '3520')
  const [long] = await positionsOf(alice.address)
  // 2 × 20 − 2.8 of fees; the other side lost the same amount and paid 1.05
  assert.equal(long!.margin, '37.2')
  assert.equal((await positionsOf(bob.address))[0]!.margin, '-41.05')
  dataOf(await live.sandbox('clock', { advance_ms: twoHours }))
  for (const [key, fee] of [
    [alice, 2_800_000],
    [bob, 1_050_000],
  ] as const) {
    const [position] = await positionsOf(key.address)
    const own = dataOf<Row[]>(await api.get('/ccxt/api/v1/positions', { account: key.address }))[0]!
    const profit = 40_000_000 * (key === alice ? 1 : -1)
    assert.notEqual(own.funding, '0')
    assert.equal(micro(position!.margin), profit - fee - micro(own.funding))
    assert.equal(own.margin, '0')
    assert.notEqual(position!.updatedAt, undefined)
  }
})

test('the margin of an isolated position is its own wallet', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('WIF', '0.9')
  dataOf(await api.signed(alice, '/account/leverage', { symbol: 'WIF', leverage: 4 }))
  await live.trade({ buyer: alice, seller: bob, symbol: 'WIF', price: '0.9', amount: '1000' })
  const before = (await positionsOf(alice.address))[0]!
  assert.equal(before.isolated, true)
  // A quarter of 900 USD.
  assert.equal(before.margin, '225')
  const more = { symbol: 'WIF', amount: '25.5' }
  dataOf(await api.signed(alice, '/positions/add_isolated_margin', more))
  assert.equal((await positionsOf(alice.address))[0]!.margin, '250.5')
  await live.price('WIF', '0.85')
  assert.equal((await positionsOf(alice.address))[0]!.margin, '250.5', 'prices do not move it')
  dataOf(await live.sandbox('clock', { advance_ms: twoHours }))
  const [own] = dataOf<Row[]>(await api.get('/ccxt/api/v1/positions', { account: alice.address }))
  const after = (await positionsOf(alice.address))[0]!
  assert.notEqual(own!.funding, '0')
  assert.equal(micro(after.margin), 250_500_000 - micro(own!.funding))
  assert.equal(own!.margin, after.margin)
})

test('the entry price is exact, or rounded at the 28th digit', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('BTC', '105000')
  const deal = { buyer: alice, seller: bob, symbol: 'BTC' }
  await live.trade({ ...deal, price: '105000', amount: '0.1' })
  await live.trade({ ...deal, price: '105001', amount: '0.1' })
  assert.equal((await positionsOf(alice.address))[0]!.entryPrice, '105000.5')
  await live.trade({ ...deal, price: '105001', amount: '0.1' })
  const [long] = await positionsOf(alice.address)
  assert.equal(long!.entryPrice, '105000.6666666666666666666667')
  const [short] = await positionsOf(bob.address)
  assert.equal(short!.entryPrice, long!.entryPrice)
})

test('a closed position is not listed, and an unknown address has none', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('SOL', '170')
  await live.trade({ buyer: alice, seller: bob, symbol: 'SOL', price: '170', amount: '3' })
  assert.equal((await positionsOf(alice.address)).length, 1)
  await live.trade({ buyer: bob, seller: alice, symbol: 'SOL', price: '170', amount: '3' })
  assert.deepEqual(await positionsOf(alice.address), [])
  assert.deepEqual(await positionsOf(newKey().address), [])
})

test('positions of several markets are listed together', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('SOL', '170')
  await live.price('DOGE', '0.2')
  await live.trade({ buyer: alice, seller: bob, symbol: 'SOL', price: '170', amount: '1' })
  await live.trade({ buyer: bob, seller: alice, symbol: 'DOGE', price: '0.2', amount: '1000' })
  const found = (await positionsOf(alice.address)).map(({ symbol, side }) => `${symbol} ${side}`)
  assert.deepEqual(found.sort(), ['DOGE ask', 'SOL bid'])
})

test('a missing or invalid address is 400 with exactly error and code', async () => {
  const says = /Invalid public key in account: an address is the base58 of a 32-byte/
  const bad = ['x', 'O0Il', '1'.repeat(32), '1'.repeat(65), `1${newKey().address}`]
  for (const account of bad) {
    const answer = await api.get('/positions', { account })
    if (account.length > 64) refused(answer, { status: 400, says: /account must not have more/ })
    else refused(answer, { status: 400, says })
    assert.deepEqual(Object.keys(answer.body), ['error', 'code'])
  }
  for (const query of [{}, { account: '' }, { account: 'null' }])
    refused(await api.get('/positions', query), { status: 400, says: /lacks account/ })
  const twice = await fetch(`${live.url}/api/v1/positions?account=a&account=b`)
  assert.equal(twice.status, 400)
  assert.match(await twice.text(), /account stands more than once in the query/)
})

test('unknown query parameters are ignored', async () => {
  const answer = await api.get('/positions', { account: newKey().address, color: 'red' })
  assert.equal(answer.text, '[]')
})
