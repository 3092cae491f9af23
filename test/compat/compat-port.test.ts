// The port for clients of the public API: everything of the public port, with the full envelope at
// its root, and one set of limits for both.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import ccxt from 'ccxt'
import { pino } from 'pino'
import { WebSocket } from 'ws'
import { isChosen, readConfig } from '../../src/config.ts'
import { ccxtOperations } from '../../src/gateway/routes/all-operations.ts'
import { banner } from '../../src/main/banner.ts'
import { runExchange } from '../../src/main/running-exchange.ts'
import { questions, uuid } from '../contract/reads/scene.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { ApiClient, bare, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox, liveExchange } from '../support/http/live-exchange.ts'
import { patiently } from '../support/http/patiently.ts'
import { type OpenApi, Published } from '../support/http/published.ts'
import { rawRequest } from '../support/http/raw-request.ts'
import { steadyPorts } from '../support/http/steady-ports.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const live = await frozenSandbox(['--compat-port', '0'])
after(() => live.close())
await live.price('BTC', '100000')
const root = `http://127.0.0.1:${live.running.compatPort}`
const document = (await (await fetch(`${root}/openapi.json`)).json()) as OpenApi
/** Requests the port's own `/api/v1`, and checks every reply against the port's own document. */
const clients = new ApiClient(root, new Published(document))
const [alice, bob] = [await live.trader(), await live.trader()]
await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '100000', amount: '0.1' })
const account = alice.address

const envelope = ['success', 'data', 'error', 'code']
const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01', tif: 'ALO' }
const place = async () => (await live.order(alice, order)).order_id

test('bare replies of the contract have the envelope there, and stay bare elsewhere', async () => {
  const public_ = bare<Row[]>(await live.api.get<Row[]>('/positions/history', { account }))
  const history = await clients.get('/positions/history', { account })
  assert.deepEqual(Object.keys(history.body), envelope)
  assert.deepEqual(dataOf(history), public_)
  const positions = await clients.get('/positions', { account })
  assert.deepEqual(Object.keys(positions.body), [...envelope, 'last_order_id'])
  assert.equal(dataOf<Row[]>(positions)[0]!.entry_price, '100000')

  const done = '{"success":true,"data":null,"error":null,"code":null}'
  const levels = { symbol: 'BTC', side: 'ask', take_profit: { stop_price: '120000' } }
  const ref = async () => ({ symbol: 'BTC', order_id: await place() })
  assert.equal((await clients.signed(alice, '/orders/cancel', await ref())).text, done)
  assert.equal((await clients.signed(alice, '/positions/tpsl', levels)).text, done)
  const made = dataOf(await clients.signed(alice, '/account/api_keys/create'))
  assert.deepEqual(Object.keys(made), ['api_key'])

  const { api } = live
  assert.equal((await api.signed(alice, '/orders/cancel', await ref())).text, '{"success":true}')
  assert.equal((await api.signed(alice, '/positions/tpsl', levels)).text, '{"success":true}')
  const key = await api.signed(alice, '/account/api_keys/create')
  assert.deepEqual(Object.keys(bare(key)), ['data'])
})

test('a broken rule is 422 with its code there, and 400 on the public port', async () => {
  const gone = { symbol: 'BTC', order_id: 999_999 }
  const missed = { status: 422, code: 6, says: /^ORDER_NOT_FOUND/ }
  const error = refused(await clients.signed(alice, '/orders/cancel', gone), missed)
  assert.deepEqual(Object.keys(error), envelope)
  const level = { symbol: 'ETH', side: 'ask', take_profit: { stop_price: '9000' } }
  const flat = await clients.signed(alice, '/positions/tpsl', level)
  refused(flat, { status: 422, code: 13, says: /^POSITION_NOT_FOUND/ })
  const keyless = await clients.signed(alice, '/account/api_keys/revoke', { api_key: 'AAAAAAAA' })
  refused(keyless, { status: 422, says: /^API_KEY_NOT_FOUND/ })
  const unlisted = { status: 400, code: 3, says: /^BOOK_NOT_FOUND/ }
  for (const path of ['/positions/history', '/book'])
    refused(await clients.get(path, { symbol: 'NOPE' }), unlisted)
  const malformed = await clients.get('/positions', { account: 'unknown' })
  assert.deepEqual(Object.keys(refused(malformed, { status: 400, says: /^/ })), envelope)

  const { api } = live
  const says = /^ORDER_NOT_FOUND/
  const own = refused(await api.signed(alice, '/orders/cancel', gone), { status: 400, says })
  assert.deepEqual(Object.keys(own), ['error', 'code'])
})

test('every route there replies in the envelope, also with an error', async () => {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/v1/'))
  assert.equal(
    paths.flatMap(([, methods]) => Object.keys(methods)).length,
    ccxtOperations('sandbox').length,
  )
  for (const [path, methods] of paths)
    for (const method of Object.keys(methods).map((each) => each.toUpperCase())) {
      const body = method === 'POST' ? { body: '{}' } : {}
      const headers = { 'content-type': 'application/json' }
      const reply = await rawRequest(`${root}${path}`, { method, headers, ...body })
      assert.deepEqual(Object.keys(JSON.parse(reply.text)).slice(0, 4), envelope, reply.text)
      clients.published.check(method, path, reply.status, JSON.parse(reply.text))
    }
})

