// The client with several addresses of one exchange that fail in turn: every call gets its reply, a
// signed text is executed once, and its outcome is known.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  ApiRefusal,
  Client,
  type ClientOptions,
  type Key,
  NetworkFailure,
  newKey,
  OutcomeUnknown,
  signedBody,
  TimeoutFailure,
  UnexpectedReply,
} from '../../src/client/index.ts'
import { Random } from '../programs/differential/random.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { type Fault, FaultyProxy } from '../support/http/faulty-proxy.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'

let live: Live
let one: FaultyProxy
let two: FaultyProxy
let alice: Key
let venue: string

before(async () => {
  live = await frozenSandbox()
  await live.price('BTC', '100000')
  venue = (await new Client({ url: live.url }).getVenue()).venue
  one = await FaultyProxy.to(live.url)
  two = await FaultyProxy.to(live.url)
})
beforeEach(async () => {
  for (const proxy of [one, two]) {
    proxy.fault = () => 'none'
    proxy.seen.length = 0
  }
  alice = await live.trader()
})
after(async () => {
  one.close()
  two.close()
  await live.close()
})

const limit = { symbol: 'BTC', tif: 'GTC', reduce_only: false, amount: '0.01' } as const
const bid = { ...limit, side: 'bid', price: '90000' } as const

const clientOf = (options: Partial<ClientOptions> = {}) =>
  new Client({
    url: [one.url, two.url],
    signer: alice,
    // The venue is known, so a fault that hides it changes nothing.
    venue,
    tryMs: 10_000,
    timeoutMs: 60_000,
    ...options,
  })

/** The first request to this path has the fault, at either address. */
function failOnce(path: string, fault: Fault): void {
  let left = 1
  const at = (requested: string) => {
    if (!requested.startsWith(path) || left === 0) return 'none'
    left -= 1
    return fault
  }
  one.fault = at
  two.fault = at
}

const failAlways = (fault: Fault) => {
  one.fault = () => fault
  two.fault = () => fault
}

async function ordersOf({ address: account }: Key = alice) {
  return (await new Client({ url: live.url, account }).getOrderHistory({ limit: 100 })).rows
}

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => assert.fail('did not throw'),
    (error: Error) => error,
  )
}

const lost = ['unanswered', 'halved', 'silent'] as const
const undone = ['unsent', 'standby', 'stranger'] as const

test('a single address is requested once, with nothing added', async () => {
  const client = new Client({ url: `${one.url}/`, signer: alice })
  await client.getPrices()
  await client.createOrder(bid)
  failAlways('unanswered')
  await assert.rejects(client.createOrder(bid), NetworkFailure)
  await assert.rejects(client.getPrices(), NetworkFailure)
  failAlways('standby')
  await assert.rejects(client.createOrder(bid), ApiRefusal)
  assert.deepEqual(
    one.seen.map(({ path }) => path),
    [
      ...['/info/prices', '/info/venue', '/orders/create'],
      ...['/orders/create', '/info/prices', '/orders/create'],
    ],
  )
  for (const { headers, body } of one.seen) {
    assert.equal(headers['openperp-min-seq'], undefined)
    assert.ok(!body.includes('client_order_id'))
  }
})

test('addresses are a list or comma-separated, unique, and up to a maximum', async () => {
  const spelled = new Client({ url: `http://127.0.0.1:9/, ${two.url}/,${two.url}` })
  await spelled.getPrices()
  assert.equal(two.count('/info/prices'), 1)
  assert.throws(() => new Client({ url: ' , ' }), /url is empty/)
  const many = Array.from({ length: 17 }, (_, at) => `http://127.0.0.1:${at + 1}`)
  assert.throws(() => new Client({ url: many }), /takes 16 addresses of an exchange, not 17/)
})

