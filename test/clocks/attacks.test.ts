// Two ways in which a wrong clock could empty the memory of signed texts: a reader whose clock is
// ahead, and a clock that steps back. Real processes, each with its own wall clock.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Key } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { ClockFile } from '../support/clocks/clock-file.ts'
import { until } from '../support/http/held-sockets.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf, errorOf, type Reply } from '../support/running/connection.ts'
import { alice, ExchangeNode } from '../support/running/exchange-node.ts'
import { asReader, tradesFor } from '../support/running/link-flags.ts'

const databases = sharedDatabases()
const root = sharedFolder('clocks')

type Post = (path: string, body: unknown) => Promise<Reply>

/** A withdrawal that is signed at this time and may be sent for `expiry_window` milliseconds. */
function withdrawal(key: Key, timestamp: number, expiryWindow: number) {
  return signedBody(key, { amount: '10' }, { type: 'withdraw', timestamp, expiryWindow })
}

function cancelAll(key: Key, timestamp: number) {
  const fields = { all_symbols: true, exclude_reduce_only: false }
  return signedBody(key, fields, { type: 'cancel_all_orders', timestamp })
}

async function balanceOf(get: (path: string) => Promise<Reply>): Promise<string> {
  return dataOf<{ balance: string }>(await get(`/api/v1/account?account=${alice.address}`)).balance
}

async function fund(post: Post): Promise<void> {
  dataOf(await post('/sandbox/faucet', { account: alice.address, amount: '1000' }))
}

test('a clock that steps ahead and back does not execute a withdrawal twice', async () => {
  const folder = join(root, 'alone')
  const clock = new ClockFile(folder)
  const flags = ['--bots', 'off']
  const process = new ChildExchange(folder, flags, null, undefined, clock.environment)
  const connection = new Connection((await process.ready).port)
  const post: Post = (path, body) => connection.post(`/api/v1${path}`, body)
  await fund(post)
  const timestamp = Date.now()
  const text = await withdrawal(alice, timestamp, 60_000)
  dataOf(await post('/account/withdraw', text))
  await clock.setSkew(64_000)
  await post('/orders/cancel_all', await cancelAll(alice, timestamp + 64_000))
  await clock.setSkew(0)
  const again = await post('/account/withdraw', text)
  assert.equal(await balanceOf((path) => connection.get(path)), '990', 'withdrawn once')
  assert.equal(again.status, 400)
  assert.match(errorOf(again), /^REPLAYED/)
  // No lock-out either: the clock was right again within ten minutes.
  dataOf(await post('/orders/cancel_all', await cancelAll(alice, Date.now())))
  process.kill('SIGKILL')
  await process.ended
})

test('a reader whose clock is ahead does not execute a withdrawal twice', async () => {
  const url = await databases.empty()
  const [leader, reader] = [new ExchangeNode('leader', root), new ExchangeNode('reader', root)]
  leader.start(url, undefined, tradesFor('reader'))
  await leader.leads()
  await fund((path, body) => leader.post(path, body))
  await reader.clock.setSkew(8_000)
  reader.start(url, undefined, asReader)
  await reader.leads()
  await until(() => leader.process.errors.includes('reader follows'))
  const timestamp = Date.now()
  const text = await withdrawal(alice, timestamp, 7_000)
  dataOf(await leader.post('/account/withdraw', text))
  let there: Reply
  await until(async () => {
    there = await reader.post('/orders/cancel_all', await cancelAll(alice, timestamp))
    return !/not yet compared/.test(JSON.stringify(there.body))
  })
  const again = await leader.post('/account/withdraw', text)
  assert.equal(await balanceOf((path) => leader.get(path)), '990', 'withdrawn once')
  assert.match(errorOf(again), /^(REPLAYED|EXPIRED)/)
  assert.equal(there!.status, 503)
  assert.match(errorOf(there!), /^NOT_READY: .*clock.* ahead of the leader's/)
  // Once it is right the node accepts signed requests again.
  await reader.clock.setSkew(0)
  await until(async () => {
    const text = await cancelAll(alice, Date.now())
    return (await reader.post('/orders/cancel_all', text)).status === 200
  })
  for (const { process } of [leader, reader]) process.kill('SIGKILL')
})
