import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from './client.ts'

const url = 'http://127.0.0.1:1'

test('an unknown option is rejected by name, and every other is accepted', () => {
  const misspelt = { url, expiry_window: 5_000 }
  assert.throws(() => new Client(misspelt), {
    name: 'TypeError',
    message: /^Client has no option expiry_window; it knows url, signer, .*expiryWindow/,
  })
  const client = new Client({ url, timeoutMs: 5, venue: null, now: undefined })
  const stream: object = { pingMS: 5 }
  assert.throws(() => client.stream(stream), /^TypeError: stream has no option pingMS; it knows/)
})