test('after any failure a read goes to the next address and stays there', async () => {
  for (const fault of [...undone, ...lost, 'behind'] as const) {
    const client = clientOf(fault === 'silent' ? { tryMs: 1_000 } : {})
    one.fault = () => fault
    two.seen.length = 0
    one.seen.length = 0
    for (let n = 0; n < 3; n++) assert.equal((await client.getBook({ symbol: 'BTC' })).s, 'BTC')
    const [first, second] = [one.count('/book'), two.count('/book')]
    // With a timeout of only a second, a slow machine may need another call.
    if (fault === 'silent') assert.ok(first > 0 && second >= 3)
    else assert.deepEqual([first, second], [1, 3], fault)
  }
})

test('without a reply the call ends with the last failure, by tries or timeout', async () => {
  failAlways('unsent')
  await assert.rejects(clientOf({ triesMax: 5 }).getPrices(), NetworkFailure)
  assert.equal(one.seen.length + two.seen.length, 5)
  failAlways('standby')
  const refusal = await errorOf(clientOf({ triesMax: 4 }).getPrices())
  assert.ok(refusal instanceof ApiRefusal && refusal.status === 503, String(refusal))
  failAlways('stranger')
  await assert.rejects(clientOf({ triesMax: 2 }).getPrices(), UnexpectedReply)
  failAlways('silent')
  const began = performance.now()
  await assert.rejects(clientOf({ timeoutMs: 400, tryMs: 150 }).getPrices(), TimeoutFailure)
  assert.ok(performance.now() - began >= 300)
  const unreachable = new Client({
    url: ['http://127.0.0.1:9', 'http://127.0.0.1:9/x'],
    triesMax: 3,
  })
  await assert.rejects(unreachable.getPrices(), NetworkFailure)
})

test('an error reply of the exchange is final, and no other address is tried', async () => {
  const client = clientOf()
  const large = await errorOf(client.createOrder({ ...bid, amount: '9000' }))
  assert.equal((large as ApiRefusal).reason, 'ORDER_AMOUNT_TOO_HIGH')
  const wrong = await errorOf(client.getBook({ symbol: 'NONE' }))
  assert.equal((wrong as ApiRefusal).reason, 'BOOK_NOT_FOUND')
  one.fault = () => 'limited'
  const limited = await errorOf(client.createOrder(bid))
  assert.deepEqual([(limited as ApiRefusal).status, (limited as ApiRefusal).retryAfter], [429, 1])
  one.fault = () => 'none'
  const body = await client.body('create_order', bid)
  await client.send('create_order', body)
  const again = await errorOf(client.send('create_order', body))
  assert.equal((again as ApiRefusal).reason, 'REPLAYED')
  const admin = new AdminClient(live)
  await admin.post('/exchange/mode', { mode: 'halted' })
  const halted = await errorOf(client.createOrder(bid))
  await admin.post('/exchange/mode', { mode: 'open' })
  assert.match(halted.message, /^NOT_READY: the operator has halted the whole exchange/)
  assert.deepEqual([two.count('/orders'), two.count('/book')], [0, 0])
})

test('an accepted order whose reply is lost is reported with its id, and exists once', async () => {
  const client = clientOf({ tryMs: 1_000 })
  for (const fault of [...lost, ...undone]) {
    failOnce('/orders/create', fault)
    const { order_id, order_status } = await client.createOrder(bid)
    assert.equal(order_status, 'open', fault)
    const [newest, ...older] = await ordersOf()
    assert.equal(newest!.order_id, order_id, fault)
    assert.ok(older.every((row) => row.order_id !== order_id))
  }
  assert.equal((await ordersOf()).length, lost.length + undone.length)
  const sent = [...one.seen, ...two.seen].filter(({ path }) => path === '/orders/create')
  assert.equal(new Set(sent.map(({ body }) => body)).size, lost.length + undone.length)
  assert.ok(sent.length >= 2 * (lost.length + undone.length))
})

