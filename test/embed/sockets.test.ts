// The embedded exchange behind a port, for clients that need a socket: the same exchange with its
// streams, and a close that leaves nothing behind.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { createExchange } from '../../src/embed/embed.ts'

type Frame = Readonly<{ channel: string; data: unknown }>

/** Frames of a channel, in order. */
function follow(url: string, params: object) {
  const socket = new WebSocket(url)
  const frames: Frame[] = []
  let wake = () => {}
  socket.on('open', () => socket.send(JSON.stringify({ method: 'subscribe', params })))
  socket.on('message', (bytes: Buffer) => {
    frames.push(JSON.parse(bytes.toString()) as Frame)
    wake()
  })
  const until = async (wanted: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const found = frames.find(wanted)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { socket, until }
}

test('in-process events are published over the websocket, a revert too', async () => {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', verify: false })
  const alice = exchange.trader('alice')
  assert.ok(alice.place({ symbol: 'BTC', side: 'ask', price: '105000', amount: '0.3' }).ok)
  exchange.trader('bob').place({ symbol: 'BTC', side: 'bid', price: '105000', amount: '0.1' })
  const { url, wsUrl, close } = await exchange.listen(0)
  const trades = follow(wsUrl, { source: 'trades', symbol: 'BTC' })
  await trades.until(({ channel }) => channel === 'subscribe')
  const id = exchange.snapshot()
  exchange.trader('bob').place({ symbol: 'BTC', side: 'bid', price: '105000', amount: '0.17' })
  const isMine = ({ channel, data }: Frame) =>
    channel === 'trades' && JSON.stringify(data).includes('"0.17"')
  await trades.until(isMine)
  exchange.revert(id)
  await trades.until(({ channel }) => channel === 'reverted')
  const served = await (await fetch(`${url}/api/v1/positions?account=${alice.address}`)).json()
  const direct = await exchange.fetch(`/api/v1/positions?account=${alice.address}`)
  assert.deepEqual(served, await direct.json())
  const ended = new Promise((resolve) => trades.socket.on('close', resolve))
  await close()
  await ended
  await assert.rejects(fetch(url))
  assert.ok(alice.cancelAll().ok, 'the exchange continues without its port')
  await exchange.close()
  await assert.rejects(exchange.listen(0), /closed/)
})

test('the typed client of a named account streams over the open port', async () => {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', verify: false })
  const client = await exchange.client('alice')
  assert.throws(() => client.stream(), /await exchange.listen\(\) first/)
  await exchange.listen()
  const stream = client.stream()
  const orders = stream.follow('account_orders', {})
  const first = await orders.next()
  assert.deepEqual(first.value?.data, [])
  await client.createOrder({
    ...{ symbol: 'BTC', side: 'bid', price: '90000', amount: '0.1' },
    ...{ tif: 'GTC', reduce_only: false },
  })
  assert.equal((await orders.next()).done, false)
  stream.close()
  await exchange.close()
})

const entry = JSON.stringify(new URL('../../src/embed/embed.js', import.meta.url).href)
const everything = `
  import { createExchange } from ${entry}
  const exchanges = [createExchange(), createExchange()]
  for (const exchange of exchanges) {
    const client = await exchange.client('alice')
    await client.createOrder({ symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01',
      tif: 'GTC', reduce_only: false })
    await client.getOrderHistory()
    await exchange.fetch('/health')
    const { url } = await exchange.listen(0)
    await (await fetch(url + '/api/v1/info')).text()
    exchange.advance('1m')
  }
  for (const exchange of exchanges) await exchange.close()
  createExchange().trader('bob')
  console.log('done')
`

test('after close nothing keeps the process running, nor without any use of a port', () => {
  const args = ['--input-type=module', '-e', everything]
  const { status, stdout, stderr, signal } = spawnSync(process.execPath, args, { timeout: 120_000 })
  assert.equal(stdout.toString(), 'done\n', stderr.toString())
  assert.deepEqual([status, signal], [0, null])
})
