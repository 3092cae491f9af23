// Readers: they serve the leader's data, forward signed requests to it, and continue with the next
// leader on the same connections.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Key } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { version } from '../../src/gateway/documents/version.ts'
import { keySecretFile } from '../../src/sequencer/key-secret.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { HeldSocket, until } from '../support/http/held-sockets.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { speeches } from '../support/price-sources/speeches.ts'
import { TickerServer } from '../support/price-sources/ticker-server.ts'
import { adminToken } from '../support/running/child-exchange.ts'
import { alice, bob, ExchangeNode, sameState, sameVenue } from '../support/running/exchange-node.ts'
import { asReader, tradesFor } from '../support/running/link-flags.ts'
import { otherVersion } from '../support/running/other-version.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const databases = sharedDatabases()
const root = sharedFolder('readers')

/** The lease of a leader paused beyond its end; a slow machine does not reach it by itself. */
const shortLease = '12000'
const linked = tradesFor('eyes', 'joined')

async function arm(node: ExchangeNode, key: Key): Promise<StreamClient> {
  const { port } = await node.process.ready
  const streams = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
  const signing = { type: 'cancel_on_disconnect', timestamp: Date.now() } as const
  const params = await signedBody(key, {}, signing)
  const answer = await streams.ask({ method: 'cancel_on_disconnect', params })
  assert.equal(answer.channel, 'cancel_on_disconnect', JSON.stringify(answer))
  return streams
}

const before = '0.0.9'

test('a reader serves and forwards orders, across a change of the leader', async () => {
  const url = await databases.empty()
  // As in the middle of an upgrade: the first leader is of the previous version.
  const one = new ExchangeNode('one', root, otherVersion(join(root, 'before'), before))
  const two = new ExchangeNode('two', root)
  const eyes = new ExchangeNode('eyes', root)
  one.start(url, undefined, linked)
  await one.leads()
  await one.prepare()
  two.start(url, undefined, linked)
  await two.follows(one)
  eyes.start(url, undefined, asReader)
  await eyes.serves()
  await until(() => one.process.errors.includes('eyes follows'))
  await eyes.trade()
  assert.equal(await eyes.position(bob), 0.01)
  assert.equal(await one.position(bob), 0.01)
  const lines = [`one {2}trade {2}leads .* ${before}`, `eyes {2}read {2}follows .* ${version}`]
  await until(async () => {
    const { out } = await openperp(['cluster', 'status', '--cluster', url])
    return lines.every((line) => new RegExp(`^node {2}${line}$`, 'm').test(out))
  })
  await one.order(alice, 'bid', '90000')
  const { orderSeq } = one
  const receipt = await one.receipt(alice, orderSeq)
  assert.deepEqual(await eyes.receipt(alice, orderSeq), receipt)
  const streams = await arm(eyes, alice)
  one.process.kill('SIGKILL')
  await one.process.ended
  assert.equal(await eyes.position(bob), 0.01, 'reads continue')
  await databases.primary.query(`UPDATE ${databases.schema}.openperp_lead SET lease_ms = 100`)
  await two.leads()
  await until(() => two.process.errors.includes('eyes follows'))
  // Its clock is compared with the new leader's first.
  await until(async () => (await eyes.get('/serving')).status === 200)
  await eyes.trade()
  assert.equal(await eyes.position(bob), 0.02)
  assert.equal(await two.position(bob), 0.02)
  assert.equal(streams.closed, null, 'the connection survived the leader')
  assert.equal(await two.openOrders(alice), 1)
  await streams.close()
  await until(async () => (await two.openOrders(alice)) === 0)
  await sameState(two, eyes)
  await sameReplies(two, eyes)
  for (const node of [two, eyes])
    assert.deepEqual(await node.receipt(alice, orderSeq), receipt, `${node.name}, of a past leader`)
  await eyes.order(alice, 'bid', '90000')
  const armed = await arm(eyes, alice)
  const updates = { account: alice.address }
  const { li: resume_from } = await armed.subscribe('account_order_updates', updates)
  eyes.process.kill('SIGKILL')
  await until(async () => (await two.openOrders(alice)) === 0)
  await eyes.process.ended
  eyes.start(url, undefined, asReader)
  await eyes.serves()
  const again = await StreamClient.open(`ws://127.0.0.1:${(await eyes.process.ready).port}/ws`)
  const { data } = await again.subscribe('account_order_updates', { ...updates, resume_from })
  assert.equal((data as { resumed: boolean }).resumed, true)
  await until(() => again.of('account_order_updates').length > 0)
  const rows = again.of('account_order_updates').flatMap((frame) => frame.data as { oe: string }[])
  assert.deepEqual(
    rows.map(({ oe }) => oe),
    ['cancel'],
    'events while the node was down',
  )
  eyes.process.kill('SIGKILL')
  two.process.kill('SIGKILL')
})

