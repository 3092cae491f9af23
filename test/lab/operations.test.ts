// What a test does to a fixture beyond trading: return to the start, wait until all was sent, cut
// connections, compare hashes.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { Client } from '../../src/client/client.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { createExchange } from '../../src/embed/embed.ts'
import { embeddedSession, playSession } from '../support/lab/session.ts'
import { Fixture } from '../support/running/fixture.ts'

const fixture = new Fixture(['--accounts', 'alice:50000,bob:50000', '--seed', '7'])
after(() => fixture.end())
const line = await fixture.line
const clientOf = (name: string) =>
  new Client({ url: line.url, signer: keyOfSecret(line.accounts[name]!.secret) })
const [alice, bob] = [clientOf('alice'), clientOf('bob')]
const addressOf = (name: string) => line.accounts[name]!.address
const order = { symbol: 'BTC', amount: '0.1', tif: 'GTC', reduce_only: false } as const

type Frame = Readonly<{ channel: string; li?: number; prev?: number | null; data?: unknown }>

/** A socket and all of its frames so far. */
async function connect(url: string) {
  const socket = new WebSocket(url)
  const frames: Frame[] = []
  let wake = () => {}
  socket.on('message', (bytes: Buffer) => {
    frames.push(JSON.parse(bytes.toString()) as Frame)
    wake()
  })
  await once(socket, 'open')
  const until = async (wanted: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const found = frames.find(wanted)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const subscribe = async (params: object) => {
    const before = frames.length
    socket.send(JSON.stringify({ method: 'subscribe', params }))
    const isReply = (frame: Frame) =>
      frame.channel === 'subscribe' && frames.indexOf(frame) >= before
    return (await until(isReply)) as Frame & Readonly<{ data: { resumed?: boolean } }>
  }
  const closed = once(socket, 'close').then(([code]) => code as number)
  return { socket, frames, until, subscribe, closed }
}

async function trade(price: string) {
  await alice.createOrder({ ...order, price, side: 'ask' })
  await bob.createOrder({ ...order, price, side: 'bid' })
}

test('a reset returns to the state after the start, with open sockets', async () => {
  const start = await alice.sandboxGetHash()
  const before = await alice.sandboxGetClock()
  const stream = await connect(line.ws)
  await stream.subscribe({ source: 'account_trades', account: addressOf('bob') })
  await alice.sandboxSetOracle({ symbol: 'BTC', price: '95000' })
  await trade('95000')
  await alice.sandboxSetClock({ advance_ms: 600_000 })
  const traded = await alice.sandboxGetHash()
  assert.notEqual(traded.trading_hash, start.trading_hash)
  const { data: created } = await bob.createApiKey()
  await alice.sandboxSnapshot()

  const { engine_now, seq } = await alice.sandboxReset()
  assert.deepEqual([engine_now, seq > traded.seq], [before.engine_now, true])
  assert.equal((await alice.sandboxGetHash()).trading_hash, start.trading_hash)
  assert.equal((await bob.getAccount()).balance, '50000')
  assert.deepEqual(await bob.getPositions(), [])
  assert.deepEqual(await alice.sandboxListSnapshots(), [])
  const keyed = new Client({ url: line.url, account: addressOf('bob'), apiKey: created.api_key })
  await assert.rejects(keyed.getAccount(), /INVALID_API_KEY/)
  await stream.until(({ channel }) => channel === 'reverted')

  // The same requests again have the same result, and the stream reports it.
  await alice.sandboxSetOracle({ symbol: 'BTC', price: '95000' })
  await trade('95000')
  await alice.sandboxSetClock({ advance_ms: 600_000 })
  assert.equal((await alice.sandboxGetHash()).trading_hash, traded.trading_hash)
  const fills = stream.frames.filter(({ channel }) => channel === 'account_trades')
  assert.ok(fills.length >= 2)
  assert.equal(stream.socket.readyState, WebSocket.OPEN)
  stream.socket.close()
})

test('settle returns when every frame was sent, and names the next event', async () => {
  await alice.sandboxReset()
  const stream = await connect(line.ws)
  for (const source of ['prices', 'book', 'bbo'])
    await stream.subscribe({ source, symbol: 'BTC', agg_level: 1 })
  for (let price = 90_000; price < 90_020; price++) {
    const { order_id } = await alice.createOrder({ ...order, price: `${price}`, side: 'bid' })
    assert.ok(order_id > 0)
    const settled = await alice.sandboxSettle()
    await new Promise((done) => setImmediate(done))
    // Books and prices are sent at most every 100 or 250 ms otherwise.
    const best = stream.frames.findLast(({ channel }) => channel === 'bbo')
    assert.equal((best!.data as { b: string }).b, `${price}`)
    assert.equal(settled.next_event_at, settled.engine_now + 3_000)
  }
  // Requests whose clients hang up are not waited for.
  for (const end of ['', 'x'.repeat(1_000)]) {
    const socket = createConnection(Number(new URL(line.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const head = 'POST /api/v1/orders/create HTTP/1.1\r\nhost: 127.0.0.1\r\n'
    socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n${end}`)
    await new Promise((done) => setTimeout(done, 20))
    socket.destroy()
  }
  const [one, other] = await Promise.all([alice.sandboxSettle(), bob.sandboxSettle()])
  assert.equal(one.seq, other.seq)
  const minute = await alice.sandboxSetClock({ advance_ms: 61_000 })
  const { engine_now, next_event_at } = await alice.sandboxSettle()
  assert.deepEqual([engine_now, next_event_at], [minute.engine_now, minute.engine_now + 2_000])
  stream.socket.close()
})

test('connections of an account are cut, and resume where they were', async () => {
  await alice.sandboxReset()
  const [mine, other] = [await connect(line.ws), await connect(line.ws)]
  const params = { source: 'account_trades', account: addressOf('bob') }
  await mine.subscribe(params)
  await other.subscribe({ source: 'prices' })
  await trade('95000')
  const { li } = await mine.until(({ channel }) => channel === 'account_trades')
  const account = addressOf('bob')
  assert.deepEqual(await alice.sandboxDropConnections({ account }), { dropped: 1 })
  assert.equal(await mine.closed, 1006)
  assert.equal(other.socket.readyState, WebSocket.OPEN)
  await trade('95001')
  const back = await connect(line.ws)
  const { data } = await back.subscribe({ ...params, resume_from: li })
  assert.equal(data.resumed, true)
  const missed = await back.until(({ channel }) => channel === 'account_trades')
  assert.equal(missed.prev, li)
  assert.deepEqual(await alice.sandboxDropConnections({}), { dropped: 2 })
  assert.deepEqual([await other.closed, await back.closed], [1006, 1006])
  assert.deepEqual(await alice.sandboxDropConnections({ kind: 'ws' }), { dropped: 0 })
  const post = async (body: object) => {
    const reply = await fetch(`${line.url}/api/v1/sandbox/connections/drop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return [reply.status, ((await reply.json()) as { error: string }).error] as const
  }
  for (const [body, says] of [
    [{ kind: 'tcp' }, /kind must be one of ws, http/],
    [{ account, kind: 'http' }, /account goes with kind ws/],
    [{ account: 'bob' }, /Invalid public key in account/],
    [{ accounts: account }, /accounts/],
  ] as const) {
    const [status, error] = await post(body)
    assert.equal(status, 400)
    assert.match(error, says)
  }
})

test('the same requests have the same trading hash again, and embedded', async () => {
  await alice.sandboxReset()
  const first = await playSession({ alice, bob }, 'session', 40)
  await alice.sandboxReset()
  assert.equal(await playSession({ alice, bob }, 'session', 40), first)
  assert.notEqual(await embeddedSession('session', 39, 7), first)
  assert.equal(await embeddedSession('session', 40, 7), first)
})

test('a text is accepted by the time of the machine or of the exchange, and once', async () => {
  await alice.sandboxReset()
  const { engine_now } = await alice.sandboxGetClock()
  const signer = keyOfSecret(line.accounts.alice!.secret)
  const at = (now: () => number) => new Client({ url: line.url, signer, now, expiryWindow: 5_000 })
  const rests = { ...order, price: '90000', side: 'bid' } as const
  for (const now of [engine_now, engine_now - 4_000, engine_now + 9_000])
    assert.ok((await at(() => now).createOrder(rests)).order_id > 0)
  assert.ok((await at(Date.now).createOrder(rests)).order_id > 0)
  for (const now of [engine_now - 5_001, engine_now + 10_001, Date.now() - 60_000])
    await assert.rejects(at(() => now).createOrder(rests), /EXPIRED.*engine time 17672256/)
  await assert.rejects(at(() => engine_now).createOrder(rests), /REPLAYED/)
  const reader = at(() => engine_now)
  assert.equal((await reader.getOpenOrders()).rows.length, 4)
})

test('an embedded exchange resets and cuts sockets, too', async () => {
  const exchange = createExchange({ markets: ['BTC'], seed: 7 })
  const start = exchange.tradingHash()
  const trader = exchange.trader('alice')
  trader.place({ symbol: 'BTC', side: 'bid', price: '90000', amount: '0.1' })
  exchange.snapshot()
  exchange.advance('1h')
  const { wsUrl } = await exchange.listen(0)
  const stream = await connect(wsUrl)
  await stream.subscribe({ source: 'account_info', account: trader.address })
  assert.equal(exchange.dropConnections('bob'), 0)
  exchange.reset()
  assert.deepEqual([exchange.tradingHash(), exchange.now], [start, Date.UTC(2026, 0, 1)])
  assert.equal(exchange.replayedHash(), exchange.hash())
  await stream.until(({ channel }) => channel === 'reverted')
  assert.equal(exchange.dropConnections('alice'), 1)
  assert.equal(await stream.closed, 1006)
  const headers = { 'content-type': 'application/json' }
  const empty = { method: 'POST', headers, body: '{}' }
  const settled = await exchange.fetch('/api/v1/sandbox/settle', empty)
  assert.equal(settled.status, 200)
  await exchange.close()
})
