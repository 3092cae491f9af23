// What a caller passes in: a signal that aborts a request, and handlers of a stream.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Client, newKey, type StreamOptions } from '../../src/client/index.ts'

// Never answers; it only counts connections.
const unanswering = createServer(() => undefined)
await new Promise<void>((done) => unanswering.listen(0, '127.0.0.1', done))
const url = `http://127.0.0.1:${(unanswering.address() as AddressInfo).port}`
after(() => {
  unanswering.closeAllConnections()
  unanswering.close()
})

const order = { symbol: 'BTC', side: 'bid', price: '1', amount: '1', tif: 'GTC' } as const
const stops = { message: 'enough' }

for (const [what, address] of [
  ['one address', url],
  ['several addresses', [url, `${url}/`]],
] as const)
  test(`a signal ends a request to ${what}, and the call rejects with its reason`, async () => {
    const client = new Client({ url: address, signer: newKey(), venue: null, signReads: false })
    const calls = [
      (signal: AbortSignal) => client.getInfo({}, { signal }),
      (signal: AbortSignal) => client.createOrder({ ...order, reduce_only: false }, { signal }),
      (signal: AbortSignal) => client.call('get_time', {}, { signal }),
      (signal: AbortSignal) => client.table('get_trade_history', {}, { signal }),
      (signal: AbortSignal) => client.rows('get_trade_history', {}, { signal }).next(),
    ]
    for (const call of calls) {
      const stop = new AbortController()
      const pending = call(stop.signal)
      const ended = assert.rejects(pending, stops)
      await new Promise((next) => setImmediate(next))
      stop.abort(new Error('enough'))
      await ended
      // An aborted one sends nothing.
      await assert.rejects(call(stop.signal), stops)
    }
  })

test('an invalid signal is rejected', async () => {
  const client = new Client({ url })
  await assert.rejects(client.getInfo({}, { signal: 5 as never }), /signal must be an AbortSignal/)
})

test('a signal ends the wait for a reply over the websocket', async () => {
  const client = new Client({ url, signer: newKey(), venue: null, signReads: false })
  const stream = client.stream()
  const signal = AbortSignal.abort(new Error('enough'))
  const fields = { ...order, reduce_only: false }
  await assert.rejects(stream.call('create_order', fields, { signal }), stops)
  stream.close()
})

test('handlers are checked when they are passed', () => {
  const options: StreamOptions = { backoffMs: { first: 1_000, most: 1_000 } }
  const stream = new Client({ url, account: newKey().address }).stream(options)
  const frame = () => undefined
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /handlers must be a function, or an object with some of frame, gap, down/],
    [null, /handlers must be a function/],
    ['frame', /handlers must be a function/],
    [{}, /the handler frame must be a function/],
    [{ frame: 1 }, /the handler frame must be a function/],
    [{ frame, gap: 'no' }, /the handler gap must be a function/],
    [{ frame, onGap: frame }, /onGap is not a handler; there are frame, gap, down, refused/],
  ]
  for (const [handlers, says] of wrong) {
    const subscribe = () => stream.subscribe('prices', {}, handlers as never)
    assert.throws(
      subscribe,
      (error: Error) => error instanceof TypeError && says.test(error.message),
    )
  }
  assert.throws(() => stream.book('BTC', { change: frame } as never), /change is not a handler/)
  assert.throws(() => stream.book('BTC', 5 as never), /handlers must be a function/)
  // The rejected calls have left nothing behind.
  stream.subscribe('prices', {}, frame).close()
  stream.book('BTC', {}).close()
  stream.close()
})
