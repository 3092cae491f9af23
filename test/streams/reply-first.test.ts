// The reply to a request is handed to its socket before the frames of the account that it concerns.
// What counts is the order of writes in the server: two sockets promise nothing to one another.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/http/held-sockets.ts'
import { keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'
import { WriteLog } from '../support/streams/write-log.ts'

const exchange = await LiveExchange.start()
after(() => exchange.close())
const alice = keyNamed(1)
await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
await exchange.fund(alice)
const bob = keyNamed(2)
await exchange.fund(bob)
const rounds = 50
const perRound = 20
const everything = { all_symbols: true, exclude_reduce_only: false }
const size = { symbol: 'BTC', amount: '0.01', reduce_only: false }
const quote = { ...size, side: 'bid', price: '90000' } as const

await exchange.client(bob).createOrder({ ...quote, price: '99000', tif: 'ALO' })

/** Two that take turns, so that some requests of a batch are answered behind others. */
const orders = [
  { ...quote, tif: 'ALO' },
  // Refused with an order id: clients know it by that id.
  { ...quote, side: 'ask', price: '98000', tif: 'ALO' },
] as const

test('over HTTP the reply is first, in every one of a thousand', async () => {
  const stream = await StreamClient.open(exchange.wsUrl)
  await stream.subscribe('account_order_updates', { account: alice.address })
  const log = WriteLog.begin()
  try {
    for (let round = 0; round < rounds; round++) {
      const wanted = Array.from({ length: perRound }, (_, at) => orders[at % 2]!)
      const placed = await Promise.all(
        wanted.map((order) => exchange.client(alice).createOrder(order)),
      )
      assert.equal(placed[1]!.order_status, 'rejected')
      await exchange.client(alice).cancelAllOrders(everything)
      await stream.settle()
    }
  } finally {
    log.end()
  }
  const { replies, late } = log.ordersBeforeReplies()
  assert.deepEqual([replies, late], [rounds * perRound, []])
  await stream.close()
})

test('over the websocket too, on the connection of the request and on others', async () => {
  const [own, other] = [
    await StreamClient.open(exchange.wsUrl),
    await StreamClient.open(exchange.wsUrl),
  ]
  for (const each of [own, other])
    await each.subscribe('account_order_updates', { account: alice.address })
  const seen: string[] = []
  for (let n = 0; n < 100; n++) {
    const body = await exchange.signed(alice, 'create_order', orders[n % 2]!)
    const from = own.frames.length
    const reply = own.next(({ id }) => id === `r${n}`)
    own.send({ id: `r${n}`, params: { create_order: body } })
    const { i } = (await reply).data as { i: number }
    const isOfOrder = ({ channel, data }: (typeof own.frames)[number]) =>
      channel === 'account_order_updates' && JSON.stringify(data).includes(`"i":${i},`)
    await until(() => own.frames.slice(from).some(isOfOrder))
    const at = own.frames.slice(from)
    const first = at.findIndex(isOfOrder)
    const replied = at.findIndex(({ id }) => id === `r${n}`)
    if (!(replied >= 0 && first > replied)) seen.push(`order ${i}: ${replied}, ${first}`)
  }
  assert.deepEqual(seen, [])
  await own.close()
  await other.close()
})
