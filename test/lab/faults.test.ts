// Faults on request: each kind, what clients must believe, and that a seed repeats them.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { createExchange } from '../../src/embed/embed.ts'
import type { FaultPlan, FaultRule } from '../../src/protocol/schemas/lab/faults.ts'
import { faultySession, kinds } from '../support/lab/faulty-client.ts'

const order = {
  symbol: 'BTC',
  price: '90000',
  amount: '0.01',
  side: 'bid',
  tif: 'GTC',
  reduce_only: false,
} as const
const held = { markets: ['BTC'], prices: 'held' } as const

for (const client of kinds)
  for (const rule of [
    { fault: '429', p: 0.5 },
    { fault: '503', p: 0.5 },
    { fault: 'timeout_lost', p: 0.5, ms: 20 },
    { fault: 'timeout_done', p: 0.5, ms: 20 },
    { fault: 'reset', p: 0.5 },
    { fault: 'slow', p: 0.5, ms: 500 },
    { fault: 'duplicate', p: 0.5 },
    { fault: 'skew', p: 0.5 },
  ] as const satisfies readonly FaultRule[]) {
    // ccxt signs always, and a second text of the same signature is refused.
    if (client === 'ccxt' && rule.fault === 'duplicate') continue
    test(`${rule.fault}, ${client}: both truths name each difference, and no other`, async () => {
      const { wrong, named, unanswered, faults, left } = await faultySession(client, rule)
      assert.ok(faults.length > 0 && faults.length < 6, faults.join())
      assert.deepEqual(named, wrong)
      assert.equal(unanswered[1], unanswered[0])
      assert.deepEqual(left, [])
      const hasUnknown = ['timeout_lost', 'timeout_done', 'reset'].includes(rule.fault)
      assert.equal(unanswered[0] > 0, hasUnknown)
      assert.equal(wrong.length > 0, ['timeout_done', 'duplicate', 'reset'].includes(rule.fault))
    })
  }

/** An embedded exchange with a websocket of alice, and the frames that it got. */
async function streaming(source: string, params: object = {}) {
  const exchange = createExchange({ ...held, verify: false })
  const alice = exchange.trader('alice')
  const { wsUrl } = await exchange.listen(0)
  type Frame = {
    channel: string
    li: number
    prev: number | null
    data: { cs?: number; prev?: number }
  }
  const frames: Frame[] = []
  const connect = async (more: object = {}) => {
    const socket = new WebSocket(wsUrl)
    socket.on('message', (bytes: Buffer) => {
      const frame = JSON.parse(bytes.toString()) as Frame
      if (frame.channel === source) frames.push(frame)
    })
    await once(socket, 'open')
    const subscribed = { source, account: alice.address, ...params, ...more }
    socket.send(JSON.stringify({ method: 'subscribe', params: subscribed }))
    await once(socket, 'message')
    return socket
  }
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise((done) => setTimeout(done, 2))
  }
  const settle = async () => {
    const headers = { 'content-type': 'application/json' }
    await exchange.fetch('/api/v1/sandbox/settle', { method: 'POST', headers, body: '{}' })
  }
  const place = (price = '90000') =>
    alice.place({ symbol: 'BTC', side: 'bid', price, amount: '0.01' })
  const open = () => exchange.faultReport().differences.filter(({ until: end }) => end === null)
  return { exchange, alice, frames, connect, until, settle, place, open, wsUrl }
}

const updates = 'account_order_updates'

test('a gap hides an order until its update, and prev shows it', async () => {
  const { exchange, alice, frames, connect, until, place, open } = await streaming(updates)
  const socket = await connect()
  exchange.faults({ rules: [{ fault: 'ws_gap', channel: updates, for: '1s' }] })
  place()
  await until(() => exchange.faultReport().count === 1)
  assert.deepEqual(
    open().map(({ subject, client, venue, known_from }) => [subject, client, venue, known_from]),
    [['order 1', 'not known', 'open', null]],
  )
  await exchange.elapse('2s')
  place()
  await until(() => frames.length === 1)
  assert.notEqual(open()[0]!.known_from, null)
  alice.cancelAll()
  await until(() => open().length === 0)
  const [entry] = exchange.faultReport().faults
  assert.deepEqual([entry!.n, entry!.venue, entry!.client], [1, 'sent', 'not delivered'])
  socket.close()
  await exchange.close()
})

