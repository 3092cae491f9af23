// Only its owner sees an order that waits for its release: a stranger's replies and frames are the
// same, byte for byte, as those of an exchange where the order was never placed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOfSecret } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import type { EmbeddedExchange } from '../../../src/embed/embed.ts'
import { signedReadHeader, writeSignedRead } from '../../../src/protocol/auth/signed-read.ts'
import { accountSources, answers, oldUuid, type Reads, reader, scene, uuid } from './scene.ts'

type Act = (exchange: EmbeddedExchange) => unknown

/** A rejected command: it has a sequence number and changes nothing. */
const nothing: Act = (exchange) => {
  const refused = exchange.trader('alice').cancel({ symbol: 'BTC', order_id: 999_999 })
  assert.equal(refused.ok, false)
}

const order = { symbol: 'BTC', side: 'bid', amount: '4' } as const

/** Ways to have a waiting order. */
const waiting: Readonly<Record<string, Act>> = {
  'a market order': (exchange) => {
    assert.ok(exchange.trader('alice').market(order).ok)
  },
  'a limit order with levels and a client id': (exchange) => {
    const levels = { take_profit: { stop_price: '110000' }, stop_loss: { stop_price: '101000' } }
    const placed = { ...order, price: '105001', client_order_id: uuid, ...levels }
    assert.ok(exchange.trader('alice').place(placed).ok)
  },
  'an order under a client id that was used before': (exchange) => {
    const placed = { ...order, price: '105001', tif: 'IOC', client_order_id: oldUuid } as const
    assert.ok(exchange.trader('alice').place(placed).ok)
  },
  'a reduce-only order': (exchange) => {
    const closing = { symbol: 'BTC', side: 'ask', amount: '0.1', reduce_only: true } as const
    assert.ok(exchange.trader('alice').place({ ...closing, price: '104999' }).ok)
  },
  // The post-only order waits with the market order, and the stop and the edit as kept actions.
  'a delayed batch': async (exchange) => {
    const resting = exchange
      .trader('alice')
      .orders()
      .find(({ price }) => price === '103000')!
    const own = { symbol: 'BTC', side: 'bid', amount: '1', reduce_only: false } as const
    const stop_order = { stop_price: '99000', amount: '1' }
    const edited = { symbol: 'BTC', order_id: resting.order_id, price: '102000', amount: '0.1' }
    const { results } = await (await exchange.client('alice')).batchOrders({
      actions: [
        { type: 'CreateMarket', data: { ...own, slippage_percent: '1', client_order_id: uuid } },
        { type: 'Create', data: { ...own, price: '104500', tif: 'ALO' } },
        { type: 'CreateStop', data: { symbol: 'BTC', side: 'ask', reduce_only: true, stop_order } },
        { type: 'Edit', data: edited },
      ],
    })
    assert.deepEqual(
      results.map(({ success }) => success),
      [true, true, true, true],
    )
  },
}

const cancelAll: Act = (exchange) => {
  const alice = exchange.trader('alice')
  const { order_id } = alice.orders()[0]!
  const newest = alice.orders().find(({ stop_parent_order_id: parent }) => parent === null)
  assert.ok(alice.cancel({ symbol: 'BTC', order_id: newest?.order_id ?? order_id }).ok)
}

async function strangersView(reads: Reads, acts: readonly Act[]) {
  const exchange = scene(reads)
  const stream = await reader(exchange)
  const read = []
  for (const act of acts) {
    await act(exchange)
    read.push(await answers(exchange))
  }
  await stream.settled()
  await stream.end()
  const { frames } = stream
  await exchange.close()
  return { read, frames }
}

type View = Awaited<ReturnType<typeof strangersView>>

/** Equal byte for byte, except for the requests and channels that `isPublic` names. */
function assertAlike(secret: View, plain: View, isPublic = (_name: string) => false): void {
  for (const [step, other] of plain.read.entries())
    for (const question of Object.keys(other).filter((each) => !isPublic(each)))
      assert.equal(secret.read[step]![question], other[question], `${question}, step ${step}`)
  const seen = ({ frames }: View) => frames.filter(({ channel }) => !isPublic(channel))
  assert.deepEqual(seen(secret), seen(plain))
}

