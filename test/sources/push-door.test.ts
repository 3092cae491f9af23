// The endpoint through which tokens push prices, with the faults of its clients: the same two
// markets as for sources that are read, over a real port.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { FailedTokens } from '../../src/gateway/admin/access/failed-tokens.ts'
import { createAdmin } from '../../src/gateway/admin/admin-server.ts'
import { pricesInto } from '../../src/main/operator.ts'
import { TwoMarkets } from '../support/price-sources/two-markets.ts'

const token = 'the-token-that-pushes'
let venue = new TwoMarkets()

const parts = {
  exchange: {
    get view() {
      return venue.exchange.view
    },
  },
  operator: {
    pushPrices: (...given: Parameters<ReturnType<typeof pricesInto>>) =>
      pricesInto(venue.prices, venue.exchange as never)(...given),
  },
  tokens: [
    { name: 'tried', token, scopes: ['prices'] },
    { name: 'reader', token: 'the-token-that-reads', scopes: ['read'] },
  ],
  allowedHosts: [],
  metrics: null,
  consoleFolder: '',
  settled: () => Promise.resolve(),
  log: pino({ level: 'silent' }),
  failedTokens: new FailedTokens(pino({ level: 'silent' })),
  trusted: { has: () => false },
}
// No other part of the exchange is used.
const admin = createAdmin(parts as never)
const url = await admin.listen({ host: '127.0.0.1', port: 0 })
after(() => admin.close())

/** Gives the status. */
async function post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const reply = await fetch(`${url}/prices`, {
    method: 'POST',
    body,
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...headers,
    },
  })
  await reply.arrayBuffer()
  return reply.status
}

const body = (btc: unknown, eth: unknown, more: object = {}) =>
  JSON.stringify({
    prices: [
      { symbol: 'BTC', price: btc, ...more },
      { symbol: 'ETH', price: eth, ...more },
    ],
  })
const honest = body('105000.5', '3500.25')
const both = (price: unknown) => () => post(body(price, price))
const head = (length: number) =>
  `POST /prices HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n` +
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

/** Some bytes of a request, and then nothing, or the end of the connection. */
async function begin(ends: boolean): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise((done) => socket.write(head(honest.length) + honest.slice(0, 30), done))
  if (ends) socket.destroy()
  else halfOpen.push(socket)
  return 0
}

/** A body of this length is announced; gives the status of the answer. */
async function announce(length: number): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(head(length))
  const answer = await new Promise<Buffer>((done) => socket.once('data', done))
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1])
}

const halfOpen: ReturnType<typeof connect>[] = []

type Fault = Readonly<{
  name: string
  seconds?: number
  act(second: number): Promise<number>
  /** What each is answered; 0: nothing. */
  status: number
  market: 'live' | 'stale' | 'cancel_only'
  price?: number
}>

const faults: readonly Fault[] = [
  { name: 'silence', act: async () => 0, status: 0, market: 'stale' },
  {
    name: 'silence for longer than a minute',
    seconds: 75,
    act: async () => 0,
    status: 0,
    market: 'cancel_only',
  },
  { name: 'a body that is not JSON', act: () => post('<xml/>'), status: 400, market: 'stale' },
  {
    name: 'a body cut short',
    act: () => post(honest.slice(0, -3)),
    status: 400,
    market: 'stale',
  },
  { name: 'JSON of another shape', act: () => post('[1,2]'), status: 400, market: 'stale' },
  { name: 'no prices', act: () => post('{"prices":[]}'), status: 400, market: 'stale' },
  {
    name: 'an unknown field',
    act: () => post(body('105000.5', '3500.25', { time: 1 })),
    status: 400,
    market: 'stale',
  },
  {
    name: 'jump: a fifth higher than anybody else',
    act: () => post(body('126000.6', '4200.3')),
    status: 200,
    market: 'stale',
  },
  {
    name: 'one source lying within 3 %',
    act: () => post(body('107000', '3560')),
    status: 200,
    market: 'live',
    price: 106_000.25,
  },
  {
    name: 'one source lying by more and more',
    act: (second) => post(body(`${105_000 - 2_000 * second}`, `${3_500 - 60 * second}`)),
    status: 200,
    market: 'stale',
  },
  { name: 'a price of zero', act: both('0'), status: 200, market: 'stale' },
  { name: 'a price below zero', act: both('-105000'), status: 200, market: 'stale' },
  { name: 'a price that is not a number', act: both('NaN'), status: 200, market: 'stale' },
  { name: 'a price that is a number of JSON', act: both(105_000.5), status: 400, market: 'stale' },
  { name: 'a price with an exponent', act: both('1e5'), status: 200, market: 'stale' },
  { name: 'a price beyond all bounds', act: both('9'.repeat(30)), status: 200, market: 'stale' },
  {
    name: 'more digits than a market has',
    act: both('1.0000000001'),
    status: 200,
    market: 'stale',
  },
  {
    name: 'a market that is not listed',
    act: () => post('{"prices":[{"symbol":"NOPE","price":"1"}]}'),
    status: 200,
    market: 'stale',
  },
  {
    name: 'an unknown token',
    act: () => post(honest, { authorization: 'Bearer wrong' }),
    status: 401,
    market: 'stale',
  },
  {
    name: 'a token that may not push',
    act: () => post(honest, { authorization: 'Bearer the-token-that-reads' }),
    status: 403,
    market: 'stale',
  },
  {
    name: 'a page of another origin',
    act: () => post(honest, { origin: 'https://elsewhere.example' }),
    status: 403,
    market: 'stale',
  },
  {
    name: 'oversized: a body of a hundred megabytes',
    act: () => announce(100_000_000),
    status: 413,
    market: 'stale',
  },
  {
    name: 'half open: a body that never ends',
    act: () => begin(false),
    status: 0,
    market: 'stale',
  },
  { name: 'cut in the middle of a body', act: () => begin(true), status: 0, market: 'stale' },
  {
    name: 'storm: forty pushes together',
    act: async (second) => {
      const length = second < 3 ? 40 : 1
      const statuses = await Promise.all(Array.from({ length }, () => post(honest)))
      return Math.max(...statuses)
    },
    status: 200,
    market: 'live',
    price: 105_000.5,
  },
]

async function honestSeconds(count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    venue.pushHonest()
    assert.equal(await post(honest), 200)
    await venue.passSecond()
  }
}

for (const fault of faults)
  test(`push: ${fault.name}`, async () => {
    venue = new TwoMarkets()
    await venue.open(['tried'], [])
    await honestSeconds(4)
    assert.deepEqual(venue.healths, ['live', 'live'])
    const before = venue.exchange.seq
    const { seconds = 12 } = fault
    for (let second = 0; second < seconds; second++) {
      venue.pushHonest()
      assert.equal(await fault.act(second), fault.status)
      await venue.passSecond()
    }
    assert.deepEqual(venue.healths, [fault.market, 'live'])
    assert.equal(venue.priceOf(2), 3_500.25)
    if (fault.price !== undefined) assert.equal(venue.priceOf(1), fault.price)
    // A tick of each market every three seconds, and the one a second that lets time pass.
    assert.ok(venue.exchange.seq - before <= 3 * seconds, 'few commands come of it')
    // A market that was lost needs five good ticks, and they come every three seconds.
    await honestSeconds(fault.market === 'cancel_only' ? 16 : 4)
    assert.deepEqual(venue.healths, ['live', 'live'])
    for (const socket of halfOpen.splice(0)) socket.destroy()
    venue.prices.close()
    assert.equal(venue.time.armed, 0)
  })