const reads = [
  '/info',
  '/info/prices',
  '/info/risk',
  '/book?symbol=BTC',
  '/trades?symbol=BTC',
  '/kline?symbol=BTC&interval=1m&start_time=0',
  `/account?account=${alice.address}`,
  `/positions?account=${bob.address}`,
  `/positions/history?account=${bob.address}`,
  `/orders?account=${alice.address}`,
  `/orders/history?account=${alice.address}`,
  `/account/balance/history?account=${bob.address}`,
]

/** At the same sequence number, byte for byte. */
async function sameReplies(one: ExchangeNode, other: ExchangeNode): Promise<void> {
  for (const path of reads) {
    const [here, there] = [await one.get(`/api/v1${path}`), await other.get(`/api/v1${path}`)]
    assert.deepEqual([path, there], [path, here])
    assert.equal(here.status, 200, path)
  }
}

test('a new machine receives a folder, and follows from there', async () => {
  const url = await databases.empty()
  const one = new ExchangeNode('giving', root)
  one.start(url, undefined, linked)
  await one.leads()
  await one.prepare()
  await one.trade()
  const joined = new ExchangeNode('joined', root)
  const join = ['cluster', 'join', '--cluster', url, '--data', joined.folder]
  const keyless = await openperp(join)
  assert.deepEqual([keyless.code, keyless.out], [2, ''])
  const otherKey = await openperp([...join, '--cluster-key', 'x'.repeat(32)])
  assert.equal(otherKey.code, 3)
  assert.match(otherKey.err, /no node gave a copy: giving at 127.0.0.1:\d+: .*CLUSTER_KEY/s)
  assert.equal(existsSync(joined.folder), false)
  const asJoined = [...join, '--node', 'joined', ...asReader.slice(2)]
  const otherName = await openperp([...asJoined, '--node', 'other'])
  assert.deepEqual([otherName.code, existsSync(joined.folder)], [3, false])
  const ran = await openperp(asJoined)
  assert.deepEqual([ran.code, ran.err], [0, ''])
  assert.match(ran.out, /joined has what giving had at entry \d+: start the node with it/)
  assert.equal((await joined.state()).hash, (await one.state()).hash)
  const again = await openperp(asJoined)
  assert.equal(again.code, 1)
  assert.match(again.err, /joined is not empty/)
  joined.start(url, undefined, asReader)
  await joined.serves()
  await joined.trade()
  await sameReplies(one, joined)
  assert.equal(existsSync(keySecretFile(joined.folder)), false, 'a reader has no secret')
  const trades = new ExchangeNode('trades', root)
  const joinTrader = ['cluster', 'join', '--cluster', url, '--data', trades.folder]
  const asTrader = await openperp([...joinTrader, ...linked.slice(0, 2)])
  assert.deepEqual([asTrader.code, asTrader.err], [0, ''])
  const secrets = [one, trades].map(({ folder }) => readFileSync(keySecretFile(folder), 'utf8'))
  assert.equal(secrets[0], secrets[1])
  await sameVenue(one, joined)
  for (const node of [one, joined]) node.process.kill('SIGKILL')
})