for (const reads of ['public', 'resting', 'owner'] as const) {
  for (const [name, place] of Object.entries(waiting))
    test(`${name} that waits shows a stranger nothing where reads are ${reads}`, async () => {
      const secret = await strangersView(reads, [place, cancelAll])
      assertAlike(secret, await strangersView(reads, [nothing, nothing]))
    })

  // That it exists, and that it executed a step, may be public.
  test(`a waiting TWAP slice shows a stranger nothing where reads are ${reads}`, async () => {
    let itself = ''
    const slice: Act = async (exchange) => {
      const twap = { ...order, reduce_only: false, slippage_percent: '1', duration_in_seconds: 60 }
      const client = await exchange.client('alice')
      const { order_id } = await client.createTwapOrder(twap)
      itself = `history_by_id?order_id=${order_id} `
      exchange.advance('1ms')
      const slices = exchange
        .trader('alice')
        .orders()
        .filter((each) => each.order_id > order_id)
      assert.equal(slices.length, 1)
    }
    const secret = await strangersView(reads, [slice, cancelAll])
    // A clock without due work sends no command; the slice is one.
    const none: Act = (exchange) => {
      nothing(exchange)
      exchange.advance('1ms')
      nothing(exchange)
    }
    const plain = await strangersView(reads, [none, nothing])
    const isOfTwap = (name: string) => /twap|algo/.test(name) || name.includes(itself)
    assertAlike(secret, plain, (name) => reads === 'public' && isOfTwap(name))
  })
}

// Where reads are public, the stop itself shows its size.
for (const reads of ['resting', 'owner'] as const)
  test(`strangers cannot see the remaining size of a fired stop, reads ${reads}`, async () => {
    const selling = (amount: string) => {
      const fire: Act = async (exchange) => {
        const maker = exchange.trader('maker')
        assert.ok(maker.cancelAll('BTC').ok)
        const bid = { symbol: 'BTC', side: 'bid', price: '104900', amount: '0.05' } as const
        assert.ok(maker.place({ ...bid, tif: 'ALO' }).ok)
        const stop_order = { stop_price: '104950', amount }
        const stop = { symbol: 'BTC', side: 'ask', reduce_only: true, stop_order } as const
        await (await exchange.client('alice')).createStopOrder(stop)
        exchange.setOracle('BTC', '104950')
        exchange.advance('1s')
        const left = exchange.trader('alice').orders().at(0)
        assert.deepEqual([left?.filled_amount, left?.initial_amount], ['0.05', amount])
      }
      const goOn: Act = (exchange) => {
        exchange.advance('10s')
        assert.equal(exchange.trader('alice').orders().at(0)?.filled_amount, '0.05')
      }
      return strangersView(reads, [fire, goOn])
    }
    assertAlike(await selling('0.2'), await selling('0.1'))
  })

const apiKeyOf = async (exchange: EmbeddedExchange) =>
  (await (await exchange.client('alice')).createApiKey()).data.api_key

const signedReadOf = (exchange: EmbeddedExchange) => {
  const key = exchange.key('alice')
  const options = { type: 'read_account', timestamp: Date.now() } as const
  return signedBody(keyOfSecret(key.secret), {}, options)
}

type Rows = Readonly<{ data: readonly Readonly<{ order_id: number }>[] }>

async function ordersOf(exchange: EmbeddedExchange, headers: Readonly<Record<string, string>>) {
  const { address } = exchange.trader('alice')
  const read = async (path: string) => {
    const reply = await exchange.fetch(`/api/v1${path}?account=${address}`, { headers })
    assert.equal(reply.status, 200, await reply.clone().text())
    return ((await reply.json()) as Rows).data.map(({ order_id }) => order_id)
  }
  return { open: await read('/orders'), past: await read('/orders/history') }
}

for (const reads of ['public', 'resting', 'owner'] as const)
  test(`the owner sees a waiting order where reads are ${reads}`, async () => {
    const exchange = scene(reads)
    const apiKey = await apiKeyOf(exchange)
    const body = await signedReadOf(exchange)
    const byKey = { 'svc-api-key': apiKey }
    const bySignature = { [signedReadHeader]: writeSignedRead(body) }
    const streams = [
      await reader(exchange, { headers: byKey }),
      await reader(exchange, { authenticate: { api_key: apiKey } }),
      await reader(exchange, { authenticate: body }),
    ]
    const placed = exchange.trader('alice').market(order)
    assert.ok(placed.ok)
    for (const headers of [byKey, bySignature]) {
      const { open, past } = await ordersOf(exchange, headers)
      assert.ok(open.includes(placed.orderId) && past.includes(placed.orderId))
    }
    for (const stream of streams) {
      await stream.settled()
      const text = (source: string) =>
        JSON.stringify(stream.frames.filter(({ channel }) => channel === source))
      for (const source of ['orders', 'account_orders', 'account_order_updates'])
        assert.match(text(source), new RegExp(`"i":${placed.orderId},`), source)
      assert.match(text('account_data'), /"oc":2/)
      await stream.end()
    }
    await exchange.close()
  })

