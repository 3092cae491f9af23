// Every place for orders is taken, and nothing gets done there: a cancel of any kind begins all the
// same, however it comes in.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Intake } from '../../src/gateway/intake/intake.ts'
import type { LaneName, Ticket } from '../../src/gateway/intake/line.ts'
import { HeldSocket, until } from '../support/http/held-sockets.ts'
import { type Json, keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const alice = keyNamed(7)
const intake = new Intake()
const held: Ticket[] = []
let live: LiveExchange
let prices = 20_000

before(async () => {
  live = await LiveExchange.start([], {}, intake)
  await live.fund(alice)
  for (let n = 0; n < 10; n++) await placed()
})
after(() => live.close())

/** Takes every place of a kind, and others wait already. */
async function fill(lane: LaneName): Promise<void> {
  for (const ipKey of ['192.0.2.1', '192.0.2.2']) {
    const line = intake.line(
      { ipKey, activeMax: 10_000 },
      {
        laneOf: () => lane,
        begin: (_, ticket) => held.push(ticket),
        refuse: () => undefined,
        pause: () => undefined,
        resume: () => undefined,
        overflow: () => undefined,
      },
    )
    for (let n = 0; n < 300; n++) intake.take(line, n)
  }
  let last = -1
  await until(() => {
    const stands = held.length === last
    last = held.length
    return stands
  })
}

async function empty(): Promise<void> {
  await until(() => {
    for (const each of held.splice(0)) each.done()
    return intake.load.waiting === 0 && held.length === 0
  })
}

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
  const signal = AbortSignal.timeout(120_000)
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
  await fill('order')
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
  const { waiting } = intake.load
  const order = { type: 'Create', data: await live.signed(alice, 'create_order', resting()) }
  const answers = [
    post('/orders/batch', { actions: [await cancelling(), order] }),
    post('/orders/create', await live.signed(alice, 'create_order', resting())),
  ]
  await until(() => intake.load.waiting === waiting + 2)
  await empty()
  for (const { status, text } of await Promise.all(answers)) assert.equal(status, 200, text)
})

test('requests that are always refused wait too: refusing costs as much as serving', async () => {
  const json = 'content-type: application/json\r\n'
  const two = 'content-length: 2\r\n\r\n{}'
  const requests: readonly (readonly [number, string])[] = [
    [404, 'GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n'],
    [404, `POST /nowhere HTTP/1.1\r\nhost: x\r\n${json}${two}`],
    [405, 'DELETE /api/v1/time HTTP/1.1\r\nhost: x\r\n\r\n'],
    [204, 'OPTIONS /api/v1/orders/create HTTP/1.1\r\nhost: x\r\n\r\n'],
    [400, 'GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n'],
    [415, `POST /api/v1/orders/create HTTP/1.1\r\nhost: x\r\ncontent-type: text/x\r\n${two}`],
    [413, `POST /api/v1/orders/create HTTP/1.1\r\nhost: x\r\n${json}content-length: 65537\r\n\r\n`],
    [417, `POST /api/v1/orders/create HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n${two}`],
    [200, 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'],
  ]
  await fill('read')
  const { waiting } = intake.load
  const sockets = await Promise.all(requests.map(() => HeldSocket.open(live.running.port)))
  for (const [at, [, text]] of requests.entries()) sockets[at]!.socket.write(text)
  await until(() => intake.load.waiting === waiting + requests.length)
  for (const { said } of sockets) assert.equal(said, '')
  await empty()
  for (const [at, [status, text]] of requests.entries()) {
    await until(() => sockets[at]!.said !== '')
    assert.match(sockets[at]!.said, new RegExp(`^HTTP/1.1 ${status} `), text)
    sockets[at]!.close()
  }
})
