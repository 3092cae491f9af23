// The real program as nodes of a cluster: whoever leads serves, whoever follows takes over when the
// leader is killed, stopped or asleep, and nothing that was acknowledged is lost or done twice.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Key, keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { until } from '../support/http/held-sockets.ts'
import { after, before, test } from '../support/postgres/database-tests.ts'
import { Databases } from '../support/postgres/databases.ts'
import { adminToken, ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf, type Reply } from '../support/running/connection.ts'

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

const started = (name: string, url: string, ...flags: readonly string[]) =>
  new ChildExchange(join(root, name), [
    ...['--cluster', url, '--node', name, '--bots', 'off', '--log-level', 'info'],
    ...flags,
  ])

async function hashOf({ ready }: ChildExchange): Promise<unknown> {
  const { adminPort } = await ready
  const connection = new Connection(adminPort, { authorization: `Bearer ${adminToken}` })
  const reply = await connection.get('/admin/hashes')
  connection.close()
  return reply.body
}

let lastTimestamp = Date.now()

async function orderText(key: Key, fields: object): Promise<string> {
  lastTimestamp += 1
  const standard = { symbol: 'BTC', amount: '0.01', tif: 'GTC', reduce_only: false }
  const signing = { type: 'create_order', timestamp: lastTimestamp } as const
  return JSON.stringify(await signedBody(key, { ...standard, ...fields } as never, signing))
}

async function positionOf(connection: Connection, { address }: Key): Promise<string> {
  const { body } = await connection.get(`/api/v1/positions?account=${address}`)
  return (body as { amount: string }[])[0]!.amount
}

test('killed: another leads, with every position, and an order sent again is found', async () => {
  const url = await databases.empty('killed')
  const one = started('one', url)
  const served = new Connection((await one.ready).port)
  dataOf(await served.post('/api/v1/sandbox/clock', { freeze: true }))
  dataOf(await served.post('/api/v1/sandbox/oracle', { symbol: 'BTC', price: '100000' }))
  for (const { address } of [alice, bob])
    dataOf(await served.post('/api/v1/sandbox/faucet', { account: address, amount: '100000' }))
  const two = started('two', url)
  await until(() => two.errors.includes('following: one leads'))
  const order = (text: string): Promise<Reply> => served.post('/api/v1/orders/create', text)
  dataOf(await order(await orderText(alice, { side: 'ask', price: '100000' })))
  const taking = await orderText(bob, { side: 'bid', price: '100000' })
  dataOf(await order(taking))
  assert.equal(await positionOf(served, bob), '0.01')
  const killedAt = performance.now()
  one.kill('SIGKILL')
  const then = new Connection((await two.ready).port)
  console.log('failover ms', performance.now() - killedAt)
  assert.equal(await positionOf(then, bob), '0.01')
  const again = await then.post('/api/v1/orders/create', taking)
  console.log(again)
  dataOf(await then.post('/api/v1/orders/create', await orderText(bob, { side: 'bid', price: '90000' })))
  console.log(await hashOf(two))
  two.kill('SIGKILL')
})