test('a stranger first sees an order at its release, also after a revert', async () => {
  const exchange = scene('public')
  const stream = await reader(exchange)
  const li = stream.frames[0]!.li
  const placed = exchange.trader('alice').market(order)
  assert.ok(placed.ok)
  await stream.settled()
  const showsOrder = (frames: readonly object[]) =>
    JSON.stringify(frames).includes(`"i":${placed.orderId},`)
  assert.equal(showsOrder(stream.frames), false)
  exchange.advance('200ms')
  await stream.settled()
  const updates = stream.frames.filter(({ channel }) => channel === 'account_order_updates')
  const events = updates.flatMap(({ data }) => data as { i: number; oe: string; li: number }[])
  const mine = events.filter(({ i }) => i === placed.orderId)
  assert.deepEqual(
    mine.map(({ oe }) => oe),
    ['make', 'fulfill_market'],
  )
  assert.equal(new Set(mine.map((row) => row.li)).size, 1)
  const back = await reader(exchange, { resume: { wsUrl: stream.wsUrl, li } })
  await back.settled()
  const again = back.frames.filter(({ channel }) => channel === 'account_order_updates')
  assert.deepEqual(again, updates)
  await back.end()
  await stream.end()
  const { past } = await ordersOf(exchange, {})
  assert.ok(past.includes(placed.orderId))
  await exchange.close()
})

test('an order that is rejected at its release is never shown to others', async () => {
  const exchange = scene('public')
  const closing = { symbol: 'BTC', side: 'ask', amount: '0.2', reduce_only: true } as const
  const alice = exchange.trader('alice')
  assert.ok(alice.market({ symbol: 'BTC', side: 'ask', amount: '0.2' }).ok)
  const placed = alice.market(closing)
  assert.ok(placed.ok)
  exchange.advance('1s')
  const { past } = await ordersOf(exchange, {})
  assert.equal(past.includes(placed.orderId), false)
  const own = await ordersOf(exchange, { 'svc-api-key': await apiKeyOf(exchange) })
  assert.equal(own.past.includes(placed.orderId), true)
  await exchange.close()
})

test('with reads set to resting, stops and algos are shown to the owner only', async () => {
  const exchange = scene('resting')
  const { address } = exchange.trader('alice')
  const get = async (path: string, headers = {}) => {
    const reply = await exchange.fetch(`/api/v1${path}?account=${address}`, { headers })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  const key = { 'svc-api-key': await apiKeyOf(exchange) }
  const isStop = (row: { stop_price: string | null }) => row.stop_price !== null
  for (const path of ['/orders', '/orders/history']) {
    const [theirs, own] = [await get(path), await get(path, key)]
    assert.equal((theirs.body.data as { stop_price: null }[]).some(isStop), false, path)
    assert.equal((own.body.data as { stop_price: null }[]).some(isStop), true, path)
  }
  const hasQueue = ({ body }: { body: Record<string, unknown> }) =>
    (body.data as object[]).some((row) => 'queue' in row)
  assert.deepEqual(
    [hasQueue(await get('/orders')), hasQueue(await get('/orders', key))],
    [false, true],
  )
  assert.equal((await get('/account')).body.data!['stop_orders_count' as never], 0)
  assert.equal((await get('/account', key)).body.data!['stop_orders_count' as never], 1)
  for (const path of ['/twap', '/twap/history', '/algo', '/algo/history']) {
    const { status, body } = await get(`/orders${path}`)
    assert.equal(status, 401, path)
    assert.match(
      String(body.error),
      /^CREDENTIALS_REQUIRED: reads of algos and queues need an API key/,
    )
    assert.equal((await get(`/orders${path}`, key)).status, 200, path)
  }
  const stream = await reader(exchange)
  const errors = stream.frames.filter(({ channel }) => channel === 'error')
  const refused = errors.map(({ data }) => (data as { params: { source: string } }).params.source)
  assert.deepEqual(
    refused.sort(),
    accountSources.filter((source) => /twap|algo|queue/.test(source)).sort(),
  )
  await stream.end()
  await exchange.close()
})

test('a signed read that is forged, expired or by a stranger’s key opens nothing', async () => {
  const exchange = scene('owner')
  const { address } = exchange.trader('alice')
  const ask = async (header: string) => {
    const headers = { [signedReadHeader]: header }
    const reply = await exchange.fetch(`/api/v1/orders?account=${address}`, { headers })
    return `${reply.status} ${((await reply.json()) as { error: string }).error}`
  }
  const good = await signedReadOf(exchange)
  const key = exchange.key('mallory')
  const at = Date.now()
  const type = 'read_account' as const
  const old = await signedBody(exchange.key('alice'), {}, { type, timestamp: at - 60_000 })
  const others = await signedBody(key, {}, { type, timestamp: at })
  assert.match(await ask('account'), /^400 MALFORMED_REQUEST: a signed read is account=/)
  assert.match(await ask(writeSignedRead(old)), /^400 EXPIRED: Invalid message/)
  assert.match(
    await ask(writeSignedRead({ ...good, timestamp: at + 1 })),
    /^400 INVALID_SIGNATURE: Verification failed/,
  )
  assert.match(await ask(writeSignedRead(others)), /^401 CREDENTIALS_REQUIRED: reads of an account/)
  assert.match(
    await ask(writeSignedRead({ ...others, account: address, agent_wallet: key.address })),
    /^400 AGENT_NOT_BOUND/,
  )
  await exchange.close()
})
