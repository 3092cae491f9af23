// The real program with two gateways: a client reads its own writes on one connection, a gateway
// that dies takes only its own connections with it, and all end with the leader.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import { NetworkFailure } from '../../src/client/errors.ts'
import { type Key, keyOfSeed } from '../../src/client/key.ts'
import type { Receipt } from '../../src/client/receipts/documents.ts'
import { verifyReceipt } from '../../src/client/receipts/verify-receipt.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { childrenOf } from '../support/postgres/process-tree.ts'
import { adminToken, ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf, type Reply } from '../support/running/connection.ts'
import { isAlive } from '../support/running/is-alive.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'openperp-gateways-'))
const flags = ['--bots', 'off', '--log-level', 'info', '--gateways', '2']
const keys = [1, 2, 3, 4].map((n) => keyOfSeed(new Uint8Array(32).fill(n)))
const [alice, bob] = keys as [Key, Key]
let exchange: ChildExchange
let port: number

before(async () => {
  exchange = new ChildExchange(join(folder, 'data'), flags)
  port = (await exchange.ready).port
  const client = clientOf()
  await client.sandboxSetClock({ freeze: true })
  await client.sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  for (const { address } of keys)
    await client.sandboxFaucet({ account: address, amount: '1000000' })
})
after(() => {
  exchange.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const clientOf = (key?: Key) => new Client({ url: `http://127.0.0.1:${port}`, signer: key })

/** Process ids of the gateways by index, as the leader logged when they began to serve. */
function gatewayPids(of = exchange): Map<number, number> {
  const said = of.errors.matchAll(/"gateway":(\d+),"gatewayPid":(\d+),"msg":"a gateway serves/g)
  return new Map([...said].map(([, place, pid]) => [Number(place), Number(pid)]))
}

async function until(what: () => boolean | Promise<boolean>, why: string): Promise<void> {
  const deadline = Date.now() + 30_000
  const isSo = async () => what()
  // A connection that is kept open may be one of a gateway that was killed.
  const isReset = (error: unknown) => {
    if (error instanceof NetworkFailure) return false
    throw error
  }
  while (!(await isSo().catch(isReset))) {
    assert.ok(Date.now() < deadline, why)
    await new Promise((on) => setTimeout(on, 10))
  }
}

const order = { symbol: 'BTC', amount: '0.01', tif: 'GTC', reduce_only: false } as const

let lastTimestamp = 0

/** No two texts are equal, and none has expired. */
function timestamp(): number {
  lastTimestamp = Math.max(lastTimestamp + 1, Date.now())
  return lastTimestamp
}

async function arm(client: StreamClient, key: Key): Promise<void> {
  const signing = { type: 'cancel_on_disconnect', timestamp: timestamp() } as const
  const params = await signedBody(key, {}, signing)
  const answer = await client.ask({ method: 'cancel_on_disconnect', params })
  assert.equal(answer.channel, 'cancel_on_disconnect', JSON.stringify(answer))
}

async function create(connection: Connection, key: Key, fields: object): Promise<Reply> {
  const signing = { type: 'create_order', timestamp: timestamp() } as const
  const body = await signedBody(key, fields as never, signing)
  return connection.post('/api/v1/orders/create', body)
}

test('a client reads its own writes on its connection, in the state and in history', async () => {
  const connections = [1, 2, 3, 4].map(() => new Connection(port))
  for (let round = 0; round < 40; round++) {
    const connection = connections[round % 4]!
    const sell = { ...order, side: 'ask', price: `${100_000 + round}` }
    dataOf(await create(connection, alice, sell))
    dataOf(await create(connection, bob, { ...sell, side: 'bid' }))
    const query = `account=${bob.address}&limit=1`
    const rows = await connection.get(`/api/v1/positions/history?${query}`)
    assert.equal((rows.body as { price: string }[])[0]!.price, sell.price)
    const positions = await connection.get(`/api/v1/positions?account=${bob.address}`)
    const [position] = positions.body as { amount: string }[]
    assert.equal(Number(position!.amount), (round + 1) / 100)
  }
  for (const each of connections) each.close()
})

test('another gateway returns nothing older than the requested entry', async () => {
  const connections = [new Connection(port), new Connection(port)]
  for (let round = 0; round < 40; round++) {
    const [one, other] = round % 2 === 0 ? connections : connections.toReversed()
    const price = `${90_000 + round}`
    const placed = await create(one!, alice, { ...order, side: 'bid', price })
    dataOf(placed)
    const minSeq = { 'openperp-min-seq': placed.seq! }
    const reply = await other!.send('GET', '/api/v1/book?symbol=BTC', null, minSeq)
    const { l } = dataOf<{ l: [{ p: string }[], unknown] }>(reply)
    assert.equal(l[0][0]!.p, price)
  }
  for (const each of connections) each.close()
  await clientOf(alice).cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
})

test('latencies and faults are refused with the reason', async () => {
  const connection = new Connection(port)
  const rules = [{ fault: '503' }]
  for (const reply of [
    await connection.get('/api/v1/sandbox/latency'),
    await connection.post('/api/v1/sandbox/latency', { preset: 'home' }),
    await connection.get('/api/v1/sandbox/faults'),
    await connection.post('/api/v1/sandbox/faults', { rules }),
  ]) {
    assert.equal(reply.status, 400)
    assert.match(JSON.stringify(reply.body), /in one process; start it without gateways/)
  }
  connection.close()
})

test('both serve the same data', async () => {
  const connections = [1, 2].map(() => new Connection(port))
  const paths = [
    '/info',
    '/book?symbol=BTC',
    `/account?account=${alice.address}`,
    '/trades?symbol=BTC',
  ]
  for (const path of paths) {
    const [one, other] = await Promise.all(connections.map((each) => each.get(`/api/v1${path}`)))
    assert.deepEqual(withoutTime(one!.body), withoutTime(other!.body), path)
  }
  const metrics = String((await connections[0]!.get('/metrics')).body)
  for (const name of ['gateway 1', 'gateway 2'])
    assert.match(metrics, new RegExp(`openperp_request_seconds_count{[^}]*process="${name}"`))
  assert.match(metrics, /openperp_seq{process="leader"} \d+/)
  for (const each of connections) each.close()
})

test('both give the receipt of an order, and the stream has checkpoints', async () => {
  const connections = [new Connection(port), new Connection(port)]
  const streams = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
  await streams.subscribe('checkpoints')
  const placed = await create(connections[0]!, alice, { ...order, side: 'bid', price: '80000' })
  dataOf(placed)
  await streams.next(({ channel, data }) => {
    return channel === 'checkpoints' && (data as { seq: number }).seq >= Number(placed.seq)
  })
  const path = `/api/v1/receipts?seq=${placed.seq}&account=${alice.address}`
  const [one, other] = await Promise.all(connections.map((each) => each.get(path)))
  assert.deepEqual(other!.body, one!.body)
  const { inCheckpoint } = await verifyReceipt(dataOf<Receipt>(one!))
  assert.equal(inCheckpoint, true)
  for (const each of connections) each.close()
  await streams.close()
  await clientOf(alice).cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
})

const withoutTime = (body: unknown) =>
  JSON.parse(JSON.stringify(body), (name, value) => (name === 't' ? undefined : value))

test('a gateway that dies ends its connections, and cancels what was armed on them', async () => {
  const armed: { client: StreamClient; key: Key }[] = []
  for (const key of keys) {
    await clientOf(key).createOrder({ ...order, side: 'bid', price: '90000' })
    const client = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
    await arm(client, key)
    armed.push({ client, key })
  }
  const victim = gatewayPids().get(1)!
  process.kill(victim, 'SIGKILL')
  await until(() => armed.filter(({ client }) => client.closed !== null).length === 2, 'two end')
  const openOf = async (key: Key) => (await clientOf(key).getOpenOrders()).rows.length
  for (const { client, key } of armed) {
    const left = client.closed === null ? 1 : 0
    await until(async () => (await openOf(key)) === left, `${left} of ${key.address}`)
  }
  await until(() => gatewayPids().get(1) !== victim, 'it is started again')
  // The new one serves too: of two consecutive connections it gets one.
  const connections = [1, 2].map(() => new Connection(port))
  for (const each of connections) assert.equal((await each.get('/ready')).status, 200)
  for (const each of connections) each.close()
  for (const { client, key } of armed.filter((each) => each.client.closed === null)) {
    assert.equal(await openOf(key), 1)
    await client.close()
    await until(async () => (await openOf(key)) === 0, 'as when any connection ends')
  }
})

test('while gateways die every connection gets a reply or ends', async () => {
  let isOver = false
  let [answered, ended] = [0, 0]
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const connection = new Connection(port)
      await connection.get('/health').then(
        () => (answered += 1),
        (error: Error) => {
          assert.doesNotMatch(error.message, /no reply/)
          ended += 1
        },
      )
      connection.close()
    }
  })
  for (const place of [1, 2, 1]) {
    const victim = gatewayPids().get(place)!
    process.kill(victim, 'SIGKILL')
    await until(() => gatewayPids().get(place) !== victim, 'it is started again')
  }
  isOver = true
  await Promise.all(callers)
  assert.ok(answered > 10 * ended, `${answered} answered, ${ended} ended without an answer`)
})

