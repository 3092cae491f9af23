// An array that is transferred to another thread is detached here, and from then on V8 looks at
// every typed array of the thread for whether it still is there: the core ran a fifth slower. So
// nothing in a running exchange detaches an array, in any of its threads.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { StartedExchange } from '../../bench/http/started-exchange.ts'
import { Client, newKey } from '../../src/client/index.ts'

const trace = '--trace-protector-invalidation'
const detached = /protector cell ArrayBufferDetaching/

class TracedExchange extends StartedExchange {
  constructor() {
    super('traced')
  }

  start(): Promise<void> {
    return this.run({ flags: ['--rate-limit', 'off'], nodeFlags: [trace] })
  }
}

const exchange = new TracedExchange()
after(() => exchange.stop())

test('the engine reports the first detached array', () => {
  const program = 'const b = new ArrayBuffer(8); structuredClone(b, { transfer: [b] })'
  const { stdout } = spawnSync(process.execPath, [trace, '-e', program], { encoding: 'utf8' })
  assert.match(stdout, detached)
})

test('a running exchange detaches none: orders, reads of history, streams, snapshots', async () => {
  await exchange.start()
  const url = `http://127.0.0.1:${exchange.port}`
  const [buyer, seller] = [newKey(), newKey()].map((signer) => new Client({ url, signer }))
  const stream = buyer!.stream()
  const heard = stream.follow('trades', { symbol: 'BTC' })[Symbol.asyncIterator]().next()
  for (const client of [buyer!, seller!]) await client.sandboxFaucet({ amount: '100000' })
  const prices = await buyer!.getPrices()
  const price = `${Math.round(Number(prices.find(({ symbol }) => symbol === 'BTC')!.mark))}`
  const order = { symbol: 'BTC', price, amount: '0.001', tif: 'GTC', reduce_only: false } as const
  let ended = false
  const done = heard.then(() => {
    ended = true
  })
  // Until the stream reports one: it may have begun to listen after the first.
  while (!ended) {
    await seller!.createOrder({ ...order, side: 'ask' })
    await buyer!.createOrder({ ...order, side: 'bid' })
  }
  await done
  await buyer!.sandboxSnapshot({})
  assert.ok((await buyer!.getTradeHistory({})).rows.length > 0)
  stream.close()
  await exchange.stop()
  assert.doesNotMatch(exchange.output, detached)
})