test('frames that are late, sent twice, or not sent for a while', async () => {
  const { exchange, frames, connect, until, place, open } = await streaming(updates)
  const socket = await connect()
  const channel = updates
  exchange.faults({ rules: [{ fault: 'late', channel, ms: 1_500 }] })
  place()
  await until(() => exchange.faultReport().count === 1)
  await exchange.elapse('1s')
  assert.deepEqual([frames.length, open().length], [0, 1])
  await exchange.elapse('1s')
  await until(() => frames.length === 1)
  assert.deepEqual(open(), [])
  assert.equal(exchange.faultReport().differences.length, 1)
  exchange.faults({ rules: [{ fault: 'duplicate', channel }] })
  place()
  await until(() => frames.length === 3)
  assert.deepEqual(frames[1], frames[2])
  assert.deepEqual(exchange.faultReport().differences, [])
  exchange.faults({ rules: [{ fault: 'silent', channel, ms: 1_000, for: '500ms' }] })
  place()
  await until(() => exchange.faultReport().count === 1)
  place()
  await until(() => open().length === 2)
  await exchange.elapse('2s')
  place()
  await until(() => frames.length === 4)
  assert.deepEqual(
    open().map(({ subject }) => subject),
    ['order 3', 'order 4'],
  )
  socket.close()
  await exchange.close()
})

test('a cut connection believes its orders to be open until it resumes', async () => {
  const { exchange, alice, frames, connect, until, place, open, wsUrl } = await streaming(updates)
  const socket = await connect()
  exchange.faults({
    rules: [
      { id: 'drop', fault: 'ws_drop', channel: updates, at: '1s', for: '1s' },
      { id: 'refuse', fault: 'ws_refuse', at: '1s', for: '1s' },
    ],
  })
  place()
  await until(() => frames.length === 1)
  await exchange.elapse('1s')
  const closed = once(socket, 'close')
  place()
  assert.equal((await closed)[0], 1006)
  const refused = new WebSocket(wsUrl)
  const [error] = await once(refused, 'error')
  assert.match((error as Error).message, /503/)
  await exchange.elapse('2s')
  alice.cancelAll()
  assert.deepEqual(
    open().map(({ subject, known_from }) => [subject, known_from !== null]),
    [
      ['order 2', true],
      ['order 1', true],
    ],
  )
  const again = await connect({ resume_from: frames[0]!.li })
  await until(() => open().length === 0)
  again.close()
  await exchange.close()
})

test('a wrong checksum is in the ledger, and a new book replaces it', async () => {
  const { exchange, frames, connect, until, settle, place, open } = await streaming('book_delta', {
    symbol: 'BTC',
  })
  const socket = await connect()
  await settle()
  await until(() => frames.length === 1)
  exchange.faults({
    rules: [{ fault: 'bad_checksum', channel: 'book_*', for: '1s' }],
  })
  place()
  await settle()
  await until(() => open().length === 1)
  assert.equal(open()[0]!.subject, 'book_delta BTC')
  await exchange.elapse('1s')
  socket.close()
  const again = await connect()
  await settle()
  await until(() => open().length === 0)
  again.close()
  await exchange.close()
})

test('the fate of a request depends on seed, rule, account and ordinal alone', async () => {
  const names = ['alice', 'bob', 'carol']
  const run = async (together: boolean, seed = 5) => {
    const exchange = createExchange({ ...held, verify: false })
    const clients = await Promise.all(names.map((name) => exchange.client(name)))
    await Promise.all(clients.map((client) => client.checkVenue()))
    exchange.faults({
      seed,
      rules: [
        { fault: '503', p: 0.3 },
        { fault: '429', p: 0.2 },
      ],
    })
    const session = async (client: (typeof clients)[number]) => {
      for (let count = 0; count < 20; count++)
        await client.createOrder(order).catch(() => undefined)
    }
    if (together) await Promise.all(clients.map(session))
    else for (const client of clients.reverse()) await session(client)
    const { digest, count } = exchange.faultReport()
    exchange.reset()
    const cleared = exchange.faultReport().count
    for (const client of clients) await session(client)
    const repeated = exchange.faultReport().digest
    await exchange.close()
    return { digest, count, cleared, isRepeated: repeated === digest }
  }
  const first = await run(true)
  assert.deepEqual([first.cleared, first.isRepeated], [0, true])
  assert.ok(first.count > 10)
  for (let again = 0; again < 3; again++) assert.deepEqual(await run(true), first)
  assert.deepEqual(await run(false), first)
  assert.notEqual((await run(true, 6)).digest, first.digest)
})

test('faults of the exchange are commands, at their times', async () => {
  const exchange = createExchange({ markets: ['BTC', 'ETH'], verify: false })
  const client = await exchange.client('alice')
  await client.checkVenue()
  const plan: FaultPlan = {
    rules: [
      { id: 'halt', fault: 'halt', at: '00:00:10', for: '5s' },
      { id: 'cancel_only', fault: 'cancel_only', at: '20s', for: '5s' },
      { id: 'stall', fault: 'feed_stall', at: '30s', for: '90s', symbol: 'BTC' },
      { id: 'restart', fault: 'restart', every: '1h±10m' },
    ],
  }
  exchange.faults(plan)
  assert.throws(() => exchange.advance('1m'), /elapse/)
  const modes: string[] = []
  for (const until of ['12s', '5s', '5s', '5s']) {
    await exchange.elapse(until)
    modes.push(exchange.state.mode)
  }
  assert.deepEqual(modes, ['halted', 'open', 'cancel_only', 'open'])
  await exchange.elapse('1m')
  assert.deepEqual(
    ['BTC', 'ETH'].map((symbol) => exchange.market(symbol).hasLivePrice),
    [false, true],
  )
  await exchange.elapse('3h')
  const restarts = exchange.faultReport().faults.filter(({ fault }) => fault === 'restart')
  assert.ok(restarts.length >= 2 && restarts.length <= 4)
  assert.equal(exchange.replayedHash(), exchange.hash())
  await exchange.close()
})

