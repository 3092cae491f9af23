// Which clients may connect and send requests, for how long, and the replies they get.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { WebSocket } from 'ws'
import type { FieldsOf } from '../../src/client/methods.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { wsLimits } from '../../src/gateway/ws/limits.ts'
import { until } from '../support/http/held-sockets.ts'
import { type Json, keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const alice = keyNamed(11)
const bob = keyNamed(12)
let exchange: LiveExchange

before(async () => {
  const limits = { connectionsPerIp: 6, subscriptionsPerChannel: 3 }
  exchange = await LiveExchange.start(['--reads', 'owner'], limits)
  await exchange.client().sandboxSetClock({ freeze: true })
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  await exchange.fund(alice)
  await exchange.fund(bob)
})
after(() => exchange.close())

const standard = { symbol: 'BTC', amount: '0.01', tif: 'ALO', reduce_only: false } as const
const order = (more: Partial<FieldsOf<'create_order'>> = {}) => ({
  ...standard,
  side: 'bid' as const,
  price: '95000',
  ...more,
})

async function refusedHandshake(url: string, headers: Record<string, string> = {}) {
  const ws = new WebSocket(url, { headers })
  ws.on('error', () => undefined)
  const [request, response] = (await once(ws, 'unexpected-response')) as [
    { destroy(): void },
    { statusCode: number; on(name: string, take: (part: Buffer) => void): void },
  ]
  const parts: Buffer[] = []
  response.on('data', (part) => parts.push(part))
  await once(response as never, 'end')
  request.destroy()
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(parts).toString()) as Json }
}

async function apiKey(): Promise<string> {
  return (await exchange.client(alice).createApiKey()).data.api_key
}

test('there is no greeting, and ping is answered', async () => {
  const client = await StreamClient.open(exchange.wsUrl)
  assert.deepEqual(await client.ask({ method: 'ping' }), { channel: 'pong' })
  assert.deepEqual(await client.ask({ method: 'ping', id: 5 }), { channel: 'pong', id: 5 })
  assert.equal(client.frames.length, 2)
  await client.close()
})

test('a malformed message is answered with an error frame that is not a reply', async () => {
  const client = await StreamClient.open(exchange.wsUrl)
  const wrong: readonly [unknown, RegExp][] = [
    ['{', /MALFORMED_REQUEST: the message is not JSON/],
    [[], /must be an object/],
    [{ method: 'dance' }, /method must be/],
    [{ method: 'subscribe' }, /params must be an object/],
    [{ method: 'subscribe', params: { source: 'bok' } }, /params.source/],
    [{ method: 'subscribe', params: { source: 'book' } }, /params.symbol/],
    [{ method: 'subscribe', params: { source: 'book', symbol: 'X' } }, /BOOK_NOT_FOUND/],
    [{ method: 'subscribe', params: { source: 'orders', user: 'x' } }, /INVALID_ADDRESS/],
    [{ method: 'subscribe', params: { source: 'prices', resume_from: 1 } }, /resume_from/],
    [
      { method: 'subscribe', params: { source: 'prices', symbol: 'NOPE' } },
      /no market has this symb/,
    ],
    [{ params: { create_order: {} } }, /needs an id/],
    [{ id: {}, method: 'ping' }, /id must be/],
  ]
  for (const [message, says] of wrong) {
    const frame = await client.ask(message)
    assert.equal(frame.channel, 'error')
    assert.equal(frame.code, undefined)
    const { error, code, params } = frame.data as { error: string; code: number; params: unknown }
    assert.match(error, says)
    assert.equal(code, error.startsWith('BOOK_NOT_FOUND') ? 3 : 400)
    const sent = (message as { params?: unknown }).params
    if (sent !== undefined && (message as Json).id === undefined) assert.deepEqual(params, sent)
  }
  const unknown = await client.ask({ id: 'a', params: { withdraw: {} } })
  assert.deepEqual([unknown.id, unknown.type, unknown.code], ['a', 'withdraw', 400])
  client.ws.send(Buffer.from([1, 2]))
  assert.match(((await client.nextOf('error')).data as { error: string }).error, /binary/)
  await client.close()
})