test('a gateway that hangs does not delay operators, and is replaced', async () => {
  const victim = gatewayPids().get(1)!
  process.kill(victim, 'SIGSTOP')
  const { adminPort } = await exchange.ready
  const admin = new Connection(adminPort, { authorization: `Bearer ${adminToken}` })
  const began = performance.now()
  dataOf(await admin.post('/exchange/mode', { mode: 'open', reason: 'nothing is wrong' }))
  assert.ok(performance.now() - began < 9_000, 'answered before a gateway was replaced')
  admin.close()
  await until(() => gatewayPids().get(1) !== victim, 'it is started again')
  assert.match(exchange.errors, /a gateway did not answer for 10000 ms/)
})

test('a gateway that starts slowly is waited for', async () => {
  const before = new Set(childrenOf(exchange.pid))
  const started = () => childrenOf(exchange.pid).find((pid) => !before.has(pid))
  process.kill(gatewayPids().get(1)!, 'SIGKILL')
  await until(() => started() !== undefined, 'another is started')
  const slow = started()!
  process.kill(slow, 'SIGSTOP')
  // Longer than one that serves may leave a call without an answer, which is noticed in time.
  await new Promise((on) => setTimeout(on, 13_000))
  process.kill(slow, 'SIGCONT')
  await until(() => gatewayPids().get(1) === slow, 'it serves')
})

