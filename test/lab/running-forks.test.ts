// `POST /sandbox/fork`: a second exchange as another process. Both are used, and no fork
// outlives its original.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import { keyOfSecret, newKey } from '../../src/client/key.ts'
import { readConfig } from '../../src/config.ts'
import { createExchange } from '../../src/embed/embed.ts'
import { ForkProcesses } from '../../src/main/forks/fork-processes.ts'
import { Fixture } from '../support/running/fixture.ts'
import { isAlive } from '../support/running/is-alive.ts'

const original = new Fixture()
after(() => original.end())
const { url, accounts } = await original.line
const address = accounts.alice!.address
const alice = new Client({ url, signer: keyOfSecret(accounts.alice!.secret), timeoutMs: 120_000 })
const order = { symbol: 'BTC', side: 'bid', amount: '0.1', tif: 'GTC' } as const
const limit = { ...order, price: '90000', reduce_only: false } as const

/** Waits until no process answers there. Its own may stay in the list of processes for a while. */
async function gone(at: string) {
  const answers = () =>
    fetch(`${at}/healthz`).then(
      (reply) => reply.text(),
      () => null,
    )
  while ((await answers()) !== null) await new Promise((done) => setTimeout(done, 20))
}

test('a fork and its original go on, each for itself', async () => {
  const { seq: empty } = await alice.sandboxGetHash()
  const { order_id } = await alice.createOrder(limit)
  const before = await alice.sandboxGetHash()
  const made = await alice.sandboxFork({})
  const fork = new Client({ url: made.url, actAs: address })
  const begun = await fork.sandboxGetHash()
  assert.equal(begun.trading_hash, before.trading_hash)
  assert.equal(made.seq, before.seq)
  assert.equal((await fork.sandboxGetClock()).engine_now, made.engine_now)

  await fork.cancelOrder({ symbol: 'BTC', order_id })
  const actions = [{ type: 'Create', data: { ...limit, price: '89000' } }] as const
  await fork.batchOrders({ actions })
  const stream = fork.stream()
  await new Promise((done) => void stream.subscribe('prices', {}, done))
  await stream.call('create_order', { ...limit, price: '88000' })
  stream.close()
  await fork.sandboxSetClock({ advance_ms: 3_600_000 })
  const prices = (await fork.getOpenOrders()).rows.map(({ price }) => price)
  assert.deepEqual(prices.toSorted(), ['88000', '89000'])
  assert.deepEqual((await alice.sandboxGetHash()).trading_hash, before.trading_hash)
  await alice.sandboxSetOracle({ symbol: 'BTC', price: '91000' })
  assert.equal((await alice.getOpenOrders()).rows.length, 1)
  await assert.rejects(fork.sandboxFork({}), /is not forked again: fork the original/)

  const earlier = await alice.sandboxFork({ at: empty })
  assert.deepEqual([earlier.seq, earlier.id === made.id], [empty, false])
  const reader = new Client({ url: earlier.url, actAs: address })
  assert.equal((await reader.getOpenOrders()).rows.length, 0)
  assert.deepEqual(await alice.sandboxEndFork({ id: made.id }), { id: made.id })
  assert.equal(isAlive(made.pid), false)
  await assert.rejects(fork.getInfo(), /no answer/)
  assert.equal((await reader.getInfo()).length > 0, true)
  await assert.rejects(alice.sandboxEndFork({ id: made.id }), /fork not found/)
  await original.kill('SIGKILL')
  await gone(earlier.url)
})

test('what cannot be forked is refused, and at most four run', async () => {
  const exchange = createExchange({ markets: ['BTC'] })
  const post = (body: object) =>
    exchange.fetch(`${exchange.url}/api/v1/sandbox/fork`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  assert.match(await (await post({})).text(), /exchange\.fork\(\{ at \}\)/)
  assert.match(await (await post({ at: 0 })).text(), /at/)
  assert.match(await (await post({ at: '2026-13-01' })).text(), /neither an entry/)
  await exchange.close()

  const config = readConfig(['--data', '/nowhere/openperp'], {}, '/')
  const forks = new ForkProcesses({ config, seq: () => 7, isFork: false })
  const begun = Array.from({ length: 5 }, () => forks.begin(null).catch(String))
  assert.match(`${await begun[4]}`, /4 forks are running \(fork-1, .*the maximum; POST/)
  assert.match(`${await begun[0]}`, /nowhere.openperp does not exist/)
  assert.equal(await forks.end('fork-1'), false, 'what did not start is not there')
  const hasty = forks.begin(null).catch(String)
  assert.equal(await forks.end('fork-5'), true)
  assert.match(`${await hasty}`, /NOT_READY: fork-5 was ended while it started/)
  await forks.close()
  assert.match(`${await forks.begin(null).catch(String)}`, /is stopping/)
  await Promise.all(begun)
  assert.equal(existsSync('/nowhere'), false)
})

test('a client that acts for an account takes no key', () => {
  for (const given of [{ signer: newKey() }, { apiKey: 'k' }, { account: address }])
    assert.throws(
      () => new Client({ url, actAs: address, ...given }),
      /actAs signs nothing and names the account: leave out/,
    )
})