test('a repeated subscribe counts once; too many are refused; unsubscribe ends it', async () => {
  const client = await StreamClient.open(exchange.wsUrl)
  for (const symbol of ['BTC', 'BTC', 'ETH', 'SOL', 'SOL'])
    assert.equal((await client.subscribe('bbo', { symbol })).channel, 'subscribe')
  await client.settle()
  // A repeated one is answered with the present state.
  assert.equal(client.of('bbo').length, 5)
  const { data } = await client.subscribe('bbo', { symbol: 'DOGE' })
  assert.equal((data as { code: number }).code, 429)
  const params = { source: 'bbo', symbol: 'SOL' }
  const gone = await client.ask({ method: 'unsubscribe', params })
  assert.deepEqual(gone.data, { ...params, data: params })
  assert.equal((await client.subscribe('bbo', { symbol: 'DOGE' })).channel, 'subscribe')
  await client.close()
})

test('account channels are private where reads are, and trades name no account', async () => {
  const params = { source: 'orders', account: alice.address }
  const stranger = await StreamClient.open(exchange.wsUrl)
  const refused = await stranger.ask({ method: 'subscribe', params })
  assert.equal((refused.data as { code: number }).code, 401)
  const key = await apiKey()
  for (const header of ['SVC-API-KEY', 'PF-API-KEY']) {
    const owner = await StreamClient.open(exchange.wsUrl, { [header]: key })
    assert.equal((await owner.ask({ method: 'subscribe', params })).channel, 'subscribe')
    const other = { ...params, account: bob.address }
    const foreign = await owner.ask({ method: 'subscribe', params: other })
    assert.ok(foreign.channel === 'orders' || foreign.channel === 'error')
    await owner.close()
  }
  await stranger.subscribe('trades', { symbol: 'BTC' })
  const printed = stranger.nextOf('trades')
  const price = { price: '100000', side: 'ask' } as const
  await exchange.client(bob).createOrder(order(price))
  const taking = order({ price: '100000', tif: 'IOC' })
  await exchange.client(alice).createOrder(taking)
  const [row] = (await printed).data as Json[]
  assert.deepEqual([row!.u, row!.c], [null, null])
  await stranger.close()
})

test('a client without headers names its key in a message, and is then its owner', async () => {
  const key = await apiKey()
  const client = await StreamClient.open(exchange.wsUrl)
  const params = { source: 'orders', account: alice.address }
  const subscribe = () => client.ask({ method: 'subscribe', params })
  const authenticate = (api_key: unknown, id?: string) =>
    client.ask({ method: 'authenticate', params: { api_key }, ...(id === undefined ? {} : { id }) })
  assert.match(((await subscribe()).data as Json).error as string, /method authenticate/)
  const wrong = `${key.slice(0, -1)}${key.endsWith('2') ? '3' : '2'}`
  for (const [api_key, code] of [
    [wrong, 401],
    ['AbCdEfGh_x', 401],
    ['', 400],
    [7, 400],
    [undefined, 400],
  ] as const) {
    const { channel, data } = await authenticate(api_key)
    assert.deepEqual([channel, (data as Json).code, (data as Json).params], ['error', code, null])
    assert.equal((await subscribe()).channel, 'error')
  }
  const reply = { channel: 'authenticate', data: { account: alice.address } }
  assert.deepEqual(await authenticate(key), reply)
  assert.equal((await subscribe()).channel, 'subscribe')
  await client.settle()
  assert.deepEqual(await authenticate(key, 'again'), { ...reply, id: 'again' })
  const another = (await exchange.client(bob).createApiKey()).data.api_key
  assert.match(((await authenticate(another)).data as Json).error as string, /a different API key/)
  const others = { ...params, account: bob.address }
  const refused = await client.ask({ method: 'subscribe', params: others })
  assert.equal((refused.data as Json).code, 401)
  assert.ok(!JSON.stringify(client.frames).includes(key.slice(9)), 'no frame repeats it')
  const revoked = exchange.client(alice).revokeApiKey({ api_key: key })
  await Promise.all([once(client.ws, 'close'), revoked])
  assert.deepEqual(client.closed, { code: 1008, reason: 'the API key was revoked' })
})

test('a key that is not good is refused at the handshake, and one revoked ends it', async () => {
  const bad = await refusedHandshake(exchange.wsUrl, { 'SVC-API-KEY': 'AbCdEfGh_x' })
  assert.deepEqual([bad.status, bad.body.code], [401, 401])
  const key = await apiKey()
  const client = await StreamClient.open(exchange.wsUrl, { 'PF-API-KEY': key })
  const revoked = exchange.client(alice).revokeApiKey({ api_key: key })
  await Promise.all([once(client.ws, 'close'), revoked])
  assert.deepEqual(client.closed, { code: 1008, reason: 'the API key was revoked' })
  const elsewhere = await refusedHandshake(exchange.wsUrl.replace('/ws', '/socket'))
  assert.equal(elsewhere.status, 404)
})

