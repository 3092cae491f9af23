// A client that compares `prev` notices each frame that it does not receive, over real sockets:
// frames lost on the way, and frames that the exchange leaves out for a slow client.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/http/held-sockets.ts'
import { AlteredSockets } from '../support/streams/altered-socket.ts'
import { keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { type Frame, StreamClient } from '../support/streams/stream-client.ts'

const exchange = await LiveExchange.start()
after(() => exchange.close())
const [alice, bob] = [keyNamed(1), keyNamed(2)]
await exchange.client().sandboxSetClock({ freeze: true })
await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
for (const key of [alice, bob]) await exchange.fund(key)
const resting = { symbol: 'BTC', amount: '0.01', reduce_only: false, tif: 'ALO' } as const
const quote = { ...resting, side: 'bid', price: '90000' } as const
const dropsWanted = 1_000

test('the typed client notices each of 1,000 dropped frames', async () => {
  const client = exchange.client(alice)
  const sockets = new AlteredSockets()
  const stream = client.stream({ openSocket: sockets.open })
  const seen: string[] = []
  const expected: string[] = []
  const subscription = stream.subscribe(
    'account_order_updates',
    {},
    {
      frame: ({ li }) => seen.push(`${li}`),
      gap: ({ reason }) => seen.push(reason),
    },
  )
  await subscription.ready
  let drops = 0
  let isAfterDrop = false
  sockets.alter = (message) => {
    if (message.channel !== 'account_order_updates') return message
    // Not in a row: each is to be noticed by itself. Every third is kept, so that frames behind
    // one that was not dropped are seen to be complete.
    if (!isAfterDrop && Number(message.li) % 3 > 0 && drops < dropsWanted) {
      drops += 1
      isAfterDrop = true
      return null
    }
    expected.push(...(isAfterDrop ? ['sequence'] : []), `${message.li}`)
    isAfterDrop = false
    return message
  }
  while (drops < dropsWanted || isAfterDrop)
    await Promise.all(Array.from({ length: 20 }, () => client.createOrder(quote))).then(() =>
      client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false }),
    )
  await until(() => !isAfterDrop && seen.length === expected.length)
  assert.deepEqual(seen, expected)
  assert.equal(seen.filter((each) => each === 'sequence').length, dropsWanted)
  stream.close()
})

/** Trades of one lot, each in a batch by itself. */
async function trade(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await exchange.client(alice).createOrder({ ...resting, side: 'ask', price: '100000' })
    const taker = { ...resting, side: 'bid', price: '100000', tif: 'IOC' } as const
    await exchange.client(bob).createOrder(taker)
  }
}

/** Trades while a client does not read, and was sent more than its socket holds. Afterwards the
 *  system gives a connection more room, so that each attempt needs a new one. */
async function slowClient() {
  const client = await StreamClient.open(exchange.wsUrl)
  const { li: subscribedAt } = await client.subscribe('trades', { symbol: 'BTC' })
  client.ws.pause()
  const list = { source: 'account_orders', account: alice.address }
  for (let n = 0; n < 300; n++) client.send({ method: 'subscribe', params: list })
  await trade(tradesEach)
  client.ws.resume()
  await client.settle()
  return { client, subscribedAt }
}

const tradesEach = 20
const skippedIn = ({ skipped = 0 }: Frame) => Number(skipped)

test('the frame after skipped ones has prev null, and those behind it follow it', async () => {
  for (let n = 0; n < 100; n++) await exchange.client(alice).createOrder(quote)
  let attempt = await slowClient()
  for (
    let tries = 1;
    attempt.client.of('trades').every((frame) => skippedIn(frame) === 0);
    tries++
  ) {
    assert.ok(tries < 40, 'no frame was left out')
    await attempt.client.close()
    attempt = await slowClient()
  }
  const { client, subscribedAt } = attempt
  await trade(3)
  await client.settle()
  const frames = client.of('trades')
  const places = [subscribedAt, ...frames.map(({ li }) => li)]
  for (const [at, frame] of frames.entries())
    assert.equal(frame.prev, skippedIn(frame) > 0 ? null : places[at], `frame ${at}`)
  const received = frames.flatMap(({ data }) => data as unknown[]).length
  const leftOut = frames.reduce((sum, frame) => sum + skippedIn(frame), 0)
  assert.deepEqual([received + leftOut, leftOut > 0], [tradesEach + 3, true])
  await client.close()
})
