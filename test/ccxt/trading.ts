// Orders of every kind through ccxt: its view of them compared with our own reads.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { BadRequest, NotSupported, type Order } from 'ccxt'
import { BTC, ETH, num, picked, type Rest } from '../support/ccxt/ccxt-desk.ts'
import { desk } from '../support/ccxt/shared-desk.ts'
import type { Row } from '../support/http/api-client.ts'

const sideOf = (side: unknown) => (side === 'bid' ? 'buy' : 'sell')
const statusOf: Readonly<Record<string, string>> = {
  open: 'open',
  partially_filled: 'open',
  filled: 'closed',
  cancelled: 'canceled',
  rejected: 'failed',
}

/** An order as ccxt has it, and the row of `/orders/history` it was made of. */
function requireSame(order: Order, row: Row): void {
  const { order_id, client_order_id, stop_price, average_filled_price } = row
  assert.deepEqual([order.id, order.symbol], [String(order_id), `${row.symbol}/USDC:USDC`])
  assert.equal(order.clientOrderId ?? null, client_order_id)
  assert.deepEqual(
    [order.side, order.status],
    [sideOf(row.side), statusOf[String(row.order_status)]],
  )
  assert.deepEqual([order.amount, order.filled], [num(row.amount), num(row.filled_amount)])
  assert.equal(order.remaining, num(row.amount) - num(row.filled_amount))
  assert.equal(order.reduceOnly, row.reduce_only)
  assert.equal(order.triggerPrice, stop_price === null ? undefined : num(stop_price))
  if (average_filled_price !== null) assert.equal(order.average, num(average_filled_price))
  if (num(row.price) > 0) assert.equal(order.price, num(row.price))
}

/** Both views of every order of an account, compared. */
async function requireAgreement(trader: Rest): Promise<Map<string, Order>> {
  const account = trader.walletAddress
  const rows = await desk.read<Row[]>('/orders/history', { account })
  const orders = new Map((await trader.fetchOrders()).map((order) => [order.id!, order]))
  assert.equal(orders.size, rows.length)
  for (const row of rows) requireSame(orders.get(String(row.order_id))!, row)
  const open = await desk.read<Row[]>('/orders', { account })
  const shown = await trader.fetchOpenOrders()
  assert.deepEqual(
    new Set(shown.map(({ id }) => id)),
    new Set(open.map(({ order_id }) => String(order_id))),
  )
  return orders
}

test('limit, post-only, IOC and market orders fill, rest and end as expected', async () => {
  const [alice, bob] = [await desk.trader(), await desk.trader()]
  const clientOrderId = randomUUID()
  const ask = await alice.createOrder(BTC, 'limit', 'sell', 0.1, 100_100, { clientOrderId })
  assert.deepEqual(picked(ask, 'status', 'symbol'), { status: 'open', symbol: BTC })
  const second = await alice.createLimitOrder(BTC, 'sell', 0.1, 100_200)
  await desk.advance(10)

  const crossing = await bob.createOrder(BTC, 'limit', 'buy', 0.01, 100_100, {
    timeInForce: 'PO',
  })
  assert.equal((await bob.fetchOrder(crossing.id!, BTC)).status, 'failed')
  const resting = await bob.createOrder(BTC, 'limit', 'buy', 0.01, 99_900, { timeInForce: 'PO' })
  const top = await bob.createOrder(BTC, 'limit', 'buy', 0.01, 100_150, { timeInForce: 'TOB' })
  assert.equal((await bob.fetchOrder(top.id!, BTC)).price, 100_099)

  const bought = await bob.createMarketOrder(BTC, 'buy', 0.15)
  const filled = await bob.fetchOrder(bought.id!)
  assert.deepEqual([filled.status, filled.filled, filled.type], ['closed', 0.15, 'market'])
  const average = (0.1 * 100_100 + 0.05 * 100_200) / 0.15
  assert.ok(Math.abs(filled.average! - average) < 1e-6, String(filled.average))
  assert.ok(Math.abs(filled.cost! - average * 0.15) < 1e-6, String(filled.cost))
  assert.equal((await alice.fetchOrder(ask.id!, BTC)).clientOrderId, clientOrderId)
  const part = await alice.fetchOrder(second.id!)
  assert.deepEqual([part.status, part.filled, part.remaining], ['open', 0.05, 0.05])

  const missed = await bob.createOrder(BTC, 'limit', 'buy', 0.01, 100_150, { timeInForce: 'IOC' })
  assert.equal((await bob.fetchOrder(missed.id!)).status, 'canceled')
  const hit = await bob.createOrder(BTC, 'limit', 'buy', 0.01, 100_300, { timeInForce: 'IOC' })
  assert.equal((await bob.fetchOrder(hit.id!)).average, 100_200)
  const wide = await bob.createOrder(BTC, 'market', 'buy', 0.01, undefined, { slippage: '2.5' })
  assert.equal((await bob.fetchOrder(wide.id!)).status, 'closed')

  const orders = await requireAgreement(bob)
  assert.equal(orders.get(resting.id!)!.status, 'open')
  await requireAgreement(alice)
  const ids = (list: readonly Order[]) => list.map(({ id }) => id).sort()
  assert.deepEqual(ids(await bob.fetchClosedOrders(BTC)), [bought.id, hit.id, wide.id].sort())
  assert.deepEqual(ids(await bob.fetchCanceledOrders(BTC)), [missed.id])
  assert.deepEqual(
    ids(await bob.fetchCanceledAndClosedOrders(BTC)),
    [bought.id, hit.id, wide.id, missed.id].sort(),
  )
  assert.deepEqual(await bob.fetchClosedOrders(ETH), [])
})