test('a revert does not restore a cancel on disconnect of a gateway that has died', async () => {
  const key = keys[2]!
  await clientOf(key).createOrder({ ...order, side: 'bid', price: '90000' })
  const clients = await Promise.all(
    [1, 2].map(() => StreamClient.open(`ws://127.0.0.1:${port}/ws`)),
  )
  for (const client of clients) await arm(client, key)
  const { id } = await clientOf().sandboxSnapshot({})
  const victim = gatewayPids().get(2)!
  process.kill(victim, 'SIGKILL')
  await until(() => clients.some(({ closed }) => closed !== null), 'one ends')
  const openOf = async () => (await clientOf(key).getOpenOrders()).rows.length
  await until(async () => (await openOf()) === 0, 'its order is cancelled')
  await clientOf().sandboxRevert({ id })
  assert.equal(await openOf(), 1)
  await until(() => gatewayPids().get(2) !== victim, 'it is started again')
  const left = clients.find(({ closed }) => closed === null)!
  assert.equal(await openOf(), 1, 'an earlier disconnect cancels nothing')
  await left.close()
  await until(async () => (await openOf()) === 0, 'an existing connection still does')
})

test('credits spent at one gateway are spent at the other', async () => {
  const data = join(folder, 'limited')
  const limits = ['--rate-limit', 'on', '--credits', '20']
  const limited = new ChildExchange(data, [...flags, ...limits])
  const { port: at } = await limited.ready
  const connections = [new Connection(at), new Connection(at)]
  let refused = 0
  for (let n = 0; n < 60 && refused === 0; n++) {
    const { status } = await connections[n % 2]!.get('/api/v1/time')
    if (status === 429) refused = n + 1
    // Long enough for them to exchange updates, with a large margin.
    await new Promise((on) => setTimeout(on, 50))
  }
  assert.ok(refused > 20 && refused < 26, `refused at ${refused}`)
  for (const each of connections) each.close()
  limited.kill('SIGTERM')
  assert.deepEqual(await limited.ended, { code: 0, signal: null })
  const pids = [...gatewayPids(limited).values()]
  assert.deepEqual(pids.map(isAlive), [false, false])
})

test('a port in use is reported as without gateways, and no process is left', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((on) => taken.once('listening', on))
  const { port: at } = taken.address() as { port: number }
  const failing = new ChildExchange(join(folder, 'taken'), [...flags, '--port', String(at)])
  await assert.rejects(failing.ready, new RegExp(`port ${at} is in use`))
  assert.deepEqual(await failing.ended, { code: 1, signal: null })
  taken.close()
})

test('the gateways exit with the leader, and the next start continues', async () => {
  const pids = [...gatewayPids().values()]
  await clientOf(alice).createOrder({ ...order, side: 'bid', price: '80000' })
  const openOf = async () => (await clientOf(alice).getOpenOrders()).rows
  const before = await openOf()
  exchange.kill('SIGKILL')
  await exchange.ended
  await until(() => pids.every((pid) => !isAlive(pid)), 'no gateway process is left')
  exchange = new ChildExchange(join(folder, 'data'), flags)
  port = (await exchange.ready).port
  assert.deepEqual([before.length, await openOf()], [1, before])
})
