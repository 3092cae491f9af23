// The real program as nodes of a cluster: whoever leads serves, whoever follows takes over when the
// leader is killed, stopped or asleep, and nothing that was acknowledged is lost or done twice.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Key, keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { readDataFolder } from '../../src/sequencer/data-folder.ts'
import { recover } from '../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../src/sequencer/saved-state-files.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { HeldSocket, until } from '../support/http/held-sockets.ts'
import { after, before, test } from '../support/postgres/database-tests.ts'
import { Databases } from '../support/postgres/databases.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf, type Reply } from '../support/running/connection.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

let databases: Databases
const root = mkdtempSync(join(tmpdir(), 'openperp-failover-'))
const [alice, bob] = [1, 2].map((n) => keyOfSeed(new Uint8Array(32).fill(n))) as [Key, Key]

before(async () => {
  databases = await Databases.start()
})
after(async () => {
  await databases.close()
  rmSync(root, { recursive: true, force: true })
})

/** Long enough that nobody who waits for its end gets anywhere in a test. */
const longLease = '60000'

class Node {
  readonly name: string
  readonly folder: string
  private child: ChildExchange | null = null
  private connection: Connection | null = null

  constructor(name: string) {
    this.name = name
    this.folder = join(root, name)
  }

  start(url: string, leaseMs = '1000'): void {
    this.child = new ChildExchange(this.folder, [
      ...['--cluster', url, '--node', this.name, '--lease-ms', leaseMs],
      ...['--bots', 'off', '--log-level', 'info'],
    ])
  }

  get process(): ChildExchange {
    return this.child!
  }

  async follows(leader: Node): Promise<void> {
    await until(() => this.process.errors.includes(`following: ${leader.name} leads`))
  }

  async leads(): Promise<void> {
    const { port } = await this.process.ready
    this.connection = new Connection(port)
  }

  async post(path: string, body: unknown): Promise<Reply> {
    return this.connection!.post(`/api/v1${path}`, body)
  }

  async order(key: Key, side: 'bid' | 'ask', price: string): Promise<string> {
    const text = await orderText(key, { side, price })
    dataOf(await this.post('/orders/create', text))
    return text
  }

  async position({ address }: Key): Promise<number> {
    const { body } = await this.connection!.get(`/api/v1/positions?account=${address}`)
    return Number((body as { amount: string }[])[0]?.amount ?? 0)
  }

  /** As a start would find it. */
  async state(): Promise<Readonly<{ seq: number; hash: string }>> {
    const folder = readDataFolder(this.folder)
    const { replica } = await recover(folder, { saved: new SavedStateFiles(folder.saved) })
    return { seq: replica.seq, hash: stateHash(replica.state) }
  }
}

let lastTimestamp = Date.now()

async function orderText(key: Key, fields: object): Promise<string> {
  lastTimestamp += 1
  const standard = { symbol: 'BTC', amount: '0.01', tif: 'GTC', reduce_only: false }
  const signing = { type: 'create_order', timestamp: lastTimestamp } as const
  return JSON.stringify(await signedBody(key, { ...standard, ...fields } as never, signing))
}

async function sameState(one: Node, other: Node): Promise<void> {
  await until(async () => (await one.state()).seq === (await other.state()).seq)
  assert.deepEqual(await one.state(), await other.state())
}

test('two nodes lead in turn, however the leader ends, and nothing is lost or done twice', async (t) => {
  const url = await databases.empty('turns')
  const [one, two] = [new Node('one'), new Node('two')]
  let taking = ''

  await t.test('the first leads and serves, the second follows and says so', async () => {
    one.start(url)
    await one.leads()
    dataOf(await one.post('/sandbox/clock', { freeze: true }))
    dataOf(await one.post('/sandbox/oracle', { symbol: 'BTC', price: '100000' }))
    for (const { address } of [alice, bob])
      dataOf(await one.post('/sandbox/faucet', { account: address, amount: '100000' }))
    two.start(url, longLease)
    await two.follows(one)
    await one.order(alice, 'ask', '100000')
    taking = await one.order(bob, 'bid', '100000')
    assert.equal(await one.position(bob), 0.01)
    await sameState(one, two)
  })

  await t.test('killed: the other leads, and a text sent again is known', async () => {
    one.process.kill('SIGKILL')
    await two.leads()
    assert.equal(await two.position(bob), 0.01)
    const again = await two.post('/orders/create', taking)
    assert.deepEqual([again.status, /REPLAYED/.test(JSON.stringify(again.body))], [400, true])
    await two.order(alice, 'ask', '100000')
    await two.order(bob, 'bid', '100000')
    assert.equal(await two.position(bob), 0.02)
    one.start(url)
    await one.follows(two)
    await sameState(one, two)
  })

  await t.test('told to stop: the lead is given back, and nobody waits for its end', async () => {
    two.process.kill('SIGTERM')
    assert.deepEqual(await two.process.ended, { code: 0, signal: null })
    await one.leads()
    await one.order(alice, 'ask', '100000')
    await one.order(bob, 'bid', '100000')
    assert.equal(await one.position(bob), 0.03)
    two.start(url)
    await two.follows(one)
    await sameState(one, two)
  })

  await t.test('asleep for longer than its lease: it answers nothing more, and ends', async () => {
    const { port } = await one.process.ready
    const asks = await HeldSocket.open(port)
    assert.match(await asks.get('/api/v1/info'), /200 OK/)
    const streams = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
    one.process.kill('SIGSTOP')
    asks.said = ''
    asks.socket.write('GET /api/v1/info HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    streams.frames.length = 0
    streams.send({ method: 'ping' })
    await two.leads()
    await two.order(alice, 'ask', '100000')
    one.process.kill('SIGCONT')
    assert.deepEqual(await one.process.ended, { code: 1, signal: null })
    await until(() => asks.closed && streams.closed !== null)
    assert.deepEqual([asks.said, streams.frames], ['', []])
    assert.match(one.process.errors, /this node no longer leads, and ends; started again, it foll/)
    one.start(url)
    await one.follows(two)
    await two.order(bob, 'bid', '100000')
    assert.equal(await two.position(bob), 0.04)
    await sameState(one, two)
  })

  for (const { process: child } of [one, two]) child.kill('SIGKILL')
})
