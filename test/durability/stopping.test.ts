import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathsOf, readDataFolder } from '../../src/sequencer/data-folder.ts'
import { recover } from '../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { Random } from '../programs/differential/random.ts'
import { Client, drawnKey, Ticker } from '../programs/torture/action.ts'
import { Replayed } from '../programs/torture/replayed.ts'
import { until } from '../support/http/held-sockets.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf, errorOf } from '../support/running/connection.ts'

const root = mkdtempSync(join(tmpdir(), 'openperp-stopping-'))
const children: ChildExchange[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  rmSync(root, { recursive: true, force: true })
})

function start(data: string): ChildExchange {
  const child = new ChildExchange(data)
  children.push(child)
  return child
}

const engineNow = async (api: Connection) =>
  dataOf<{ engine_now: number }>(await api.get('/api/v1/sandbox/clock')).engine_now

async function openTrader(port: number, seed: number): Promise<Client> {
  const client = new Client(drawnKey(new Random(seed)), new Ticker())
  client.connection = new Connection(port)
  const { address: account } = client.key
  await client.connection.post('/api/v1/sandbox/faucet', { account, amount: '100000' })
  return client
}

async function place(client: Client) {
  const order = { symbol: 'BTC', side: 'bid', price: '100000', amount: '0.001', tif: 'GTC' }
  const fields = { ...order, reduce_only: false }
  const action = await client.sign('/orders/create', 'create_order', fields)
  await client.send(action)
  return action.reply
}

async function cancel(client: Client, order_id: number) {
  const action = await client.sign('/orders/cancel', 'cancel_order', { symbol: 'BTC', order_id })
  await client.send(action)
  return action.reply
}

/** A client that never finishes its request. */
function slowClient(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const head = 'POST /api/v1/orders/create HTTP/1.1\r\nhost: localhost\r\n'
  socket.write(`${head}content-type: application/json\r\ncontent-length: 500\r\n\r\n{"symbol"`)
  return socket
}

test('SIGTERM drains, writes a snapshot, and the next start replays nothing', async () => {
  const data = join(root, 'drained')
  const child = start(data)
  const { port } = await child.ready
  const client = await openTrader(port, 1)
  let placed: { data: { order_id: number } | null } = { data: null }
  await until(async () => {
    placed = (await place(client))!.body as typeof placed
    return placed.data !== null
  })
  const slow = slowClient(port)
  const advance = { advance_ms: 31 * 86_400_000 }
  const began = Date.now()
  const advancing = new Connection(port).post('/api/v1/sandbox/clock', advance)
  const api = client.connection!
  const minutes = 600_000
  await until(async () => (await engineNow(api)) > began + minutes)
  const stoppedAt = performance.now()
  child.kill('SIGTERM')
  await until(async () => (await api.get('/ready')).status === 503)
  assert.equal((await api.get('/health')).status, 200)
  const { status, body } = await api.get('/serving')
  assert.deepEqual([status, body], [503, { status: 'not_serving', reason: 'draining' }])
  assert.equal((await place(client))!.status, 503)
  assert.deepEqual((await cancel(client, placed.data!.order_id))!.body, { success: true })
  assert.match(errorOf((await cancel(client, 999))!), /^ORDER_NOT_FOUND/)
  assert.deepEqual(await child.ended, { code: 0, signal: null })
  assert.ok(performance.now() - stoppedAt < 60_000)
  assert.equal((await advancing).status, 503)
  slow.destroy()
  api.close()
  const replayed = new Replayed(data)
  await replayed.follow()
  const saved = new SavedStateFiles(pathsOf(data).saved)
  const { replica, from } = await recover(readDataFolder(data), { saved })
  assert.equal(from, replayed.seq)
  assert.equal(stateHash(replica.state), replayed.hash)
})

test('a second process cannot use the data folder, and gets the reason', async () => {
  const data = join(root, 'shared')
  const first = start(data)
  const { port } = await first.ready
  const second = start(data)
  assert.deepEqual(await second.ended, { code: 1, signal: null })
  assert.match(second.errors, /openperp: .*process/)
  const api = new Connection(port)
  assert.equal((await api.get('/health')).status, 200)
  api.close()
  first.kill('SIGKILL')
  await first.ended
  const third = start(data)
  await third.ready
  third.kill('SIGINT')
  assert.deepEqual(await third.ended, { code: 0, signal: null })
})
