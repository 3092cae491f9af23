// The public trades by pages: sweeps produce hundreds of trades of one taker in one millisecond,
// and each is returned once, in order, for any page size.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExchange, type EmbeddedExchange } from '../../src/embed/embed.ts'
import { Random } from '../programs/differential/random.ts'

type Row = Readonly<{ history_id: number; price: string; amount: string; created_at: number }>
type Page = Readonly<{ data: readonly Row[]; next_cursor: string | null; has_more: boolean }>

const sweeps = 1_000
const makers = ['bob', 'carol', 'dave']

/** Asks of several makers over some prices, and then one order that fills them all. */
function sweep(exchange: EmbeddedExchange, random: Random, orders: number): string[] {
  const sizes: string[] = []
  for (let n = 0; n < orders; n++) {
    const amount = `0.0${1 + random.below(9)}`
    const price = `${100_000 + 10 * random.below(5)}`
    const maker = exchange.trader(random.pick(makers))
    const order = { symbol: 'BTC', price, amount, tif: 'GTC', reduce_only: false } as const
    assert.ok(maker.place({ ...order, side: 'ask' }).ok)
    sizes.push(amount)
  }
  const cents = sizes.reduce((sum, size) => sum + Number(size.slice(2)), 0)
  const amount = (cents / 100).toString()
  const taker = { symbol: 'BTC', side: 'bid', price: '101000', amount, tif: 'GTC' } as const
  const placed = exchange.trader('alice').place({ ...taker, reduce_only: false })
  assert.ok(placed.ok, JSON.stringify(placed))
  exchange.advance('1s')
  return sizes
}

async function paged(exchange: EmbeddedExchange, limit: number, more = ''): Promise<Row[]> {
  const found: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`
    const path = `/api/v1/trades?symbol=BTC&limit=${limit}${more}${from}`
    const page = (await (await exchange.fetch(path)).json()) as Page
    assert.equal(page.has_more, page.next_cursor !== null)
    assert.ok(page.data.length > 0 && page.data.length <= limit)
    found.push(...page.data)
    cursor = page.next_cursor
  }
  return found
}

/** The fills of the takers, from the history of positions. */
async function taken(exchange: EmbeddedExchange): Promise<(readonly [number, string])[]> {
  const { address } = exchange.trader('alice')
  const found: (readonly [number, string])[] = []
  for (let offset = 0; ; offset += 1_000) {
    const query = `account=${address}&limit=1000&offset=${offset}`
    const reply = await exchange.fetch(`/api/v1/positions/history?${query}`)
    const rows = (await reply.json()) as { historyId: number; amount: string }[]
    found.push(...rows.map(({ historyId, amount }) => [historyId, amount] as const))
    if (rows.length < 1_000) return found
  }
}

test('every trade of a thousand sweeps is returned once, in order, for any page size', async () => {
  const exchange = createExchange({ markets: ['BTC'], clock: 'manual', prices: 'held', seed: 3 })
  for (const name of ['alice', ...makers]) exchange.fund(name, '1000000000')
  const random = new Random(3)
  const sizes: string[] = []
  for (let n = 0; n < sweeps; n++) sizes.push(...sweep(exchange, random, 1 + random.below(8)))
  // One with more trades in one millisecond than a page has rows.
  sizes.push(...sweep(exchange, random, 466))
  const wanted = await taken(exchange)
  assert.equal(wanted.length, sizes.length)
  const all = await paged(exchange, 4_000)
  assert.deepEqual(
    all.map(({ history_id, amount }) => [history_id, amount]),
    wanted,
  )
  const most = await exchange.fetch('/api/v1/trades?symbol=BTC&limit=4001')
  assert.deepEqual(((await most.json()) as Page).data, all.slice(0, 4_000))
  const last = all[0]!.created_at
  assert.ok(all.filter(({ created_at }) => created_at === last).length === 466)
  for (const limit of [7, 100, 465, 999, 1_000]) assert.deepEqual(await paged(exchange, limit), all)
  const within = await paged(exchange, 100, `&start_time=${last}`)
  assert.deepEqual(within, all.slice(0, 466))
  await exchange.close()
})

test('the public trades are served as a table, and other lists reject the format', async () => {
  const exchange = createExchange({ markets: ['BTC'], clock: 'manual', prices: 'held', seed: 4 })
  for (const name of ['alice', ...makers]) exchange.fund(name, '1000000')
  sweep(exchange, new Random(4), 3)
  const read = (path: string) => exchange.fetch(`/api/v1${path}`)
  const table = await read('/trades?symbol=BTC&limit=2&format=csv')
  assert.match(table.headers.get('content-type')!, /^text\/csv/)
  assert.equal((await table.text()).split('\r\n').length, 4)
  const { next_cursor } = (await (await read('/trades?symbol=BTC&limit=2')).json()) as Page
  assert.equal(table.headers.get('x-next-cursor'), next_cursor)
  assert.equal((await read('/funding_rate/history?symbol=BTC&format=csv')).status, 200)
  for (const path of ['/info', '/info/prices', '/book?symbol=BTC', '/leaderboard']) {
    const refused = await read(`${path}${path.includes('?') ? '&' : '?'}format=csv`)
    const { error } = (await refused.json()) as { error: string }
    assert.equal(refused.status, 400)
    assert.match(error, /^MALFORMED_REQUEST: get_\w+ is not served as csv; leave format out/)
  }
  const bad = await read('/trades?symbol=BTC&cursor=abc')
  assert.equal(bad.status, 400)
  await exchange.close()
})
