// Every place for orders is taken, and nothing gets done there: a cancel of any kind begins all the
// same, however it comes in.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Intake } from '../../src/gateway/intake/intake.ts'
import type { Ticket } from '../../src/gateway/intake/line.ts'
import { until } from '../support/http/held-sockets.ts'
import { type Json, keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const alice = keyNamed(7)
const held: Ticket[] = []
let live: LiveExchange
let prices = 20_000

before(async () => {
  const intake = new Intake()
  live = await LiveExchange.start([], {}, intake)
  await live.fund(alice)
  for (let n = 0; n < 10; n++) await placed()
  for (const ipKey of ['192.0.2.1', '192.0.2.2']) {
    const line = intake.line(
      { ipKey, activeMax: 10_000 },
      {
        laneOf: () => 'order',
        begin: (_, ticket) => held.push(ticket),
        refuse: () => undefined,
        pause: () => undefined,
        resume: () => undefined,
        overflow: () => undefined,
      },
    )
    for (let n = 0; n < 300; n++) intake.take(line, n)
  }
  await until(() => live.running.load().underWay === held.length)
})
after(() => live.close())

/** Orders that were placed while there was room. */
const orders: number[] = []
const limit = () => ({ symbol: 'BTC', price: `${prices++}`, amount: '0.01', side: 'bid' })
const resting = () => ({ ...limit(), tif: 'ALO', reduce_only: false })

async function placed(): Promise<void> {
  const body = await live.signed(alice, 'create_order', resting())
  const { status, text } = await post('/orders/create', body)
  assert.equal(status, 200, text)
  orders.push(JSON.parse(text).data.order_id)
}

async function post(path: string, body: Json, type = 'application/json') {
  const headers = { 'content-type': type }
  const signal = AbortSignal.timeout(30_000)
  const options = { method: 'POST', headers, body: JSON.stringify(body), signal }
  const reply = await fetch(`${live.url}/api/v1${path}`, options)
  return { status: reply.status, text: await reply.text() }
}

async function cancelling(): Promise<Json> {
  const order_id = orders.pop()!
  return {
    type: 'Cancel',
    data: await live.signed(alice, 'cancel_order', { symbol: 'BTC', order_id }),
  }
}

const allDone = (results: readonly Json[]) => results.every(({ success }) => success === true)

test('a batch of cancels is answered by both roads of HTTP, and on the websocket', async () => {
  for (const type of ['application/json', 'application/json; charset=utf-8']) {
    const actions = [await cancelling(), await cancelling()]
    const { status, text } = await post('/orders/batch', { actions }, type)
    assert.equal(status, 200, text)
    assert.ok(allDone(JSON.parse(text).data.results), text)
  }
  const client = await StreamClient.open(live.wsUrl)
  const params = { batch_orders: { actions: [await cancelling()] } }
  const reply = await client.ask({ id: 'batch', params })
  assert.equal(reply.code, 200)
  client.ws.close()
})

test('a batch with anything else waits like an order, and both are served in the end', async () => {
  const { waiting } = live.running.load()
  const order = { type: 'Create', data: await live.signed(alice, 'create_order', resting()) }
  const answers = [
    post('/orders/batch', { actions: [await cancelling(), order] }),
    post('/orders/create', await live.signed(alice, 'create_order', resting())),
  ]
  await until(() => live.running.load().waiting === waiting + 2)
  for (const each of held.splice(0)) each.done()
  await until(() => {
    for (const each of held.splice(0)) each.done()
    return live.running.load().waiting === 0
  })
  for (const { status, text } of await Promise.all(answers)) assert.equal(status, 200, text)
})
