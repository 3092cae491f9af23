// The same requests to an embedded exchange and to a running one, over real HTTP, get the same
// replies. Both clocks are at the same instant. The running one has run before its clock was
// stopped, so sequence numbers are counted from the first request on, ids by the order in which
// they first appear, and fields that depend on the time before are omitted.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signedBody } from '../../src/client/signed-body.ts'
import { createExchange, type EmbeddedExchange } from '../../src/embed/embed.ts'
import { routes } from '../../src/protocol/routes.ts'
import type { SigningType } from '../../src/protocol/signing-types.ts'
import { dataOf, freshTimestamp, type Row } from '../support/http/api-client.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'

type Ask = (path: string, init?: RequestInit) => Promise<Response>
type Reply = Readonly<{ status: number; headers: readonly (string | null)[]; body: unknown }>

let live: Live
let embedded: EmbeddedExchange

before(async () => {
  live = await frozenSandbox()
  const { engine_now } = dataOf<{ engine_now: number }>(await live.api.get('/sandbox/clock'))
  embedded = createExchange({ start: engine_now })
})

after(async () => {
  await embedded.close()
  await live.close()
})

/** Different because of the time before, the machine's clock, or chance. */
const leftOut = new Set([
  ...['yesterday_price', 'now', 'offset_ms', 'manual', 'cursor', 'next_cursor', 'venue'],
  'clock',
  ...['funding', 'next_funding', 'funding_rate', 'next_funding_rate', 'api_key'],
  ...['state_hash', 'trading_hash'],
])
const ids = new Set(['order_id', 'historyId', 'history_id', 'parent', 'id'])
const seqs = new Set(['last_order_id', 'li', 'seq'])
const headerNames = ['content-type', 'allow', 'access-control-allow-origin', 'content-disposition']

class Side {
  readonly ask: Ask
  private readonly known = new Map<unknown, string>()
  private firstSeq: number | null = null

  constructor(ask: Ask) {
    this.ask = ask
  }

  async request(path: string, init: RequestInit = {}): Promise<Reply> {
    const response = await this.patiently(path, init)
    const { status } = response
    const headers = headerNames.map((name) => response.headers.get(name))
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const body = isJson && text !== '' ? this.same(JSON.parse(text), path) : text.length > 0
    return { status, headers, body }
  }

  /** The running one writes history in a separate thread. */
  private async patiently(path: string, init: RequestInit): Promise<Response> {
    for (let left = 50; ; left--) {
      const response = await this.ask(path, init)
      if (response.status !== 503 || left === 0) return response
      await new Promise((done) => setTimeout(done, 100))
    }
  }

  private same(value: unknown, path: string): unknown {
    if (Array.isArray(value))
      return value.filter((each) => isOfTraders(each, path)).map((each) => this.same(each, path))
    if (typeof value === 'string') return value.replace(/ now \d+/, ' now')
    if (typeof value !== 'object' || value === null) return value
    const listing = /\/(?:info|snapshot)(?:\?|$)/.test(path) ? 'created_at' : ''
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !leftOut.has(name) && name !== listing)
        .map(([name, inner]) => [name, this.cell(name, inner, path)]),
    )
  }

  private cell(name: string, value: unknown, path: string): unknown {
    if (typeof value !== 'number') return this.same(value, path)
    if (seqs.has(name)) {
      this.firstSeq ??= value
      return value - this.firstSeq
    }
    if (!ids.has(name)) return value
    if (!this.known.has(value)) this.known.set(value, `${name} ${this.known.size}`)
    return this.known.get(value)
  }
}

/** A served sandbox has accounts for its bots, also when they are stopped. */
function isOfTraders(row: Row, path: string): boolean {
  if (!path.includes('/leaderboard')) return true
  return ['alice', 'bob'].some((name) => embedded.key(name).address === row.address)
}

const sides = () => [
  new Side((path, init) => fetch(live.url + path, init)),
  new Side((path, init) => embedded.fetch(embedded.url + path, init)),
]

const json = { 'content-type': 'application/json' }
const posted = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: json,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

async function signed(name: 'alice' | 'bob', type: SigningType, fields: Row) {
  const body = await signedBody(embedded.key(name), fields, { type, timestamp: freshTimestamp() })
  return posted(body)
}

type Step = Readonly<{ path: string; init: RequestInit }>

const order = { symbol: 'BTC', amount: '0.2', tif: 'GTC', reduce_only: false }
const sandbox = (route: string, body: Row): Step => ({
  path: `/api/v1/sandbox/${route}`,
  init: posted(body),
})

