import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Client } from '../../../client/client.ts'
import { explanationOf } from './explanation.ts'

const explanation = { title: 'Order 1 on BTC', facts: {}, happened: [], steps: [], pending: [] }

test('an explanation that takes longer than a request waits is requested again', async (t) => {
  const waiting: ServerResponse[] = []
  const server = createServer((_, response) => {
    waiting.push(response)
    if (waiting.length > 2) response.end(JSON.stringify({ success: true, data: explanation }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = new Client({ url, account: 'A', timeoutMs: 200 })
  const { signal } = new AbortController()
  let late = 0
  const onLate = () => {
    late += 1
  }
  const found = await explanationOf(client, { about: 'order', id: 1 }, { signal, onLate })
  assert.deepEqual(found, explanation)
  assert.ok(late >= 2)
})

test('a closed dialog requests no more', async () => {
  const ending = new AbortController()
  const fetch = () => Promise.reject(new Error('it was requested'))
  const client = new Client({ url: 'http://127.0.0.1:1', account: 'A', fetch })
  ending.abort(new Error('closed'))
  const waiting = { signal: ending.signal, onLate: () => assert.fail('it goes on') }
  const ended = explanationOf(client, { about: 'position', symbol: 'BTC' }, waiting)
  await assert.rejects(ended, { message: 'closed' })
})
