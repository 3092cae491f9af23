// Faults of streams, as the typed client notices them: gap handlers, and a book that is repaired.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExchange } from '../../src/embed/embed.ts'

const updates = 'account_order_updates'
const headers = { 'content-type': 'application/json' }

/** A stream of alice with her orders and the book, and what the client noticed. */
async function watching() {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', verify: false })
  const alice = exchange.trader('alice')
  await exchange.listen(0)
  const client = await exchange.client('alice')
  await client.checkVenue()
  const stream = client.stream()
  const [believed, gaps, downs] = [new Set<string>(), [] as string[], [] as string[]]
  const orders = stream.subscribe(
    updates,
    {},
    {
      frame: ({ data }) => {
        for (const { i } of data) believed.add(`order ${i}`)
      },
      gap: ({ reason }) => gaps.push(`${updates} ${reason}`),
      down: () => downs.push(updates),
    },
  )
  const book = stream.book('BTC', { gap: ({ reason }) => gaps.push(`book_delta ${reason}`) })
  await orders.ready
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise((done) => setTimeout(done, 2))
  }
  const place = async (price: string) => {
    alice.place({ symbol: 'BTC', side: 'bid', price, amount: '0.01' })
    await exchange.fetch('/api/v1/sandbox/settle', { method: 'POST', headers, body: '{}' })
  }
  const open = () =>
    exchange
      .faultReport()
      .differences.flatMap(({ subject, until: end }) => (end === null ? subject : []))
  const levels = async () => {
    const reply = await exchange.fetch('/api/v1/book?symbol=BTC')
    const { data } = (await reply.json()) as { data: { l: unknown } }
    return data.l
  }
  await until(() => book.isWhole)
  await place('90000')
  await until(() => believed.size === 1 && book.bids.length === 1)
  return {
    ...{ exchange, alice, client, stream, book, believed, gaps, downs },
    ...{ until, place, open, levels },
  }
}

for (const [fault, channel, notices, named] of [
  ['ws_gap', updates, [`${updates} sequence`], ['order 2']],
  ['ws_gap', 'book_delta', ['book_delta sequence'], ['book_delta BTC']],
  ['bad_checksum', 'book_delta', ['book_delta checksum'], ['book_delta BTC']],
  ['duplicate', updates, [`${updates} sequence`], []],
  ['duplicate', 'book_delta', ['book_delta sequence'], []],
  ['ws_drop', updates, [], ['order 2']],
  ['ws_drop', 'book_delta', [], ['book_delta BTC']],
] as const)
  test(`${fault} of ${channel}: the client notices, the report names it`, async () => {
    const { exchange, alice, client, ...watched } = await watching()
    const { stream, book, believed, gaps, downs, until, place, open, levels } = watched
    exchange.faults({ rules: [{ fault, channel, for: '1s' }] })
    await place('90001')
    await until(() => exchange.faultReport().count > 0)
    await exchange.elapse('2s')
    await place('90002')
    await until(() => believed.has('order 3') && book.isWhole && book.bids.length === 3)
    assert.deepEqual([[...book.bids], [...book.asks]], await levels())
    assert.deepEqual(
      [...new Set(gaps)].filter((gap) => !gap.endsWith('reconnected')),
      notices,
    )
    assert.equal(downs.length > 0, fault === 'ws_drop')
    const missing = alice.orders().map(({ order_id }) => `order ${order_id}`)
    assert.deepEqual(open().sort(), missing.filter((order) => !believed.has(order)).sort())
    const subjects = exchange.faultReport().differences.map(({ subject }) => subject)
    assert.deepEqual([...new Set(subjects)], named)
    await client.getOpenOrders()
    assert.deepEqual(open(), [])
    stream.close()
    await exchange.close()
  })