/** A short session of two traders, including rejections. */
async function life(): Promise<readonly Step[]> {
  const [alice, bob] = [embedded.key('alice').address, embedded.key('bob').address]
  const act = async (name: 'alice' | 'bob', type: SigningType, path: string, fields: Row) => ({
    path: `/api/v1${path}`,
    init: await signed(name, type, fields),
  })
  const create = (name: 'alice' | 'bob', fields: Row) =>
    act(name, 'create_order', '/orders/create', { ...order, ...fields })
  return [
    sandbox('faucet', { account: alice, amount: '50000' }),
    sandbox('faucet', { account: bob, amount: '20000.5' }),
    ...['BTC', 'ETH', 'SOL', 'DOGE', 'HYPE', 'XAU', 'PEPE', 'WIF'].map((symbol, at) =>
      sandbox('oracle', { symbol, price: prices[at]! }),
    ),
    sandbox('clock', { advance_ms: 3_600_000 }),
    await create('alice', { side: 'ask', price: '100000' }),
    await create('alice', { side: 'ask', price: '100100', client_order_id: clientId }),
    await create('bob', { side: 'bid', price: '100050', amount: '0.15' }),
    await create('bob', { side: 'bid', price: '100050.5' }),
    await create('bob', { side: 'bid', price: '100000', amount: '40' }),
    await create('bob', { side: 'bid', price: '90000', symbol: 'NONE' }),
    await act('bob', 'create_market_order', '/orders/create_market', {
      ...{ symbol: 'BTC', side: 'bid', amount: '0.05', slippage_percent: '1', reduce_only: false },
    }),
    await act('bob', 'set_position_tpsl', '/positions/tpsl', {
      ...{ symbol: 'BTC', side: 'ask', take_profit: { stop_price: '120000' } },
    }),
    await act('alice', 'update_leverage', '/account/leverage', { symbol: 'ETH', leverage: 7 }),
    await act('alice', 'cancel_order', '/orders/cancel', {
      ...{ symbol: 'BTC', client_order_id: clientId },
    }),
    await act('alice', 'cancel_order', '/orders/cancel', { symbol: 'BTC', order_id: 999_999 }),
    sandbox('snapshot', {}),
    sandbox('oracle', { symbol: 'BTC', price: '101000' }),
    sandbox('clock', { advance_ms: 60_000 }),
    await act('alice', 'create_twap_order', '/orders/twap/create', {
      ...{ symbol: 'BTC', side: 'bid', amount: '0.1', slippage_percent: '1', reduce_only: false },
      ...{ duration_in_seconds: 300 },
    }),
    sandbox('clock', { advance_ms: 120_000 }),
    await act('alice', 'withdraw', '/account/withdraw', { amount: '100' }),
  ]
}

const prices = ['100000', '3000', '150', '0.2', '40', '3000', '0.00001', '1']
const clientId = '123e4567-e89b-42d3-a456-426614174000'

async function compare(path: string, init: RequestInit, [one, other]: readonly Side[]) {
  const [expected, reply] = await Promise.all([
    one!.request(path, init),
    other!.request(path, init),
  ])
  assert.deepEqual(reply, expected, `${init.method ?? 'GET'} ${path}`)
  return reply.status
}

test('a session of two traders gets the same replies embedded and served', async () => {
  const both = sides()
  const statuses: number[] = []
  for (const { path, init } of await life()) statuses.push(await compare(path, init, both))
  // The session must have happened: rejections where they are expected, and nowhere else.
  assert.deepEqual(statuses.filter((status) => status !== 200).toSorted(), [400, 422, 422, 422])
  const query = `account=${embedded.key('bob').address}&symbol=BTC&interval=1m&order_id=1`
  const times = `&start_time=${embedded.now - 240_000}&end_time=${embedded.now}`
  for (const { http } of Object.values(routes)) {
    const [method, path] = http.split(' ') as [string, string]
    if (method !== 'GET' || path === '/orders/history_by_id') continue
    if (path === '/sandbox/snapshots') continue
    // An embedded exchange has no journal on disk, and says so.
    if (/^\/(receipts|checkpoints)/.test(path)) continue
    await compare(`/api/v1${path}?${query}${times}`, {}, both)
    await compare(`/ccxt/api/v1${path}?${query}${times}`, {}, both)
  }
  await compare('/api/v1/sandbox/revert', posted({ id: 's1' }), both)
  await compare(`/api/v1/trades/history?${query}`, {}, both)
  await compare(`/api/v1/info/prices`, {}, both)
})

test('a malformed request is rejected with the same message', async () => {
  const both = sides()
  const account = embedded.key('alice').address
  const body = { account, signature: '1'.repeat(64), timestamp: Date.now(), ...order }
  const create = '/api/v1/orders/create'
  const long = JSON.stringify({ ...body, symbol: 'B'.repeat(70_000) })
  const requests: readonly (readonly [string, RequestInit?])[] = [
    ['/api/v1/none'],
    ['/api/v1/info', { method: 'POST', headers: json, body: '{}' }],
    ['/api/v1/info', { method: 'OPTIONS' }],
    ['/api/v1/info', { method: 'HEAD' }],
    ['/api/v1/info', { method: 'DELETE' }],
    ['/api/v1/book'],
    ['/api/v1/book?symbol=BTC&depth=many'],
    ['/api/v1/book?symbol=BTC&symbol=ETH'],
    ['/api/v1/positions?account=not-an-address'],
    ['/api/v1/account?account=9nUVKJztPuiFqXA8ymSwRhpiSDUK1AfL3GZBhLiSkoFh'],
    [create, posted('')],
    [create, posted('{"a":1,"a":2}')],
    [create, posted('[]')],
    [create, posted({ ...body, side: 'buy', price: '1' })],
    [create, posted({ ...body, side: 'bid', price: '1', signature: undefined })],
    [create, posted({ ...body, side: 'bid', price: '1', timestamp: 1 })],
    [create, posted(long)],
    [create, { method: 'POST', body: '{}' }],
    [create, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a,b' }],
    [create, { method: 'POST', headers: json, body: new TextEncoder().encode('{"a"') }],
    ['/api/v1/info', { headers: { 'pf-api-key': 'abcdefgh_nothing' } }],
    [`/api/v1/trades/history?account=${account}&format=xml`],
    [`/api/v1/trades/history?account=${account}`, { headers: { accept: 'text/csv' } }],
    ['/docs'],
    ['/openapi.json'],
    ['/health'],
    ['/', { redirect: 'manual' }],
    ['/api/v1/sandbox/clock', posted({ advance_ms: 0 })],
    ['/api/v1/sandbox/oracle', posted({ symbol: 'BTC', price: '-1' })],
    ['/api/v1/sandbox/revert', posted({ id: 'never' })],
    [
      '/api/v1/sandbox/faucet',
      { ...posted({}), headers: { ...json, origin: 'http://evil.example' } },
    ],
  ]
  for (const [path, init = {}] of requests) await compare(path, init, both)
})