test('fills and positions are those of /trades/history and /positions', async () => {
  const [alice, bob] = [await desk.trader(), await desk.trader()]
  await alice.createOrder(ETH, 'limit', 'sell', 2, 4001)
  await desk.advance(10)
  await bob.createOrder(ETH, 'market', 'buy', 1.5)
  await desk.advance(10)
  await alice.createOrder(ETH, 'limit', 'buy', 1, 3999, { timeInForce: 'PO' })
  await bob.createReduceOnlyOrder(ETH, 'limit', 'sell', 0.5, 3999)
  for (const trader of [alice, bob]) {
    const account = trader.walletAddress
    const rows = await desk.read<Row[]>('/trades/history', { account })
    const trades = new Map((await trader.fetchMyTrades()).map((each) => [each.id, each]))
    assert.equal(trades.size, 2)
    assert.equal(rows.length, 2)
    for (const row of rows) {
      const trade = trades.get(String(row.history_id))!
      assert.deepEqual([trade.price, trade.amount], [num(row.price), num(row.amount)])
      assert.deepEqual([trade.order, trade.timestamp], [String(row.order_id), row.created_at])
      assert.deepEqual(trade.fee, { cost: num(row.fee), currency: 'USDC' })
      const maker = row.event_type === 'fulfill_maker'
      assert.equal(trade.takerOrMaker, maker ? 'maker' : 'taker')
      const buys = row.side === 'open_long' || row.side === 'close_short'
      assert.equal(trade.side, buys ? 'buy' : 'sell')
    }
    const [own] = (await desk.live.api.get<Row[]>('/positions', { account })).body
    const position = await trader.fetchPosition(ETH)
    assert.deepEqual(
      [position.contracts, position.entryPrice, position.side],
      [num(own!.amount), num(own!.entryPrice), own!.side === 'bid' ? 'long' : 'short'],
    )
    assert.deepEqual([position.contracts, position.marginMode], [1, 'cross'])
    assert.deepEqual(await trader.fetchPositions(), [position])
    assert.deepEqual(await trader.fetchPositions([BTC]), [])
  }
  const since = (await bob.fetchMyTrades())[1]!.timestamp!
  assert.equal((await bob.fetchMyTrades(ETH, since)).length, 1)
  assert.equal((await bob.fetchMyTrades(BTC)).length, 0)
  const paged = await bob.fetchMyTrades(ETH, since - 60_000, 2, {
    paginate: true,
    maxEntriesPerRequest: 1,
  })
  assert.deepEqual(paged.map(({ id }) => id).sort(), [...new Set(paged.map(({ id }) => id))].sort())
  assert.equal(paged.length, 2)
})