test('an immediate fill or end is reported as such, and a rejected order as rejected', async () => {
  const client = clientOf()
  const bob = await live.trader()
  await live.order(bob, { symbol: 'BTC', side: 'ask', price: '100000', amount: '0.01' })
  failOnce('/orders/create', 'unanswered')
  const taker = { ...limit, side: 'bid', price: '100000' } as const
  assert.equal((await client.createOrder(taker)).order_status, 'filled')
  failOnce('/orders/create', 'unanswered')
  assert.equal((await client.createOrder({ ...taker, tif: 'IOC' })).order_status, 'cancelled')
  assert.deepEqual(
    (await client.getPositions()).map(({ amount }) => amount),
    ['0.01'],
  )
  failOnce('/orders/create', 'unanswered')
  const refused = await errorOf(client.createOrder({ ...bid, amount: '9000' }))
  assert.ok(refused instanceof ApiRefusal, String(refused))
  assert.deepEqual([refused.reason, refused.status], ['REFUSED', 400])
  assert.equal((await ordersOf()).length, 2)
})

test('the outcome of any order, edit or cancel is known after a lost reply', async () => {
  const client = clientOf()
  const losing = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    failOnce(path, 'unanswered')
    return work()
  }
  const bob = await live.trader()
  await live.order(bob, { symbol: 'BTC', side: 'ask', price: '100000', amount: '0.01' })
  const market = await losing('/orders/create_market', () =>
    client.createMarketOrder({ ...marketOrder, side: 'bid' }),
  )
  assert.equal(market.order_status, 'filled')
  const stop = await losing('/orders/stop/create', () =>
    client.createStopOrder({
      symbol: 'BTC',
      side: 'ask',
      reduce_only: true,
      stop_order: { stop_price: '90000', amount: '0.01' },
    }),
  )
  assert.equal((await ordersOf())[0]!.order_id, stop.order_id)
  const ref = { symbol: 'BTC', order_id: stop.order_id }
  assert.equal(await losing('/orders/stop/cancel', () => client.cancelStopOrder(ref)), null)
  const leg = { side: 'ask', amount: '0.01', reduce_only: true } as const
  const pair = {
    symbol: 'BTC',
    legs: [
      { ...leg, price: '120000' },
      { ...leg, stop_price: '90000' },
    ],
  }
  const { order_ids } = await losing('/orders/oco/create', () => client.createOcoOrder(pair))
  const both = (await ordersOf()).slice(0, 2).map((row) => row.order_id)
  assert.deepEqual(both, [...order_ids].reverse())
  const crossing = {
    ...pair,
    legs: [
      { ...leg, price: '120000' },
      { ...leg, amount: '0.02', stop_price: '90000' },
    ],
  }
  const refused = await errorOf(losing('/orders/oco/create', () => client.createOcoOrder(crossing)))
  assert.equal((refused as ApiRefusal).reason, 'REFUSED')
  await client.cancelOrder({ symbol: 'BTC', order_id: order_ids[0]! })
  const twap = await losing('/orders/twap/create', () => client.createTwapOrder(twapOrder))
  assert.equal((await client.getTwapOrders())[0]!.order_id, twap.order_id)
  const twapRef = { symbol: 'BTC', order_id: twap.order_id }
  assert.equal(await losing('/orders/twap/cancel', () => client.cancelTwapOrder(twapRef)), null)
  assert.deepEqual(await client.getTwapOrders(), [])

  const { order_id } = await client.createOrder(bid)
  const edit = { symbol: 'BTC', order_id, price: '90100.0', amount: '0.02' }
  const edited = await losing('/orders/edit', () => client.editOrder(edit))
  const open = (await client.getOpenOrders()).rows
  assert.deepEqual(
    open.map((row) => [row.order_id, row.price]),
    [[edited.order_id, '90100']],
  )
  const gone = await errorOf(losing('/orders/edit', () => client.editOrder(edit)))
  assert.equal((gone as ApiRefusal).reason, 'REFUSED')
  const cancel = { symbol: 'BTC', client_order_id: open[0]!.client_order_id! }
  const cancelled = await losing('/orders/cancel', () => client.cancelOrder(cancel))
  assert.deepEqual(cancelled, { success: true })
  const twice = await errorOf(losing('/orders/cancel', () => client.cancelOrder(twapRef)))
  assert.equal((twice as ApiRefusal).reason, 'REFUSED')
})

