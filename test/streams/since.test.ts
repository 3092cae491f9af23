// `account_trades` with `since`: the fills since a time, then those that happen from now on.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/http/held-sockets.ts'
import { AlteredSockets } from '../support/streams/altered-socket.ts'
import { keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { type Frame, StreamClient } from '../support/streams/stream-client.ts'

const exchange = await LiveExchange.start()
after(() => exchange.close())
const [alice, bob] = [keyNamed(1), keyNamed(2)]
const account = alice.address
const sandbox = exchange.client()
await sandbox.sandboxSetClock({ freeze: true })
await sandbox.sandboxSetOracle({ symbol: 'BTC', price: '100000' })
for (const key of [alice, bob]) await exchange.fund(key)

/** Alice's fills, one a batch, with a second of engine time before each. Returns the times. */
async function fill(times: number): Promise<number[]> {
  const order = { symbol: 'BTC', amount: '0.01', price: '100000', reduce_only: false } as const
  const moments: number[] = []
  for (let n = 0; n < times; n++) {
    await sandbox.sandboxSetClock({ advance_ms: 1_000 })
    const side = n % 2 === 0 ? 'bid' : 'ask'
    await exchange.client(alice).createOrder({ ...order, side, tif: 'ALO' })
    const other = side === 'bid' ? 'ask' : 'bid'
    await exchange.client(bob).createOrder({ ...order, side: other, tif: 'IOC' })
    moments.push(Number((await sandbox.getTime()).engine_now))
  }
  return moments
}

const rowsOf = (frames: readonly Frame[]) => frames.flatMap(({ data }) => data as { t: number }[])
const timesOf = (frames: readonly Frame[]) => rowsOf(frames).map(({ t }) => t)

test('a subscription begins with the fills since a time, connected then or not', async () => {
  const moments = await fill(5)
  const client = await StreamClient.open(exchange.wsUrl)
  const { data } = await client.subscribe('account_trades', { account, since: moments[2] })
  assert.equal((data as { resumed: boolean }).resumed, true)
  const later = await fill(2)
  await until(() => client.of('account_trades').length === 5)
  const frames = client.of('account_trades')
  assert.deepEqual(timesOf(frames), [...moments.slice(2), ...later])
  const places = [null, ...frames.map(({ li }) => li)]
  assert.deepEqual(
    frames.map(({ prev }) => prev),
    places.slice(0, -1),
  )
  // Facts that memory has are held to the time, too.
  const second = await StreamClient.open(exchange.wsUrl)
  await second.subscribe('userTrades', { account, since: later[1] })
  await until(() => second.of('userTrades').length === 1)
  assert.deepEqual(timesOf(second.of('userTrades')), [later[1]])
  const future = await StreamClient.open(exchange.wsUrl)
  await future.subscribe('account_trades', { account, since: later[1]! + 1 })
  await future.settle()
  assert.deepEqual(future.of('account_trades'), [])
  for (const each of [client, second, future]) await each.close()
})

test('after a revert since begins with the fills that still stand', async () => {
  const [kept] = await fill(1)
  const { id } = await sandbox.sandboxSnapshot()
  await fill(1)
  await sandbox.sandboxRevert({ id })
  const client = await StreamClient.open(exchange.wsUrl)
  const { data } = await client.subscribe('account_trades', { account, since: kept })
  assert.equal((data as { resumed: boolean }).resumed, true)
  await until(() => client.of('account_trades').length === 1)
  await client.settle()
  assert.deepEqual(timesOf(client.of('account_trades')), [kept])
  await client.close()
})

test('resumed is false if there are more than 2,000 fills, and none of them is sent', async () => {
  const { exchange: inside } = exchange.running
  const [maker, taker] = [alice, bob].map(({ address }) => inside.view.accounts.idOf(address))
  const common = { type: 'PlaceOrder', proof: null, market: inside.view.symbols.get('BTC')! }
  const rest = { reduceOnly: false, clientOrderId: null, takeProfit: null, stopLoss: null }
  const place = (order: object) => inside.submit({ ...common, ...rest, ...order } as never)
  const since = Number((await sandbox.getTime()).engine_now) + 1
  await sandbox.sandboxSetClock({ advance_ms: 1 })
  const size = { price: 100_000, size: 100, tif: 'GTC' }
  const pairs = Array.from({ length: 2_001 }, (_, n) => {
    const [side, other] = n % 2 === 0 ? ['bid', 'ask'] : ['ask', 'bid']
    return [
      place({ ...size, account: maker, side }),
      place({ ...size, account: taker, side: other }),
    ]
  })
  await Promise.all(pairs.flat())
  const client = await StreamClient.open(exchange.wsUrl)
  const { data } = await client.subscribe('account_trades', { account, since })
  assert.equal((data as { resumed: boolean }).resumed, false)
  await client.settle()
  assert.deepEqual(client.of('account_trades'), [])
  await client.close()
})

test('the typed client begins with since, and continues from the last frame', async () => {
  const moments = await fill(3)
  const sockets = new AlteredSockets()
  const stream = exchange.client(alice).stream({ openSocket: sockets.open })
  const times: number[] = []
  const gaps: string[] = []
  await stream.subscribe(
    'account_trades',
    { since: moments[1]! },
    {
      frame: ({ data }) => times.push(...data.map(({ t }) => t)),
      gap: ({ reason }) => gaps.push(reason),
    },
  ).ready
  await until(() => times.length === 2)
  sockets.cut()
  const later = await fill(1)
  await until(() => times.length === 3)
  assert.deepEqual([times, gaps], [[...moments.slice(1), ...later], []])
  stream.close()
})

test('since is refused where it is not a time, and next to resume_from', async () => {
  const client = await StreamClient.open(exchange.wsUrl)
  const refused = async (source: string, params: object, words: RegExp) => {
    const { data, channel } = await client.subscribe(source, { account, ...params })
    assert.equal(channel, 'error')
    assert.match((data as { error: string }).error, words)
  }
  const sources =
    /since must be a time in milliseconds, and is for user_trade_history, userTrades, acc/
  for (const since of ['2026-01-01', -1]) await refused('account_trades', { since }, sources)
  await refused('account_orders', { since: 1 }, sources)
  await refused('account_trades', { since: 1, resume_from: 1 }, /must not have both/)
  await client.close()
})