test('the number of connections of an address is limited', async () => {
  const clients = await Promise.all([1, 2, 3, 4, 5, 6].map(() => StreamClient.open(exchange.wsUrl)))
  const refused = await refusedHandshake(exchange.wsUrl)
  assert.equal(refused.status, 429)
  assert.match(String(refused.body.error), /RATE_LIMITED/)
  await Promise.all(clients.map((client) => client.close()))
  await (await StreamClient.open(exchange.wsUrl)).close()
  assert.equal(wsLimits.connectionsPerIp, 300)
})

test('a connection ends without frames of its client, and with age; pings keep it', async () => {
  const impatient = await LiveExchange.start([], { idleMs: 1_000 })
  const brief = await LiveExchange.start([], { idleMs: 4_000, ageMs: 5_000 })
  try {
    const idle = await StreamClient.open(impatient.wsUrl)
    const lively = await StreamClient.open(brief.wsUrl)
    const pinging = setInterval(() => lively.ws.ping(), 100)
    await until(() => idle.closed !== null && lively.closed !== null)
    clearInterval(pinging)
    assert.deepEqual([idle.closed!.code, idle.closed!.reason.slice(0, 8)], [4000, 'no frame'])
    assert.deepEqual([lively.closed!.code, lively.closed!.reason.slice(0, 8)], [4001, 'open for'])
  } finally {
    await impatient.close()
    await brief.close()
  }
})

test('refusals carry the engine code, and requests of a connection keep their order', async () => {
  const client = await StreamClient.open(exchange.wsUrl)
  const cancel = await exchange.signed(alice, 'cancel_order', { symbol: 'BTC', order_id: 999 })
  const missed = await client.ask({ id: 'x', params: { cancel_order: cancel } })
  assert.deepEqual([missed.id, missed.type, missed.code], ['x', 'cancel_order', 6])
  assert.equal(missed.err, missed.error)
  assert.deepEqual(missed.data, { error: missed.error })
  assert.match(String(missed.error), /^ORDER_NOT_FOUND/)
  const batch = {
    actions: [{ type: 'Create', data: await exchange.signed(alice, 'create_order', order()) }],
  }
  const ran = await client.ask({ id: 7, params: { batch_orders: batch } })
  const [result] = (ran.data as { results: Json[] }).results
  assert.deepEqual([ran.id, result!.success, result!.i], [7, true, result!.order_id])
  const many = { actions: Array(11).fill({ type: 'Create', data: order() }) }
  const once = await signedBody(alice, many, { type: 'batch_orders', timestamp: Date.now() })
  const together = await client.ask({ id: 8, params: { batch_orders: once } })
  const { results } = together.data as { results: Json[] }
  assert.deepEqual(
    results.map(({ success, i }) => [success, i]),
    results.map(({ order_id }) => [true, order_id]),
  )
  const uuids = Array.from({ length: 20 }, () => crypto.randomUUID())
  const done = uuids.map((_, n) => client.next((frame) => frame.id === `c${n}`))
  for (const [n, client_order_id] of uuids.entries()) {
    const placed = await exchange.signed(alice, 'create_order', order({ client_order_id }))
    const gone = await exchange.signed(alice, 'cancel_order', { symbol: 'BTC', client_order_id })
    client.send({ id: `p${n}`, params: { create_order: placed } })
    client.send({ id: `c${n}`, params: { cancel_order: gone } })
  }
  for (const [n, frame] of (await Promise.all(done)).entries())
    assert.deepEqual([frame.code, frame.data], [200, { i: null, I: uuids[n], s: 'BTC' }])
  await client.close()
})

test('credits are those of HTTP, and the reply has the remaining ones', async () => {
  const limited = await LiveExchange.start(['--rate-limit', 'on', '--credits', '6'])
  await limited.fund(alice)
  const client = await StreamClient.open(limited.wsUrl)
  const cancel = async (id: string) => {
    const body = await limited.signed(alice, 'cancel_order', { symbol: 'BTC', order_id: 999 })
    return client.ask({ id, params: { cancel_order: body } })
  }
  const { rl } = await cancel('a')
  const { r, q } = rl as { r: number; q: number }
  assert.equal(q, 60)
  for (let left = r; left >= 5; left -= 5) await cancel('b')
  // With nothing left cancels have a reserve, everything else waits.
  const last = await cancel('c')
  assert.deepEqual([last.id, last.code, (last.rl as { r: number }).r], ['c', 6, 0])
  const body = await limited.signed(alice, 'create_order', order())
  const refused = await client.ask({ id: 'd', params: { create_order: body } })
  assert.deepEqual([refused.id, refused.code, (refused.rl as { r: number }).r], ['d', 429, 0])
  assert.equal((await fetch(`${limited.url}/api/v1/time`)).status, 429)
  await client.close()
  await limited.close()
})