const size = { symbol: 'BTC', amount: '0.01', reduce_only: false } as const
const marketOrder = { ...size, slippage_percent: '5' } as const
const twapOrder = {
  ...marketOrder,
  amount: '0.1',
  side: 'bid',
  duration_in_seconds: 120,
} as const

test('the outcome of chases and icebergs is known after a lost reply', async () => {
  const plan = { ...size, side: 'bid', price: '90000', amount: '0.1' } as const
  const part = { ...plan, display_amount: '0.02' }
  const kinds = [
    { path: '/orders/chase/create', create: (client: Client) => client.createChaseOrder(plan) },
    { path: '/orders/iceberg/create', create: (client: Client) => client.createIcebergOrder(part) },
  ]
  for (const { path, create } of kinds) {
    const client = clientOf()
    failOnce(path, 'unanswered')
    const { order_id } = await create(client)
    const running = await client.getAlgoOrders()
    assert.deepEqual(
      running.map((row) => row.order_id),
      [order_id],
    )
    failOnce('/orders/cancel', 'unanswered')
    const cancelled = await client.cancelOrder({ symbol: 'BTC', order_id })
    assert.deepEqual(cancelled, { success: true })
    failOnce('/orders/cancel', 'unanswered')
    const clientId = running[0]!.client_order_id!
    // It has ended, and not by this cancel; but an earlier cancel would have left the same.
    const again = await client.cancelOrder({ symbol: 'BTC', client_order_id: clientId })
    assert.deepEqual(again, { success: true })
    // The exchange has no record of a request that it never received.
    failOnce(path, 'unsent')
    const sent = await create(client)
    assert.equal((await client.getAlgoOrders()).length, 1)
    await client.cancelOrder({ symbol: 'BTC', order_id: sent.order_id })
  }
  const [one] = kinds
  const unnamed = new Client({ url: live.url, signer: alice })
  failAlways('unanswered')
  const unknown = await errorOf(one!.create(clientOf({ triesMax: 2 })))
  assert.ok(unknown instanceof OutcomeUnknown, String(unknown))
  assert.equal((await unnamed.getAlgoOrders()).length, 1)
})

test('a batch whose reply is lost reports the outcome of each action', async () => {
  const client = clientOf()
  const { order_id } = await client.createOrder(bid)
  failOnce('/orders/batch', 'halved')
  const { results } = await client.batchOrders({
    actions: [
      { type: 'Create', data: { ...bid, price: '91000' } },
      { type: 'Create', data: { ...bid, amount: '9000' } },
      { type: 'Cancel', data: { symbol: 'BTC', order_id } },
    ],
  })
  const [newest, ...rest] = await ordersOf()
  assert.equal(rest.length, 1)
  assert.deepEqual(
    results.map((each) => [each.success, each.order_id, each.symbol]),
    [
      [true, newest!.order_id, 'BTC'],
      [false, null, 'BTC'],
      [true, order_id, 'BTC'],
    ],
  )
  assert.match(results[1]!.error!, /^REFUSED: /)
})

