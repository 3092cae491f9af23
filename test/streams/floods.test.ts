// What one connection can make the exchange keep or do: control frames, fragments, unread replies.
// Memory stays bounded, and the connection is paused or closed with a reason.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../support/http/held-sockets.ts'
import { keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { frameOf, opcodes, RawSocket } from '../support/streams/raw-socket.ts'
import { StreamClient } from '../support/streams/stream-client.ts'
import { pingSoak } from './ping-soak.ts'

let exchange: LiveExchange

before(async () => {
  exchange = await LiveExchange.start()
})
after(() => exchange.close())

const repeated = (frame: Buffer, count: number) => Buffer.concat(new Array(count).fill(frame))

test('pings without end close the connection, and each is not answered', async () => {
  for (const opcode of [opcodes.ping, opcodes.pong]) {
    const raw = await RawSocket.open(exchange.running.port)
    const frames = repeated(frameOf(opcode, 'x'.repeat(125)), 1_000)
    const said = raw.readToEnd()
    await raw.flood(frames, () => false)
    assert.match(await said, /too many messages/)
  }
})

test('a client that pings and never reads costs bounded memory', async () => {
  const { sentBytes, grownBytes } = await pingSoak(exchange, 20_000_000)
  assert.ok(sentBytes >= 20_000_000)
  assert.ok(grownBytes < 20_000_000, `${grownBytes} bytes more are in use`)
})

test('a ping now and then is answered with its payload, the newest in a rush', async () => {
  const client = await StreamClient.open(exchange.wsUrl)
  const pongs: string[] = []
  client.ws.on('pong', (payload) => pongs.push(payload.toString()))
  client.ws.ping('first')
  await until(() => pongs.length === 1)
  for (let n = 0; n < 100; n++) client.ws.ping(`${n}`)
  await until(() => pongs.at(-1) === '99')
  assert.equal(pongs[0], 'first')
  await client.close()
})

test('a message in pieces without end, and one in too many, end with a reason', async () => {
  const first = frameOf(opcodes.text, '{', false)
  const piece = frameOf(opcodes.more, 'x', false)
  const many = await RawSocket.open(exchange.running.port)
  many.socket.write(Buffer.concat([first, repeated(piece, 1_000)]))
  assert.match(await many.readToEnd(), /in too many pieces/)
  const empty = await RawSocket.open(exchange.running.port)
  empty.socket.write(Buffer.concat([first, repeated(frameOf(opcodes.more, '', false), 1_000)]))
  assert.match(await empty.readToEnd(), /in too many pieces/)
  const large = await RawSocket.open(exchange.running.port)
  const largePiece = frameOf(opcodes.more, 'x'.repeat(60_000), false)
  large.socket.write(Buffer.concat([first, repeated(largePiece, 6)]))
  assert.match(await large.readToEnd(), /65536 bytes/)
})

test('subscribing and unsubscribing without end is slowed down or ended', async () => {
  const raw = await RawSocket.open(exchange.running.port)
  const params = { source: 'book', symbol: 'BTC' }
  const both = ['subscribe', 'unsubscribe'].map((method) =>
    frameOf(opcodes.text, JSON.stringify({ method, params })),
  )
  const frames = repeated(Buffer.concat(both), 200)
  const heap = process.memoryUsage().rss
  const deadline = performance.now() + 3_000
  const sent = await raw.flood(frames, () => performance.now() > deadline)
  // What it cannot send is not read.
  assert.ok(raw.closed || sent < 30_000_000, `${sent} bytes were read`)
  assert.ok(process.memoryUsage().rss - heap < 200_000_000)
  raw.end()
  const other = await StreamClient.open(exchange.wsUrl)
  assert.equal((await other.subscribe('book', { symbol: 'BTC' })).channel, 'subscribe')
  await other.close()
})

test('orders of a client that does not read are not read either', async () => {
  const raw = await RawSocket.open(exchange.running.port)
  const key = keyNamed(31)
  await exchange.fund(key)
  const body = await exchange.signed(key, 'cancel_order', { symbol: 'BTC', order_id: 1 })
  const text = JSON.stringify({ id: 'x'.repeat(64), params: { cancel_order: body } })
  const frames = repeated(frameOf(opcodes.text, text), 50)
  const { intake } = exchange
  // What the connections of the tests before had sent is carried out; only this one's is counted.
  await until(() => intake.load.waiting === 0)
  const deadline = performance.now() + 5_000
  const sent = await raw.flood(frames, () => performance.now() > deadline)
  assert.ok(raw.closed || sent < 60_000_000, `${sent} bytes were read`)
  const { waiting, underWay } = intake.load
  assert.ok(waiting < 1_000 && underWay < 1_000, JSON.stringify(intake.load))
  raw.end()
})