test('an armed connection takes its orders with it, except protective ones', async () => {
  const client = await StreamClient.open(exchange.wsUrl)
  const { exchange: inside } = exchange.running
  const account = inside.view.accounts.idOf(alice.address)
  const timestamp = Date.now()
  const body = await signedBody(alice, {}, { type: 'cancel_on_disconnect', timestamp })
  const armed = await client.ask({ method: 'cancel_on_disconnect', params: body })
  assert.deepEqual(armed.data, { armed: true, account: alice.address, keep_protective: true })
  const again = await client.ask({ method: 'cancel_on_disconnect', params: body })
  assert.equal(again.channel, 'error')
  const stop = {
    ...{ symbol: 'BTC', side: 'ask', reduce_only: true },
    stop_order: { stop_price: '90000', amount: '0.005' },
  }
  const signedStop = await exchange.signed(alice, 'create_stop_order', stop)
  const placed = await client.ask({ id: 's', params: { create_stop_order: signedStop } })
  assert.equal(placed.code, 200)
  // Sent and not yet answered when the connection ends: it is cancelled as well.
  const late = await exchange.signed(alice, 'create_order', order())
  client.send({ id: 'l', params: { create_order: late } })
  await client.close()
  const open = () => inside.view.orders.openOf(account)
  await until(() => open().length === 1)
  assert.deepEqual(
    open().map(({ orderType }) => orderType),
    ['stop_market'],
  )
})

test('a reader with more than a mebibyte unread is closed with that reason', async () => {
  // However slow the machine is, it is not let go for its age, or before it has read why.
  const patient = await LiveExchange.start([], { closeMs: 120_000 })
  const socket = connect(patient.running.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await once(socket, 'data')
  socket.pause()
  // Each error repeats the params: requests are answered until too much waits.
  const text = `{"method":"subscribe","params":{"source":"${'x'.repeat(60_000)}"}}`
  const head = Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 0xff, 0, 0, 0, 0])
  const frame = Buffer.concat([head, Buffer.from(text)])
  socket.on('error', () => undefined)
  for (let n = 0; n < 400; n++) socket.write(frame)
  // A connection that is closing is read and not listened to.
  await until(() => socket.writableLength === 0)
  socket.resume()
  let tail = Buffer.alloc(0)
  socket.on('data', (part) => {
    tail = Buffer.concat([tail, part]).subarray(-200)
  })
  await until(() => /too slow: more than 1 MiB waited to be read/.test(tail.toString('latin1')))
  socket.destroy()
  await patient.close()
})

test('a text that expires before its turn is not served, nor in a batch', async () => {
  const at = Date.now()
  const sign = async (name: 'create_order' | 'cancel_on_disconnect', fields: Json) => ({
    ...(await signedBody(bob, fields, { type: name, timestamp: at, expiryWindow: 60_000 })),
  })
  const fields = { ...order({ client_order_id: '5f2c1a34-0000-4000-8000-000000000011' }) }
  const body = await sign('create_order', fields)
  const client = await StreamClient.open(exchange.wsUrl)
  const inner = exchange.running.exchange as { wallNow(): number }
  /** Good when it is read, over when it is handed on. */
  const late = async <T>(send: () => Promise<T>): Promise<string> => {
    const times = [at]
    inner.wallNow = () => times.pop() ?? at + 60_001
    try {
      return JSON.stringify(await send())
    } finally {
      inner.wallNow = Date.now
    }
  }
  const post = async (path: string, sent: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(sent) }
    return (await fetch(`${exchange.url}/api/v1${path}`, init)).json()
  }
  const batch = { actions: [{ type: 'Create', data: body }] }
  const params = await sign('cancel_on_disconnect', {})
  for (const said of [
    await late(() => post('/orders/create', body)),
    await late(() => post('/orders/batch', batch)),
    await late(() => client.ask({ method: 'cancel_on_disconnect', params })),
  ])
    assert.match(said, /EXPIRED: Invalid message: the time to use it ended while it waited/)
  const served = JSON.stringify(await post('/orders/create', body))
  assert.match(served, /"order_id":\d/, 'none of them used the text up')
  await exchange.client(bob).cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
  await client.close()
})