test('settings are known after a lost reply, and ambiguity is reported as such', async () => {
  const client = clientOf()
  failOnce('/account/leverage', 'unanswered')
  assert.equal(await client.updateLeverage({ symbol: 'BTC', leverage: 7 }), null)
  failOnce('/account/margin', 'unanswered')
  assert.equal(await client.updateMarginMode({ symbol: 'BTC', is_isolated: true }), null)
  await client.createOrder(bid)
  failOnce('/orders/cancel_all', 'unanswered')
  const all = { all_symbols: true, exclude_reduce_only: false }
  const unknown = await errorOf(client.cancelAllOrders(all))
  assert.ok(unknown instanceof OutcomeUnknown, String(unknown))
  assert.deepEqual([unknown.operation, unknown.judged], ['cancel_all_orders', true])
  assert.deepEqual((await client.getOpenOrders()).rows, [])
  failOnce('/agent/list', 'unanswered')
  assert.deepEqual(await client.listAgentWallets(), { agent_wallets: [], agents: [] })
})

test('an id that was used before does not hide that an order was rejected', async () => {
  const client = clientOf()
  const client_order_id = '6b3cf9de-1f2a-4c53-9d4b-0e1c2d3a4b5c'
  const { order_id } = await client.createOrder({ ...bid, client_order_id })
  await client.cancelOrder({ symbol: 'BTC', order_id })
  failOnce('/orders/create', 'unanswered')
  const error = await errorOf(client.createOrder({ ...bid, amount: '9000', client_order_id }))
  assert.equal((error as ApiRefusal).reason, 'REFUSED')
  failOnce('/orders/create', 'unanswered')
  const { order_id: next } = await client.createOrder({ ...bid, client_order_id })
  assert.ok(next > order_id)
})

test('an outcome not known in time is reported as such, and can be queried later', async () => {
  const client = clientOf({ triesMax: 4 })
  failAlways('unanswered')
  const unknown = await errorOf(client.createOrder(bid))
  assert.ok(unknown instanceof OutcomeUnknown, String(unknown))
  assert.equal(unknown.judged, false)
  assert.match(unknown.message, /the outcome of create_order is unknown/)
  assert.ok(unknown.cause instanceof NetworkFailure)
  failAlways('none')
  const { operation, body } = unknown
  const reply = await client.sendAgain(operation as 'create_order', body)
  assert.deepEqual(await client.sendAgain('create_order', body), reply)
  assert.deepEqual(
    (await ordersOf()).map((row) => row.order_id),
    [reply.order_id],
  )
  // The same from a client with one address, and for an order that was never executed.
  const single = new Client({ url: live.url, signer: alice })
  assert.deepEqual(await single.sendAgain('create_order', body), reply)
  const other = await client.body('create_order', bid)
  assert.ok((await single.sendAgain('create_order', other)).order_id > reply.order_id)
})

test('an order that no node can have executed fails with the plain failure', async () => {
  failAlways('standby')
  const refusal = await errorOf(clientOf({ triesMax: 4 }).createOrder(bid))
  assert.equal((refusal as ApiRefusal).reason, 'NOT_READY')
  const unreachable = new Client({
    url: 'http://127.0.0.1:9,http://127.0.0.1:9/x',
    signer: newKey(),
  })
  await assert.rejects(unreachable.sandboxFaucet({ amount: '1' }), NetworkFailure)
})

test('with an expired text the outcome is open, unless its order is found', async () => {
  let behindMs = 0
  const client = clientOf({ expiryWindow: 2_000, tryMs: 2_200, now: () => Date.now() - behindMs })
  failOnce('/orders/create', 'silent')
  assert.equal((await client.createOrder(bid)).order_status, 'open')
  behindMs = 10_000
  let left = 1
  one.fault = () => (left-- > 0 ? 'unsent' : 'none')
  two.fault = one.fault
  const unknown = await errorOf(client.createOrder(bid))
  assert.ok(unknown instanceof OutcomeUnknown && !unknown.judged, String(unknown))
  assert.equal((await ordersOf()).length, 1)
})

test('a rejection by another exchange leaves the outcome of a text open', async () => {
  const other = await frozenSandbox()
  try {
    const client = clientOf({ url: [one.url, other.url], tryMs: 1_000 })
    failOnce('/orders/create', 'silent')
    assert.equal((await client.createOrder(bid)).order_status, 'open')
    assert.equal((await ordersOf()).length, 1)
  } finally {
    await other.close()
  }
})