test('gateways of a leader serve as long as its lease, and no longer', async () => {
  const url = await databases.empty()
  const [one, two] = [new ExchangeNode('left', root), new ExchangeNode('right', root)]
  one.start(url, shortLease, ['--gateways', '2', ...linked])
  await one.leads()
  await one.prepare()
  two.start(url, undefined, ['--gateways', '1', ...linked])
  await two.follows(one)
  const { port } = await one.process.ready
  for (let n = 0; n < 4; n++) await one.trade()
  assert.equal(await one.position(bob), 0.04)
  const asks = await HeldSocket.open(port)
  assert.match(await asks.get('/api/v1/info'), /200 OK/)
  one.process.kill('SIGSTOP')
  await two.leads()
  asks.said = ''
  asks.socket.write('GET /api/v1/info HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await until(() => asks.closed)
  assert.equal(asks.said, '')
  assert.equal(await two.position(bob), 0.04)
  await two.trade()
  assert.equal(await two.position(bob), 0.05)
  one.process.kill('SIGCONT')
  assert.deepEqual(await one.process.ended, { code: 1, signal: null })
  two.process.kill('SIGKILL')
})

type Prices = Readonly<{ data: { sources: Record<string, unknown>[] } | null }>

test('price sources are read by the leader, and a reader says where it is', async () => {
  const url = await databases.empty()
  // One for each node: a slow machine may connect twice.
  const servers = ['one', 'two', 'eyes'].map(() => new TickerServer(speeches.binance))
  const priced = await Promise.all(
    servers.map(async (server) => {
      const at = `ws://127.0.0.1:${await server.listen()}/ws`
      const source = { kind: 'binance', url: at, symbols: { BTC: 'BTCUSDT', ETH: 'ETHUSDT' } }
      return ['--mode', 'venue', '--price-sources', JSON.stringify([source])]
    }),
  )
  const connected = () => servers.map(({ came }) => came > 0)
  const [one, two, eyes] = ['one', 'two', 'eyes'].map(
    (name) => new ExchangeNode(name, join(root, 'priced')),
  ) as [ExchangeNode, ExchangeNode, ExchangeNode]
  one.start(url, undefined, [...linked, ...priced[0]!])
  await one.leads()
  two.start(url, undefined, [...linked, ...priced[1]!])
  await two.follows(one)
  eyes.start(url, undefined, [...asReader, ...priced[2]!])
  const { adminPort } = await eyes.process.ready
  const leadersAdmin = async () => {
    const reply = await fetch(`http://127.0.0.1:${adminPort}/prices`, { headers })
    return reply.status === 421 ? reply.headers.get('openperp-leader') : null
  }
  const headers = { authorization: `Bearer ${adminToken}` }
  const isConnected = async () => {
    const at = await leadersAdmin()
    if (at === null) return false
    // For a moment after its death the reader still names the previous leader.
    const reply = await fetch(`${at}/prices`, { headers }).catch(() => null)
    const { data } = ((await reply?.json()) ?? { data: null }) as Prices
    return data?.sources.some(({ kind, state }) => kind === 'binance' && state === 'connected')
  }
  await until(async () => (await isConnected()) === true)
  assert.deepEqual(connected(), [true, false, false], 'one of three nodes is connected')
  const given = ['--admin-url', `http://127.0.0.1:${adminPort}`]
  const environment = { OPENPERP_ADMIN_TOKEN: adminToken }
  const shown = await openperp(['admin', 'prices', ...given], { environment })
  assert.match(shown.out, /^binance /m, 'the command line asks the leader then')
  const pushed = '[{"symbol":"BTC","price":"105000"}]'
  const push = ['admin', 'prices', 'push', pushed, '--yes', ...given]
  assert.equal((await openperp(push, { environment })).code, 0)
  one.process.kill('SIGKILL')
  await one.process.ended
  await databases.primary.query(`UPDATE ${databases.schema}.openperp_lead SET lease_ms = 100`)
  await two.leads()
  await until(async () => (await isConnected()) === true)
  assert.deepEqual(connected(), [true, true, false], 'then the next leader')
  for (const node of [two, eyes]) {
    node.process.kill('SIGKILL')
    await node.process.ended
  }
  for (const server of servers) {
    await server.close()
    assert.deepEqual(server.faults, [])
  }
})
