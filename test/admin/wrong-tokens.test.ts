// Wrong tokens at the admin port: delayed, counted and logged, without slowing other clients.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const right = 'the-token-of-every-scope'
const live = await frozenSandbox([
  ...['--admin-tokens', `root:${right}:${adminScopes.join('+')}`],
  ...['--metrics', 'admin'],
])
after(() => live.close())
const root = new AdminClient(live, right)

/** The response to one guess, over its own connection. */
async function guess(token: string): Promise<Response> {
  const reply = await fetch(`${live.adminUrl}/token`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await reply.arrayBuffer()
  return reply
}

test('a wrong token waits longer each time, a valid one from the same address never', async () => {
  for (let at = 0; at < 3; at++) assert.equal((await guess(`a-wrong-token-${at}`)).status, 401)
  // From the fourth on each waits: some are pending when the valid one is answered.
  let answered = 0
  const slow = Array.from({ length: 6 }, async (_, at) => {
    const { status, headers } = await guess(`a-slow-wrong-token-${at}`)
    answered += 1
    assert.deepEqual([status, headers.get('connection')], [401, 'close'])
  })
  while (!(await metric()).endsWith(' 9')) assert.equal(answered < 6, true)
  dataOf(await root.get('/token'))
  assert.equal(answered < 6, true, 'the valid token did not wait for the wrong ones')
  await Promise.all(slow)
})

async function metric(): Promise<string> {
  const reply = await fetch(`${live.adminUrl}/metrics`, {
    headers: { authorization: `Bearer ${right}` },
  })
  const text = await reply.text()
  return /^openperp_admin_token_failures_total .*$/m.exec(text)?.[0] ?? ''
}

test('after a wrong token nothing more is read from that connection', async () => {
  const socket = connect(Number(new URL(live.adminUrl).port), '127.0.0.1')
  const body = JSON.stringify({ approval_above: '1', daily_max: '1', reason: 'guessed' })
  const head = (token: string) =>
    `POST /withdrawals/limits HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const closed = new Promise((done) => socket.once('close', done))
  // Sent in one piece: the server has read both before it answers the first.
  socket.write(head('a-wrong-token-first') + head(right))
  await closed
  assert.equal([...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status).join(), '401')
  assert.equal(dataOf(await root.get('/withdrawals/limits')).approval_above, null)
})

test('a request without a token is rejected and not counted as a guess', async () => {
  const before = await metric()
  const reply = await fetch(`${live.adminUrl}/token`)
  await reply.arrayBuffer()
  assert.equal(reply.status, 401)
  assert.equal(await metric(), before)
})

/** Over its own connection: the response. */
function ask(headers: string, from = '127.0.0.1'): { socket: Socket; status: Promise<number> } {
  const port = Number(new URL(live.adminUrl).port)
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => undefined)
  socket.write(`GET /token HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`)
  const status = new Promise<number>((done) => {
    socket.once('data', (bytes) => done(Number(String(bytes).split(' ')[1])))
    socket.once('close', () => done(0))
  })
  return { socket, status }
}
const bearer = (token: string) => `authorization: Bearer ${token}\r\n`

/** One address can occupy only this many of the port's 64 connections. */
const placesOfAddress = 48

test('connections without a valid token are closed when one with it needs the place', async (t) => {
  const held = Array.from({ length: placesOfAddress }, () => ask(''))
  t.after(() => {
    for (const { socket } of held) socket.destroy()
  })
  const statuses = await Promise.all(held.map(({ status }) => status))
  assert.ok(statuses.every((status) => status === 401 || status === 429))
  // A place is released after a second.
  await setTimeout(1_100)
  const root = ask(bearer(right))
  assert.equal(await root.status, 200)
  root.socket.destroy()
})

test('waiting wrong tokens do not block an operator', async (t) => {
  const guesses = Array.from({ length: 3 * placesOfAddress }, (_, at) =>
    ask(bearer(`a-crowd-of-wrong-tokens-${at}`)),
  )
  t.after(() => {
    for (const { socket } of guesses) socket.destroy()
  })
  // All but four end soon: answered, or rejected while no place was free.
  let over = 0
  for (const { status } of guesses)
    status.then(() => {
      over += 1
    })
  while (over < guesses.length - 4) await setTimeout(10)
  const root = ask(bearer(right))
  assert.equal(await root.status, 200)
  root.socket.destroy()
})

// On other systems the loopback network has one address.
const skip = process.platform !== 'linux'

test('two addresses that occupy all places never block a third one', {
  skip,
}, async (t) => {
  const held = ['127.0.0.2', '127.0.0.3'].flatMap((from) =>
    Array.from({ length: placesOfAddress }, () => ask(bearer('a-wrong-token-of-two'), from)),
  )
  t.after(() => {
    for (const { socket } of held) socket.destroy()
  })
  for (let tries = 0; tries < 5; tries++) {
    for (const from of ['127.0.0.2', '127.0.0.3']) held.push(ask('', from))
    const root = ask(bearer(right))
    assert.equal(await root.status, 200)
    root.socket.destroy()
  }
})
