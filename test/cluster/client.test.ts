// One client, two nodes: the leader is killed while the client trades and listens. The client
// continues with the other node, and every order reported to it exists exactly once.

import assert from 'node:assert/strict'
import { Client, type Frame, type Gap, type Handlers, type Key } from '../../src/client/index.ts'
import { until } from '../support/http/held-sockets.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { CutWire } from '../support/running/cut-wire.ts'
import { alice, bob, ExchangeNode } from '../support/running/exchange-node.ts'
import { asReader, tradesFor } from '../support/running/link-flags.ts'

const databases = sharedDatabases()
const root = sharedFolder('client')

const limit = { symbol: 'BTC', amount: '0.01', tif: 'GTC', reduce_only: false } as const

/** Trades with itself through two accounts: the reports of each side, in this order. */
class Desk {
  readonly sold: number[] = []
  readonly bought: number[] = []
  readonly seller: Client
  readonly buyer: Client

  constructor(url: readonly string[]) {
    const of = (signer: Key) => new Client({ url, signer, timeoutMs: 60_000, tryMs: 5_000 })
    this.seller = of(alice)
    this.buyer = of(bob)
  }

  async trade(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const ask = await this.seller.createOrder({ ...limit, side: 'ask', price: '100000' })
      this.sold.push(ask.order_id)
      const bid = await this.buyer.createOrder({ ...limit, side: 'bid', price: '100000' })
      this.bought.push(bid.order_id)
    }
  }
}

test('the leader is killed: the same client continues, and knows its orders', async () => {
  const url = await databases.empty()
  const [one, two] = [new ExchangeNode('one', root), new ExchangeNode('two', root)]
  one.start(url)
  await one.leads()
  await one.prepare()
  two.start(url)
  await two.follows(one)
  const wires = [await wireTo(one), await CutWire.to(two.standbyPort())] as const
  const desk = new Desk(wires.map((wire) => wire.url))
  const stream = desk.buyer.stream({ backoffMs: { first: 20, most: 200 } })
  const fills: number[] = []
  const gaps: Gap[] = []
  const handlers = {
    frame: ({ data }: Frame<'account_trades'>) => fills.push(...data.map(({ i }) => i!)),
    gap: (gap: Gap) => gaps.push(gap),
  }
  await stream.subscribe('account_trades', {}, handlers).ready
  await desk.trade(3)
  await until(() => fills.length === 3)

  // The order is stored, and its reply is on the way when the leader is killed.
  wires[0].mute()
  const trading = desk.trade(5)
  await until(async () => (await one.openOrders(alice)) === 1)
  assert.equal(desk.sold.length, 3)
  one.process.kill('SIGKILL')
  await one.process.ended
  await databases.primary.query(`UPDATE ${databases.schema}.openperp_lead SET lease_ms = 100`)
  await two.leads()
  const { port } = await two.process.ready
  wires[1].lead(port)
  await trading

  await stream.subscribe('orders', {}, () => undefined).ready
  await desk.trade(1)
  await until(() => fills.at(-1) === desk.bought.at(-1))
  stream.close()
  await allThere(desk)
  assert.equal(new Set(fills).size, fills.length, 'no fill is reported twice')
  assert.ok(gaps.length > 0 || fills.length === desk.bought.length, 'gaps are reported')
  const [seller] = await desk.seller.getPositions()
  assert.deepEqual([seller!.side, seller!.amount], ['ask', '0.09'])
  assert.equal(await two.position(bob), 0.09)
  for (const wire of wires) wire.close()
  two.process.kill('SIGKILL')
})

const linked = tradesFor('left', 'right')

test('a reader is killed: at the next one the stream misses nothing', async () => {
  const url = await databases.empty()
  const [lead, left, right] = ['lead', 'left', 'right'].map((name) => new ExchangeNode(name, root))
  lead!.start(url, undefined, linked)
  await lead!.leads()
  await lead!.prepare()
  const readers = [left!, right!]
  for (const reader of readers) reader.start(url, undefined, asReader)
  const ports = await Promise.all(readers.map(async ({ process }) => (await process.ready).port))
  const desk = new Desk(ports.map((port) => `http://127.0.0.1:${port}`))
  await desk.trade(1)
  const stream = desk.buyer.stream({ backoffMs: { first: 200, most: 400 } })
  const received: Record<string, number[]> = { account_trades: [], account_order_updates: [] }
  const gaps: Gap[] = []
  const lists: boolean[] = []
  const handlers = {
    frame: ({ source, data }: Frame<'account_trades' | 'account_order_updates'>) =>
      received[source]!.push(...data.map(({ i }) => i!)),
    gap: (gap: Gap) => gaps.push(gap),
  }
  stream.subscribe('account_trades', {}, handlers as Handlers<'account_trades'>)
  stream.subscribe('account_order_updates', {}, handlers as Handlers<'account_order_updates'>)
  await stream.subscribe('orders', {}, ({ begins }) => lists.push(begins)).ready
  await desk.trade(2)
  left!.process.kill('SIGKILL')
  await desk.trade(3)
  const bought = desk.bought.slice(1)
  await until(() => received.account_trades!.length >= bought.length)
  await until(() => new Set(received.account_order_updates).size >= bought.length)
  await desk.trade(1)
  await until(() => received.account_trades!.at(-1) === desk.bought.at(-1))
  stream.close()
  assert.deepEqual(received.account_trades, desk.bought.slice(1))
  assert.deepEqual([...new Set(received.account_order_updates)], desk.bought.slice(1))
  assert.deepEqual(gaps, [])
  assert.deepEqual(lists, [true, ...lists.slice(1).map(() => false)])
  await allThere(desk)
  for (const node of [lead!, right!]) node.process.kill('SIGKILL')
})

async function wireTo(node: ExchangeNode): Promise<CutWire> {
  const { port } = await node.process.ready
  return CutWire.to(port)
}

/** Every reported order exists, and no other. */
async function allThere({ seller, buyer, sold, bought }: Desk): Promise<void> {
  for (const [client, orders] of [
    [seller, sold],
    [buyer, bought],
  ] as const) {
    const { rows } = await client.getOrderHistory({ limit: 100 })
    assert.deepEqual(rows.map(({ order_id }) => order_id).toReversed(), orders)
    assert.ok(rows.every(({ order_status }) => order_status === 'filled'))
  }
}