test('faults of requests and streams do not change what the exchange does', async () => {
  const run = async (rules: readonly FaultRule[]) => {
    const exchange = createExchange({ ...held, verify: false })
    const client = await exchange.client('alice')
    await client.checkVenue()
    exchange.faults({ rules: [...rules] })
    for (let count = 0; count < 5; count++) await client.createOrder(order).catch(() => undefined)
    const hash = exchange.tradingHash()
    await exchange.close()
    return hash
  }
  const plain = await run([])
  assert.equal(await run([{ fault: 'reset', done: true }]), plain)
  assert.equal(await run([{ fault: 'timeout_done', ms: 10 }]), plain)
  assert.notEqual(await run([{ fault: 'timeout_lost', ms: 10 }]), plain)
})

test('a rule that applies once loses one reply, and its report outlives the plan', async () => {
  const exchange = createExchange(held)
  const alice = await exchange.client('alice')
  await alice.checkVenue()
  const match = { account: 'alice', op: 'orders/create' }
  exchange.faults({ rules: [{ fault: 'timeout_done', match, ms: 10, times: 1 }] })
  await assert.rejects(alice.createOrder(order), /no answer|fetch failed/)
  await alice.createOrder(order)
  assert.equal(exchange.faults({ rules: [] }).count, 1)
  const open = () => exchange.faultReport().differences.filter(({ until }) => until === null)
  assert.deepEqual(
    open().map(({ subject }) => subject),
    ['order 1', 'request 1 orders/create'],
  )
  await alice.getOpenOrders()
  assert.deepEqual(open(), [])
  exchange.reset()
  assert.equal(exchange.faultReport().count, 0)
  await exchange.close()
})

test('a halt begins with its plan, and ends with it', async () => {
  const exchange = createExchange(held)
  const alice = await exchange.client('alice')
  exchange.faults({ rules: [{ fault: 'halt' }] })
  assert.equal(exchange.state.mode, 'halted')
  assert.match(exchange.faultReport().faults[0]!.venue, /^halted for 60000 ms/)
  await assert.rejects(alice.createOrder(order), /halted/)
  exchange.faults('gentle')
  assert.equal(exchange.state.mode, 'open')
  exchange.latency('home')
  assert.throws(() => exchange.latency('moon' as never), /preset must be one of colo, region/)
  await exchange.close()
})

test('a plan that is not understood is refused and changes nothing', async () => {
  const exchange = createExchange(held)
  exchange.faults({ profile: 'bad-day' })
  const { rules } = exchange.faultReport()
  for (const [plan, says] of [
    [{}, /rules or profile is required/],
    [{ profile: 'monday' }, /profile must be one of gentle, bad-day, incident/],
    [{ rules: [{ fault: 'meteor' }] }, /rules\[0\]\.fault must be one of 429/],
    [{ rules: [{ fault: '503', ops: 'x' }] }, /rules\[0\]\.ops is not a field/],
    [{ rules: [{ fault: '503', match: { op: 'order/*' } }] }, /order\/\* matches no path/],
    [{ rules: [{ fault: '503', channel: 'book' }] }, /channel does not go with 503/],
    [{ rules: [{ fault: 'ws_gap', channel: 'boook' }] }, /boook matches no channel/],
    [{ rules: [{ fault: 'halt', p: 0.5 }] }, /p does not go with halt/],
    [{ rules: [{ fault: 'slow', p: 2 }] }, /p must be <= 1/],
    [{ rules: [{ fault: 'slow', at: 'noon' }] }, /at "noon" is not a duration/],
    [{ rules: [{ fault: 'restart', every: '1h±40m' }] }, /every 1h±40m/],
    [{ rules: [{ fault: 'slow', done: true }] }, /done goes with reset/],
    [{ rules: [{ fault: 'feed_stall', symbol: 'DOGECOIN' }] }, /DOGECOIN is not a market/],
    [
      {
        rules: [
          { id: 'a', fault: '429' },
          { id: 'a', fault: '503' },
        ],
      },
      /id a is used twice/,
    ],
  ] as const)
    assert.throws(() => exchange.faults(plan as never), says)
  assert.equal(exchange.faultReport().rules, rules)
  assert.deepEqual(exchange.faults({ rules: [] }).faults, [])
  await exchange.close()
})