test('everything else is served as on the public port', async () => {
  const probes = ['/health', '/ready', '/serving', '/metrics']
  for (const path of [...probes, '/docs', '/asyncapi.json', '/openapi.json'])
    assert.equal((await fetch(root + path)).status, 200, path)
  const terminal = await fetch(root, { redirect: 'manual' })
  assert.deepEqual(
    [terminal.status, terminal.headers.get('location')],
    [302, `//127.0.0.1:${live.running.port}/`],
  )
  const info = await fetch(`${root}/ccxt/api/v1/positions?account=${account}`)
  assert.equal(((await info.json()) as Row).success, true)
  const path = `${root}/api/v1/sandbox/clock`
  const foreign = await rawRequest(path, { headers: { host: 'exchange.example' } })
  assert.equal(foreign.status, 403)
  assert.equal((await rawRequest(path)).status, 200)
  const nowhere = (await (await fetch(`${root}/api/v1/nowhere`)).json()) as Row
  assert.deepEqual([Object.keys(nowhere), nowhere.code], [envelope, 404])
  const stream = await StreamClient.open(`${root.replace('http', 'ws')}/ws`)
  const body = await clients.body(alice, '/orders/create', { ...order, reduce_only: false })
  const reply = await stream.ask({ id: 1, params: { create_order: body } })
  assert.equal(reply.code, 200)
  await stream.close()
})

test('a client that joins /api/v1 to the host and drops a prefix works there', async () => {
  const urls = { api: { public: root, private: root, ws: { public: `${root}/ws` } } }
  const { address: walletAddress, secret: privateKey } = bob
  const options = { expiryWindow: 60_000 }
  const client = new ccxt.pacifica({ walletAddress, privateKey, urls, options })
  client.enableRateLimit = false
  const symbol = 'BTC/USDC:USDC'
  const placed = await client.createOrder(symbol, 'limit', 'buy', 0.01, 90_000)
  assert.equal((await client.cancelOrder(placed.id!, symbol)).status, 'canceled')
  const [position] = await client.fetchPositions()
  assert.deepEqual([position?.side, position?.contracts], ['short', 0.1])
  const levels = { takeProfitPrice: 80_000, stopLossPrice: 120_000 }
  const set = await client.createOrder(symbol, 'limit', 'buy', 0.1, undefined, levels)
  assert.equal(set.status, 'open')
  await assert.rejects(client.cancelOrder('999999', symbol), ccxt.OrderNotFound)
})

test('both ports spend the same credits and share the limits of the websocket', async () => {
  const flags = ['--rate-limit', 'on', '--credits', '10', '--compat-port', '0']
  const limited = await liveExchange(flags, undefined, { wsLimits: { connectionsPerIp: 2 } })
  try {
    const other = `http://127.0.0.1:${limited.running.compatPort}`
    const statuses: number[] = []
    for (let at = 0; at < 12; at++)
      statuses.push((await fetch(`${at % 2 === 0 ? limited.url : other}/api/v1/time`)).status)
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429])
    const open = [
      await StreamClient.open(`${limited.url.replace('http', 'ws')}/ws`),
      await StreamClient.open(`${other.replace('http', 'ws')}/ws`),
    ]
    for (const url of [limited.url, other]) {
      const third = new WebSocket(`${url.replace('http', 'ws')}/ws`)
      third.on('error', () => undefined)
      const [, response] = (await once(third, 'unexpected-response')) as [
        unknown,
        { statusCode: number },
      ]
      assert.equal(response.statusCode, 429)
      third.terminate()
    }
    for (const each of open) await each.close()
  } finally {
    await limited.close()
  }
})

