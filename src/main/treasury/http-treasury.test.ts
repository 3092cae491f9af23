import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { newKey } from '../../client/key.ts'
import { systemTime } from '../webhooks/deliverer.ts'
import { signedHeaders } from '../webhooks/message.ts'
import { faultOf } from '../webhooks/webhook.ts'
import { httpTreasury } from './http-treasury.ts'

const secret = 'the-secret-of-the-treasury-long-enough'
const reports = [{ type: 'deposit', reference: 'r-1', account: newKey().address, amount: '5' }]
let next = ''
const server = createServer((_, reply) => {
  const text = JSON.stringify({ reports, next })
  reply.writeHead(200, signedHeaders(text, secret, Date.now())).end(text)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

const kept: string[] = []
const notes = new Map([['treasury/reports', 'c-1']])
const exchange = {
  seq: () => 0,
  view: () => ({ notes }) as never,
  submit: async (command: { name: string; text: string }) => {
    kept.push(command.text)
    notes.set(command.name, command.text)
  },
}
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const needs = {
  time: systemTime,
  signal: new AbortController().signal,
  exchange: exchange as never,
}
const treasury = httpTreasury({ kind: 'http', url, secret }, needs)

test('a cursor that does not move on is a fault, or the same would come for ever', async () => {
  for (next of ['c-1', '']) await assert.rejects(treasury.next(), /must be the cursor behind them/)
  next = 'c-2'
  await (await treasury.next())!.end([])
  assert.deepEqual(kept, ['c-2'])
})

test('cursors that go in a circle are a fault, and nothing is kept of it', async () => {
  next = 'c-1'
  await assert.rejects(treasury.next(), /next is "c-1" with reports after "c-2".* a circle/)
  // A delivery that was not ended was not passed: it comes again.
  next = 'c-3'
  for (let attempt = 0; attempt < 2; attempt += 1) assert.notEqual(await treasury.next(), null)
  await (await treasury.next())!.end([])
  for (next of ['c-1', 'c-2']) await assert.rejects(treasury.next(), /a circle/)
  assert.deepEqual(kept, ['c-2', 'c-3'])
})

test('a long error of the other side is shortened', () => {
  const cause = new Error(`it is not among ${'DNS:example.org, '.repeat(10_000)}`)
  const fault = faultOf(new TypeError('fetch failed', { cause }))
  assert.match(fault, /^fetch failed: it is not among DNS:example.org, .*…$/)
  assert.equal(fault.length, 300)
})
