// Open interest, index price and liquidations over HTTP, without credentials, at an exchange where
// account reads are for owners only.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, dataOf, type Query, type Row } from '../support/http/api-client.ts'
import { until } from '../support/http/held-sockets.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const live = await frozenSandbox(['--reads', 'owner'])
after(() => live.close())
const { api } = live
const stream = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
after(() => stream.close())
const hourMs = 3_600_000

type Page = Row & Readonly<{ data: Row[]; next_cursor: string | null; has_more: boolean }>

async function advance(ms: number): Promise<number> {
  const { engine_now } = dataOf<{ engine_now: number }>(
    await live.sandbox('clock', { advance_ms: ms }),
  )
  return engine_now
}

async function now(): Promise<number> {
  return dataOf<{ engine_now: number }>(await api.get('/time')).engine_now
}

/** Of BTC, as GET /info/prices has it at this moment. */
async function prices(): Promise<Row> {
  return dataOf<Row[]>(await api.get('/info/prices')).find(({ symbol }) => symbol === 'BTC')!
}

const page = async (path: string, query: Query = {}): Promise<Page> => {
  const reply: Answer<Page> = await api.get<Page>(path, query)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

/** All rows, by pages of this size. */
async function paged(path: string, query: Query, limit: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const { data, next_cursor, has_more } = await page(path, { ...query, limit, cursor })
    assert.equal(has_more, next_cursor !== null)
    assert.ok(data.length <= limit)
    rows.push(...data)
    if (next_cursor === null) return rows
    assert.notEqual(next_cursor, cursor)
    cursor = next_cursor
  }
}

/** The prices of the exchange at the end of each hour, newest first. */
const hours: Row[] = []
let listedAt = 0

test('open interest and index price are those of the prices at the end of each hour', async () => {
  const market = dataOf<Row[]>(await api.get('/info')).find(({ symbol }) => symbol === 'BTC')!
  listedAt = market.created_at as number
  const [alice, bob] = [await live.trader('1000000'), await live.trader('1000000')]
  await advance(hourMs - ((await now()) % hourMs))
  const amounts = ['0.2', '0.1', '', '0.05']
  for (const [at, amount] of amounts.entries()) {
    const price = `${60_000 + 100 * at}`
    await live.price('BTC', price)
    const [buyer, seller] = at === 1 ? [bob, alice] : [alice, bob]
    if (amount !== '') await live.trade({ buyer, seller, symbol: 'BTC', price, amount })
    const end_time = hourMs * Math.ceil(((await now()) + 1) / hourMs)
    const { open_interest, oracle, mark } = await prices()
    hours.unshift({ start_time: end_time - hourMs, end_time, open_interest, oracle, mark })
    if (at + 1 < amounts.length) await advance(end_time - (await now()))
  }
  assert.deepEqual(
    hours.map(({ open_interest }) => open_interest),
    ['0.15', '0.1', '0.1', '0.2'],
  )
  const query = { symbol: 'BTC', limit: 4 }
  assert.deepEqual(
    (await page('/open_interest/history', query)).data,
    hours.map(({ oracle: _, mark, ...row }) => {
      const value = Number(row.open_interest) * Number(mark)
      return { ...row, open_interest_value: `${Math.round(value * 1e6) / 1e6}` }
    }),
  )
  assert.deepEqual(
    (await page('/index_price/history', query)).data,
    hours.map(({ start_time, end_time, oracle }) => ({
      start_time,
      end_time,
      index_price: oracle,
    })),
  )
})

test('pages continue by cursor, without a gap, to the listing and to the first price', async () => {
  const oldest = async (path: string, interval: string, limit: number) => {
    const rows = await paged(path, { symbol: 'BTC', interval }, limit)
    rows.forEach((row, at) => {
      if (at > 0) assert.equal(row.end_time, rows[at - 1]!.start_time)
    })
    for (const size of [7, 1_000])
      assert.deepEqual(await paged(path, { symbol: 'BTC', interval }, size), rows)
    return rows.at(-1)!
  }
  const interest = await oldest('/open_interest/history', '1m', 4_000)
  assert.equal(interest.start_time, listedAt - (listedAt % 60_000))
  const index = await oldest('/index_price/history', '30m', 4_000)
  assert.ok((index.start_time as number) < listedAt)
  assert.ok(Number(index.index_price) > 0)
  const [, second] = hours
  const { start_time } = second as { start_time: number }
  const within = { symbol: 'BTC', start_time, end_time: start_time + 1 }
  assert.equal((await page('/index_price/history', within)).data.length, 1)
  for (const more of [
    { interval: '7m' },
    { symbol: 'XXX' },
    { cursor: 'abc' },
    { start_time: 'x' },
  ])
    for (const path of ['/open_interest/history', '/index_price/history']) {
      const reply = await api.get(path, { symbol: 'BTC', ...more })
      assert.equal(reply.status, 400, reply.text)
      assert.match(
        String(reply.body.error),
        new RegExp(Object.keys(more)[0]!.replace('symbol', 'XXX|market')),
      )
    }
})

test('liquidations are those of the stream, and name no account', async () => {
  await stream.subscribe('liquidations')
  const [alice, bob] = [await live.trader('3200'), await live.trader('1000000')]
  await live.price('BTC', '105000')
  await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount: '1' })
  await live.order(bob, { symbol: 'BTC', side: 'bid', price: '102690', amount: '0.1' })
  // First below maintenance, then below two thirds of it: the book, then the backstop.
  await live.price('BTC', '102700')
  await advance(5_000)
  await live.price('BTC', '102300')
  await advance(5_000)
  const liquidated = () => stream.of('liquidations').flatMap(({ data }) => data as Row[])
  await until(() => liquidated().length === 2)
  const { data } = await page('/liquidations')
  assert.deepEqual(
    data,
    liquidated()
      .map(({ li: _, ...row }) => row)
      .reverse(),
  )
  assert.deepEqual(
    data.map(({ symbol, side, amount, price, cause }) => [symbol, side, amount, price, cause]),
    [
      ['BTC', 'force_close_long', '0.9', '102300', 'backstop_liquidation'],
      ['BTC', 'force_close_long', '0.1', '102690', 'market_liquidation'],
    ],
  )
  const [newest, oldest] = data as [Row, Row]
  for (const address of [alice.address, bob.address])
    assert.ok(!JSON.stringify(data).includes(address))
  const hidden = await api.get('/positions/history', { account: alice.address })
  assert.equal(hidden.status, 401)
  assert.deepEqual((await page('/liquidations', { symbol: 'ETH' })).data, [])
  assert.deepEqual(await paged('/liquidations', { symbol: 'BTC' }, 1), data)
  const start_time = newest.created_at as number
  assert.deepEqual((await page('/liquidations', { start_time })).data, [newest])
  assert.deepEqual((await page('/liquidations', { end_time: start_time - 1 })).data, [oldest])
  const foreign = (await page('/open_interest/history', { symbol: 'BTC', limit: 1 })).next_cursor!
  assert.equal((await api.get('/liquidations', { cursor: foreign })).status, 400)
})