// What the mount shows of a waiting order is tested byte for byte (contract/reads); the port
// returns the same. The clock is stopped, so that the order waits until the test ends.
test('a waiting order shows a stranger nothing on this port either', async () => {
  const owner = await live.trader()
  const other = await StreamClient.open(`${root.replace('http', 'ws')}/ws`)
  for (const source of ['account_orders', 'account_order_updates'])
    await other.ask({ method: 'subscribe', params: { source, account: owner.address } })
  const change = { speedbump_ms: 10_000 }
  dataOf(await new AdminClient(live).post('/markets/change', { symbol: 'BTC', change }))
  dataOf(await live.sandbox('clock', { resume: true }))
  const waits = { ...order, price: '100000', tif: 'GTC', client_order_id: uuid }
  const { order_id } = await live.order(owner, waits)
  dataOf(await live.sandbox('clock', { freeze: true }))
  const own = await clients.signed(owner, '/account/api_keys/create')
  const key = { 'svc-api-key': String(dataOf(own).api_key) }
  const { address } = owner
  const owned = dataOf<Row[]>(await clients.get('/orders', { account: address }, key))
  assert.deepEqual(
    owned.map((row) => row.order_id),
    [order_id],
  )
  const read = async (path: string, body: object | null) => {
    const headers = { 'content-type': 'application/json' }
    const post = { method: 'POST', headers, body: JSON.stringify(body) }
    const reply = await patiently(() => fetch(path, body === null ? {} : post))
    return `${reply.status} ${await reply.text()}`
  }
  const paths = questions(address).filter(([path]) => path.startsWith('/ccxt'))
  assert.ok(paths.length > 50)
  for (const [path, body] of paths) {
    const here = await read(root + path.replace('/ccxt', ''), body)
    assert.equal(here, await read(live.url + path, body), path)
    if (!path.includes('client_order_id')) assert.ok(!here.includes(uuid), path)
  }
  const { orders_count } = dataOf(await clients.get('/account', { account: address }))
  assert.equal(orders_count, 0)
  await other.settle()
  assert.ok(!JSON.stringify(other.frames).includes(uuid))
  await other.close()
})

/** A connection that has been answered once, and stays open; or its rejection. */
async function connected(port: number): Promise<{ socket: Socket; status: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  const [head] = (await once(socket, 'data')) as [Buffer]
  return { socket, status: head.toString().slice(9, 12) }
}

test('both ports share one maximum of connections', async () => {
  const limited = await liveExchange(['--connections-per-ip', '4', '--compat-port', '0'])
  try {
    const { port, compatPort } = limited.running
    // Other open connections of the rig are counted as well.
    const held: Socket[] = []
    let refusedAt: number[] = []
    for (let at = 0; refusedAt.length < 2 && at < 20; at++) {
      const { socket, status } = await connected(at % 2 === 0 ? port : compatPort!)
      if (status === '429') refusedAt = [...refusedAt, at]
      held.push(socket)
    }
    assert.equal(refusedAt.length, 2, 'both ports reject')
    assert.equal(refusedAt[1], refusedAt[0]! + 1)
    assert.ok(refusedAt[0]! <= 4)
    for (const socket of held) socket.destroy()
  } finally {
    await limited.close()
  }
})

test('the setting: two above the public port, a free one, another, or off', () => {
  const portOf = (...flags: string[]) => readConfig(flags, {}, '/').compatPort
  assert.equal(portOf(), 8082)
  assert.equal(portOf('--port', '9000'), 9002)
  assert.equal(portOf('--port', '0'), 0)
  assert.equal(portOf('--compat-port', '7000'), 7000)
  assert.equal(portOf('--compat-port', '0'), 0)
  assert.equal(portOf('--compat-port', 'off'), 'off')
  assert.equal(readConfig([], { OPENPERP_COMPAT_PORT: 'off' }, '/').compatPort, 'off')
  assert.equal(isChosen(readConfig([], {}, '/'), 'compatPort'), false)
  assert.equal(isChosen(readConfig(['--compat-port', '8082'], {}, '/'), 'compatPort'), true)
  assert.throws(() => portOf('--compat-port', 'on'), /--compat-port must be .* 65535 or off/)
  assert.throws(() => portOf('--compat-port', '8080'), /port and compatPort must be different/)
})

test('a default port in use is skipped with a warning; a configured one is an error', async () => {
  const [publicPort, , port] = await steadyPorts(3)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'openperp-compat-'))
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const start = (...flags: string[]) => {
    const quiet = ['--bots', 'off', '--admin-port', '0', '--data', join(folder, 'data')]
    const config = readConfig(['--port', String(publicPort), ...quiet, ...flags], {}, folder)
    const onFatal = (error: unknown) => assert.fail(String(error))
    return runExchange({ config, tokens: [], log, onFatal }).then((running) => ({
      running,
      config,
    }))
  }
  try {
    const { running, config } = await start()
    assert.equal(running.compatPort, null)
    assert.equal((await fetch(`http://127.0.0.1:${running.port}/health`)).status, 200)
    assert.match(lines.join(), new RegExp(`port ${port} is in use, so clients of the public API`))
    const venue = running.exchange.settings.venue.id
    const facts = { adminToken: null, markets: [], venue, traders: [], seq: 0, readyMs: 1 }
    assert.match(banner({ config, ...running, ...facts }), new RegExp(`Clients +port ${port} is`))
    await running.close()
    await assert.rejects(start('--compat-port', String(port)), { code: 'EADDRINUSE', port })
    // Nothing of it is left behind: the folder and the public port are free again.
    const again = await start('--compat-port', '0')
    const own = `http://127.0.0.1:${again.running.compatPort}/health`
    const shown = banner({ ...again, ...again.running, ...facts })
    assert.match(shown, new RegExp(`Clients +http://127.0.0.1:${again.running.compatPort} `))
    assert.equal((await fetch(own)).status, 200)
    await again.running.close()
    await assert.rejects(fetch(own))
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
