// A reply names the entry it is consistent with, and a request the oldest entry it accepts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import type { Key } from '../../src/client/key.ts'
import { SeqGate } from '../../src/gateway/intake/min-seq.ts'
import { SeqWaits } from '../../src/sequencer/queue/seq-waits.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'

let live: Live
let alice: Key

before(async () => {
  live = await frozenSandbox()
  await live.price('BTC', '100000')
  alice = await live.trader()
})
after(() => live.close())

const book = (headers: Record<string, string> = {}) =>
  fetch(`${live.url}/api/v1/book?symbol=BTC`, { headers })
const seqOf = (reply: Response) => Number(reply.headers.get('openperp-seq'))
const bid = { symbol: 'BTC', price: '90000', amount: '0.01', side: 'bid' }

test('a read returns the entry that it is consistent with', async () => {
  const before = seqOf(await book())
  assert.equal(before, live.running.exchange.seq())
  await live.order(alice, bid)
  const reply = await book({ origin: 'http://localhost:3000' })
  assert.equal(seqOf(reply), live.running.exchange.seq())
  assert.ok(seqOf(reply) > before)
  assert.match(reply.headers.get('access-control-expose-headers')!, /\bopenperp-seq\b/)
})

test('one address can occupy only a few of the waiting places', async () => {
  const gate = new SeqGate({ seq: () => 0, reached: () => new Promise(() => undefined) } as never)
  const waits = Array.from({ length: 8 }, () => gate.require('1', '10.0.0.1'))
  await assert.rejects(gate.require('1', '10.0.0.1'), /try again/)
  const other = gate.require('1', '10.0.0.2')
  const first = await Promise.race([...waits, other, Promise.resolve('they wait')])
  assert.equal(first, 'they wait')
})

test('an existing entry is served immediately, the next one is waited for', async () => {
  const seq = seqOf(await book())
  assert.equal((await book({ 'openperp-min-seq': `${seq}` })).status, 200)
  const waiting = book({ 'openperp-min-seq': `${seq + 1}` })
  await live.order(alice, bid)
  const reply = await waiting
  assert.deepEqual([reply.status, seqOf(reply) > seq], [200, true])
})

test('an entry that does not arrive within a second is 503 with the current one', async () => {
  const seq = seqOf(await book())
  const reply = await book({ 'openperp-min-seq': `${seq + 100_000}` })
  assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '1'])
  const { error } = (await reply.json()) as { error: string }
  assert.equal(
    error,
    `NOT_READY: this process is at entry ${seq}, and openperp-min-seq requires ${seq + 100_000}; ` +
      'try again',
  )
})

test('an entry more than 100,000 ahead is 503 immediately, without waiting', async () => {
  const waited: number[] = []
  const reached = (seq: number) => {
    waited.push(seq)
    return Promise.resolve(true)
  }
  const gate = new SeqGate({ seq: () => 7, reached } as never)
  await gate.require('100007', '10.0.0.1')
  assert.deepEqual(waited, [100_007])
  await assert.rejects(gate.require('100008', '10.0.0.1'), {
    message:
      'NOT_READY: this process is at entry 7, and openperp-min-seq requires 100008, ' +
      'more than 100000 entries ahead: this process is far behind, or the entry belongs to ' +
      'another exchange',
  })
  assert.deepEqual(waited, [100_007])
  const reply = await book({ 'openperp-min-seq': '999999999999999' })
  assert.equal(reply.status, 503)
  assert.match(await reply.text(), /more than 100000 entries ahead/)
})

test('batches and rejected commands return an entry that is not before their own', async () => {
  const post = (path: string, body: unknown) =>
    fetch(`${live.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const client = new Client({ url: live.url, signer: alice })
  const order = { ...bid, side: 'bid', tif: 'GTC', reduce_only: false } as const
  const actions = [{ type: 'Create', data: order }] as const
  const body = await client.body('batch_orders', { actions })
  for (const status of [200, 400]) {
    const reply = await post('/orders/batch', body)
    assert.deepEqual([reply.status, seqOf(reply)], [status, live.running.exchange.seq()])
    await reply.text()
  }
  const none = await post('/orders/batch', { actions: [] })
  assert.equal(none.headers.get('openperp-seq'), null)
})

test('an invalid entry is rejected by name and changes nothing', async () => {
  for (const text of ['', '-1', '1.5', 'newest', '1e3', '9999999999999999']) {
    const reply = await book({ 'openperp-min-seq': text })
    assert.equal(reply.status, 400, text)
    assert.match(await reply.text(), /openperp-min-seq must be a whole number of 1 to 15 digits/)
  }
})

test('a request beyond the maximum of waiting ones is rejected', async () => {
  const waits = new SeqWaits()
  const all = Array.from({ length: 32 }, () => waits.wait(5, 60_000))
  assert.equal(await waits.wait(5, 60_000), false)
  const endless = waits.wait(5, Number.POSITIVE_INFINITY)
  waits.reached(4)
  const later = waits.wait(6, 1)
  waits.reached(5)
  assert.deepEqual(new Set(await Promise.all(all)), new Set([true]))
  assert.deepEqual([await later, await endless], [false, true])
})
