import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { newKey } from '../../client/key.ts'
import { signedHeaders } from '../webhooks/message.ts'
import { systemTime } from '../webhooks/teller.ts'
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

test('a cursor that does not move on is a fault, or the same would come for ever', async () => {
  const kept: unknown[] = []
  const notes = new Map([['treasury/reports', 'c-1']])
  const exchange = {
    seq: () => 0,
    view: () => ({ notes }) as never,
    submit: async (command: unknown) => kept.push(command),
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { signal } = new AbortController()
  const needs = { time: systemTime, signal, exchange }
  const treasury = httpTreasury({ kind: 'http', url, secret }, needs)
  for (next of ['c-1', '']) await assert.rejects(treasury.next(), /must be the cursor behind them/)
  next = 'c-2'
  await (await treasury.next())!.end([])
  assert.deepEqual(kept, [{ type: 'KeepNote', name: 'treasury/reports', text: 'c-2' }])
})

test('a fault that the other side makes long is told with its beginning', () => {
  const cause = new Error(`it is not among ${'DNS:example.org, '.repeat(10_000)}`)
  const fault = faultOf(new TypeError('fetch failed', { cause }))
  assert.match(fault, /^fetch failed: it is not among DNS:example.org, .*…$/)
  assert.equal(fault.length, 300)
})