test('stops wait, trigger and can be cancelled', async () => {
  const [alice, bob] = [await desk.trader(), await desk.trader()]
  await alice.createOrder(ETH, 'limit', 'sell', 1, 4100)
  const plain = await bob.createOrder(ETH, 'limit', 'buy', 0.1, undefined, {
    triggerPrice: 4050,
    clientOrderId: randomUUID(),
  })
  const limited = await bob.createOrder(ETH, 'limit', 'buy', 0.1, 4200, { triggerPrice: 4150 })
  const open = await bob.fetchOpenOrders(ETH)
  const byId = new Map(open.map((order) => [order.id, order]))
  assert.deepEqual(picked(byId.get(plain.id), 'triggerPrice', 'type', 'amount', 'side'), {
    ...{ triggerPrice: 4050, type: 'market', amount: 0.1, side: 'buy' },
  })
  assert.deepEqual(picked(byId.get(limited.id), 'triggerPrice', 'type', 'price'), {
    ...{ triggerPrice: 4150, type: 'limit', price: 4200 },
  })
  const cancelled = await bob.cancelOrder(limited.id!, ETH, { stop: true })
  assert.equal(cancelled.status, 'canceled')
  await desk.live.price('ETH', '4060')
  await desk.advance(1_000)
  assert.equal((await bob.fetchPosition(ETH)).contracts, 0.1)
  assert.deepEqual(await bob.fetchOpenOrders(), [])
  await requireAgreement(bob)
  await desk.live.price('ETH', '4000')
  await desk.advance(1_000)
})

test('levels of a position are set without an id, and attached ones with their order', async () => {
  const [alice, bob] = [await desk.trader(), await desk.trader()]
  await alice.createOrder(ETH, 'limit', 'sell', 0.5, 4010)
  await bob.createOrder(ETH, 'limit', 'buy', 0.5, 4010)
  const levels = { takeProfitPrice: 5000, stopLossPrice: 3000 }
  // ccxt sends no amount with levels: they are for the whole position.
  const set = await bob.createOrder(ETH, 'limit', 'sell', 0.5, undefined, levels)
  assert.deepEqual([set.status, set.id], ['open', undefined])
  const prices = async () =>
    (await bob.fetchOpenOrders(ETH))
      .filter(({ triggerPrice }) => triggerPrice !== undefined)
      .map(({ triggerPrice, amount, reduceOnly }) => [triggerPrice, amount, reduceOnly])
      .sort()
  assert.deepEqual(await prices(), [
    [3000, 0.5, true],
    [5000, 0.5, true],
  ])
  // A single level has the id that ccxt puts next to it.
  const clientOrderId = randomUUID()
  const own = { takeProfitPrice: 5100, clientOrderId }
  await bob.createOrder(ETH, 'limit', 'sell', 0.5, undefined, own)
  const named = (await bob.fetchOpenOrders(ETH)).filter((each) => each.clientOrderId !== undefined)
  assert.deepEqual(
    named.map((each) => [each.clientOrderId, each.triggerPrice]),
    [[clientOrderId, 5100]],
  )
  await alice.cancelAllOrders()
  const account = alice.walletAddress
  const attached = await alice.createOrder(ETH, 'limit', 'sell', 0.2, 4500, {
    takeProfitPrice: 3500,
    stopLossPrice: 4900,
  })
  const rows = await desk.read<Row[]>('/orders', { account })
  const children = rows.filter((row) => String(row.stop_parent_order_id) === attached.id)
  assert.deepEqual(children.map(({ stop_price }) => stop_price).sort(), ['3500', '4900'])
  const market = await bob
    .createOrder(BTC, 'market', 'sell', 0.00001, undefined, {})
    .catch((e) => e)
  assert.equal(market.constructor.name, 'InvalidOrder')
  await bob.cancelAllOrders(ETH)
  assert.deepEqual(await prices(), [])
  await requireAgreement(alice)
})