test('an order without a client id cannot be looked up, and the error says so', async () => {
  const client = clientOf()
  const signing = { type: 'create_order', timestamp: Date.now() } as const
  const body = await signedBody(alice, bid, signing)
  failOnce('/orders/create', 'unanswered')
  const unknown = await errorOf(client.send('create_order', body))
  assert.ok(unknown instanceof OutcomeUnknown && unknown.judged, String(unknown))
  assert.equal((await ordersOf()).length, 1)
})

test('an unsigned request that may have been executed is not repeated', async () => {
  const client = clientOf()
  const fund = () => client.sandboxFaucet({ amount: '10' })
  const { balance } = await client.getAccount()
  failOnce('/sandbox/faucet', 'unanswered')
  await assert.rejects(fund(), NetworkFailure)
  failOnce('/sandbox/faucet', 'standby')
  await fund()
  assert.equal(Number((await client.getAccount()).balance) - Number(balance), 20)
})

test('after a lost reply the client waits until it has credits again', async () => {
  const client = clientOf()
  const faults: Fault[] = ['unsent', 'limited']
  one.fault = (path) => (path === '/orders/create' ? (faults.shift() ?? 'none') : 'none')
  two.fault = one.fault
  assert.equal((await client.createOrder(bid)).order_status, 'open')
  assert.equal((await ordersOf()).length, 1)
})

test("reads carry the client's newest sequence number, so that none goes back", async () => {
  const client = clientOf()
  await client.getPrices()
  assert.equal(one.seen.at(-1)!.headers['openperp-min-seq'], undefined)
  await client.createOrder(bid)
  const seq = live.running.exchange.seq()
  one.fault = () => 'unsent'
  await client.getOpenOrders()
  assert.equal(two.seen.at(-1)!.headers['openperp-min-seq'], `${seq}`)
  await client.table('get_order_history', {})
  assert.equal(two.seen.at(-1)!.headers['openperp-min-seq'], `${seq}`)
  await errorOf(client.createOrder({ ...bid, amount: '9000' }))
  await client.getOpenOrders()
  assert.equal(two.seen.at(-1)!.headers['openperp-min-seq'], `${live.running.exchange.seq()}`)
  const order = two.seen.find(({ path }) => path === '/orders/create')
  assert.equal(order!.headers['openperp-min-seq'], undefined, 'an order never waits')
})

// A few kinds of requests with every fault, in random order at both addresses. An order that is
// reported twice, not reported, or reported but absent shows in the history, which is read without
// the proxies.
test('with any faults in between the reported orders are the existing ones, once', async () => {
  const client = clientOf({ tryMs: 500 })
  const random = new Random(20_260)
  const kinds: readonly Fault[] = [
    ...undone,
    ...lost,
    'none',
    'none',
    'none',
    'none',
    'none',
    'none',
  ]
  one.fault = () => random.pick(kinds)
  two.fault = () => random.pick(kinds)
  const reported: number[] = []
  let refused = 0
  for (let n = 0; n < 40; n++) {
    const amount = n % 5 === 0 ? '9000' : '0.01'
    const order = { ...bid, amount, price: String(90_000 + n) }
    try {
      reported.push((await client.createOrder(order)).order_id)
    } catch (error) {
      assert.ok(error instanceof ApiRefusal, String(error))
      refused += 1
    }
    if (n % 7 === 0 && reported.length > 0)
      await client.cancelOrder({ symbol: 'BTC', order_id: reported.at(-1)! }).catch((error) => {
        assert.ok(error instanceof ApiRefusal, String(error))
      })
  }
  const rows = await ordersOf()
  assert.deepEqual(rows.map(({ order_id }) => order_id).toReversed(), reported)
  assert.deepEqual([reported.length, refused], [32, 8])
})