test('a batch, an edit, and every way to cancel', async () => {
  const trader = await desk.trader()
  const row = { symbol: BTC, type: 'limit', side: 'buy', amount: 0.01 } as const
  const client = randomUUID()
  const placed = await trader.createOrders([
    { ...row, price: 90_000, params: { clientOrderId: client } },
    { ...row, price: 90_001 },
    { ...row, price: 90_001 },
    { ...row, price: 90_002, amount: 0.00001 },
  ])
  assert.deepEqual(
    placed.map(({ status }) => status),
    ['open', 'open', 'open', 'rejected'],
  )
  assert.match(String((placed[3]!.info as Row).error), /^ORDER_AMOUNT_TOO_LOW/)
  const ids = placed.slice(0, 3).map(({ id }) => id!)
  assert.deepEqual(new Set((await trader.fetchOpenOrders(BTC)).map(({ id }) => id)), new Set(ids))
  const edited = await trader.editOrder(ids[1]!, BTC, 'limit', 'buy', 0.02, 90_010)
  assert.notEqual(edited.id, ids[1])
  const { price, amount, status } = await trader.fetchOrder(edited.id!, BTC)
  assert.deepEqual([price, amount, status], [90_010, 0.02, 'open'])
  assert.equal((await trader.fetchOrder(ids[1]!)).status, 'canceled')
  const byClient = await trader.editOrder(undefined as never, BTC, 'limit', 'buy', 0.03, 90_020, {
    clientOrderId: client,
  })
  assert.equal((await trader.fetchOrder(byClient.id!)).clientOrderId, client)

  assert.equal((await trader.cancelOrder(edited.id!, BTC)).status, 'canceled')
  const many = await trader.cancelOrders([ids[2]!, '999999999'], BTC, {
    clientOrderIds: [client],
  })
  assert.deepEqual(
    many.map(({ status: each }) => each),
    ['canceled', 'closed', 'canceled'],
  )
  assert.deepEqual(await trader.fetchOpenOrders(), [])
  await trader.createOrder(BTC, 'limit', 'buy', 0.01, 90_000, { clientOrderId: client })
  await trader.cancelOrder('', BTC, { clientOrderId: client })
  await trader.createOrder(BTC, 'limit', 'buy', 0.01, 90_000)
  await trader.createOrder(ETH, 'limit', 'buy', 0.1, 3_000)
  const [onBtc] = await trader.cancelAllOrders(BTC)
  assert.deepEqual((onBtc!.info as Row).data, { cancelled_count: 1 })
  const [rest] = await trader.cancelAllOrders(undefined, { excludeReduceOnly: true })
  assert.deepEqual((rest!.info as Row).data, { cancelled_count: 1 })
  await requireAgreement(trader)
})

test('equal orders of one batch, signed in one millisecond, are all placed', async () => {
  const trader = await desk.trader()
  const order = { symbol: BTC, type: 'limit', side: 'buy', amount: 0.01, price: 90_000 } as const
  const now = Date.now()
  trader.milliseconds = () => now
  const placed = await trader.createOrders([order, order])
  const { actions } = JSON.parse(trader.last_request_body as string) as {
    actions: readonly { data: Row }[]
  }
  const [first, second] = actions.map(({ data }) => data)
  assert.deepEqual(first, second)
  assert.equal(typeof first!.signature, 'string')
  assert.deepEqual(
    placed.map(({ status }) => status),
    ['open', 'open'],
  )
  assert.equal(new Set(placed.map(({ id }) => id)).size, 2)
  assert.equal((await trader.fetchOpenOrders(BTC)).length, 2)
  // In a later batch the same text is a replay.
  await assert.rejects(trader.createOrders([order]), BadRequest)
  assert.equal((await trader.fetchOpenOrders(BTC)).length, 2)
})

test('fields that ccxt sends unsigned are rejected, and nothing is placed', async () => {
  // These ccxt methods put `stopPrice`, `takeProfit` … into the body without signing them. A
  // request for a stop must not place a plain order, and the error names the field.
  const trader = await desk.trader()
  const refused = [
    () => trader.createStopOrder(BTC, 'limit', 'buy', 0.01, 110_100, 110_000),
    () => trader.createOrderWithTakeProfitAndStopLoss(BTC, 'limit', 'buy', 0.01, 95_000, 110_000),
    () => trader.createOrder(BTC, 'limit', 'buy', 0.01, 95_000, { postOnly: true }),
    // A fraction cannot be part of a signed text at all.
    () => trader.createStopOrder(BTC, 'limit', 'buy', 0.01, 110_100, 110_000.5),
  ]
  const names = ['stopPrice', 'takeProfit', 'postOnly', 'stopPrice']
  for (const [index, ask] of refused.entries()) {
    await assert.rejects(ask, (error: Error) => {
      assert.ok(error instanceof BadRequest, error.message)
      assert.match(error.message, new RegExp(`\\b${names[index]}\\b`), error.message)
      assert.ok(!error.message.includes('UNKNOWN'), error.message)
      return true
    })
  }
  const market = { ...{ symbol: BTC, side: 'buy', amount: 0.01, price: 1 } } as const
  await assert.rejects(trader.createOrders([{ ...market, type: 'market' }]), NotSupported)
  assert.deepEqual(await trader.fetchOrders(), [])
})
