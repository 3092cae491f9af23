// The histories over HTTP, at one sandbox whose clock is moved by hand.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { rebuildHistory } from '../../src/cli/offline/rebuild-history.ts'
import { formatDecimal, parseDecimal } from '../../src/units/decimal.ts'
import { intervals } from '../../src/units/intervals.ts'
import { HistoryDesk, type Json, type Reply } from '../support/history/history-desk.ts'

const desk = new HistoryDesk()
const hourMs = 3_600_000
let alice = ''

before(async () => {
  await desk.open()
  alice = desk.alice.address
  await desk.trade('0.1', '60000')
  await desk.advance(150_000)
  await desk.trade('0.2', '60100')
  await desk.trade('0.05', '59900', 'ask')
  // Different from the index, so that there is a premium to pay for.
  await desk.order(desk.bob, 'ask', '1', '61500')
  await desk.order(desk.bob, 'bid', '1', '60900')
  await desk.advance(2 * hourMs)
})

after(() => desk.close())

function micros(text: unknown): number {
  const parsed = parseDecimal(text as string, 6)
  assert.ok(parsed.ok, `${text}`)
  return parsed.value
}

async function now(): Promise<number> {
  const { data } = await desk.get<{ engine_now: number }>('/time')
  return data.engine_now
}

test('candles: gapless, oldest first, the present one last', async () => {
  const end = await now()
  const start = end - 3 * hourMs
  const { data } = await desk.get('/kline', { symbol: 'BTC', interval: '1m', start_time: start })
  assert.deepEqual(Object.keys(data[0]!), ['t', 'T', 's', 'i', 'o', 'c', 'h', 'l', 'v', 'n'])
  const [first, , , fourth] = data as [Json, Json, Json, Json]
  const candle = { o: '60000', c: '60000', h: '60000', l: '60000', v: '0.1', n: 1 }
  assert.deepEqual(first, {
    t: first.t,
    T: (first.t as number) + 60_000,
    s: 'BTC',
    i: '1m',
    ...candle,
  })
  const busy = data.filter(({ n }) => n !== 0)
  assert.equal(busy.length, 2)
  const second = { o: '60100', c: '59900', h: '60100', l: '59900', v: '0.25', n: 2 }
  assert.deepEqual({ ...busy[1], ...second }, busy[1])
  assert.deepEqual([fourth.o, fourth.v, fourth.n], ['59900', '0', 0])
  data.forEach((row, at) => {
    if (at > 0) assert.equal(row.t, data[at - 1]!.T)
  })
  assert.ok((data.at(-1)!.t as number) <= end && (data.at(-1)!.T as number) > end)
  for (const interval of intervals) {
    const query = { symbol: 'BTC', interval, start_time: 0, limit: 4_000 }
    const candles = (await desk.get('/kline', query)).data
    assert.equal(
      candles.reduce((sum, { n }) => sum + (n as number), 0),
      3,
      interval,
    )
    const marks = (await desk.get('/kline/mark', query)).data
    assert.ok(marks.length > 0 && marks.every(({ v, n }) => v === '0' && n === 0))
  }
})

test('invalid candle requests are rejected', async () => {
  const good = { symbol: 'BTC', interval: '1m', start_time: 1 }
  for (const [bad, said] of [
    [{ ...good, interval: '7m' }, /interval/],
    [{ ...good, symbol: 'XXX' }, /no market/],
    [{ ...good, start_time: '' }, /start_time/],
    [{ ...good, limit: 0 }, /limit/],
    [{ ...good, start_time: 5, end_time: 4 }, /start_time must not be after end_time/],
  ] as const) {
    const reply = await desk.fetch('/kline', bad)
    assert.equal(reply.status, 400)
    assert.match(((await reply.json()) as Reply).error!, said)
  }
})

test('funding: rates with impact prices, and the payments of the account', async () => {
  const { data: rates } = await desk.get('/funding_rate/history', { symbol: 'BTC' })
  assert.equal(rates.length, 3)
  const [newest, older] = rates as [Json, Json]
  assert.equal(older.next_funding_rate, newest.funding_rate)
  assert.deepEqual([newest.bid_impact_price, newest.ask_impact_price], ['60900', '61500'])
  assert.equal(newest.oracle_price, '60000')
  const { data: paid } = await desk.get('/funding/history', { account: alice })
  assert.ok(paid.length > 0)
  const [payment] = paid as [Json]
  assert.deepEqual([payment.symbol, payment.side, payment.amount], ['BTC', 'bid', '0.25'])
  assert.equal(payment.rate, newest.funding_rate)
  // 0.25 BTC at an index of 60,000, rounded up to the micro-dollar by the payer.
  const exact = 15_000 * Number(payment.rate)
  assert.ok(Math.abs(Number(payment.payout) + exact) < 0.000_002)
})

test('balance history: amounts add up to the balance', async () => {
  const { data: rows } = await desk.get('/account/balance/history', {
    account: alice,
    limit: 4_000,
  })
  const { data: account } = await desk.get<Json>('/account', { account: alice })
  assert.equal(rows[0]!.balance, account.balance)
  const sum = rows.reduce((total, { amount }) => total + micros(amount), 0)
  assert.equal(formatDecimal(sum, 6), account.balance)
  const kinds = new Set(rows.map(({ event_type }) => event_type))
  assert.deepEqual([...kinds].sort(), ['deposit', 'funding', 'trade'])
})

test('balance history of the exchange’s own accounts adds up too', async () => {
  const { data: risk } =
    await desk.get<Record<string, { address: string; balance: string }>>('/info/risk')
  assert.ok(micros(risk.fees!.balance) > 0)
  for (const { address: account, balance } of [risk.fees!, risk.insurance!, risk.deficit!]) {
    const query = { account, limit: 4_000 }
    const { data: rows } = await desk.get('/account/balance/history', query)
    assert.equal(rows[0]?.balance ?? '0', balance)
    const sum = rows.reduce((total, { amount }) => total + micros(amount), 0)
    assert.equal(formatDecimal(sum, 6), balance)
    const minutes = rows.map(({ created_at }) => Math.ceil((created_at as number) / 60_000))
    if (account === risk.fees!.address) assert.equal(new Set(minutes).size, minutes.length)
  }
})

test('portfolio: the last point is the account’s equity now', async () => {
  const { data: account } = await desk.get<Json>('/account', { account: alice })
  for (const time_range of ['1d', '7d', '14d', '30d', 'all']) {
    const { data: points } = await desk.get('/portfolio', { account: alice, time_range })
    const last = points.at(-1)!
    assert.equal(last.account_equity, account.account_equity)
    const profit = micros(account.account_equity) - 100_000_000_000
    assert.equal(last.pnl, formatDecimal(profit, 6))
    assert.ok(points.length >= 2 && points.length <= 100, `${points.length}`)
    const times = points.map(({ timestamp }) => timestamp as number)
    assert.deepEqual(
      times,
      [...times].sort((one, other) => one - other),
    )
  }
  const stranger = { account: '11111111111111111111111111111112', time_range: 'all' }
  assert.deepEqual((await desk.get('/portfolio', stranger)).data, [])
})

test('a TWAP from its creation to its end', async () => {
  const body = { symbol: 'BTC', amount: '0.06', side: 'bid', reduce_only: false } as const
  const more = { slippage_percent: '5', duration_in_seconds: 60 }
  const request = { ...body, ...more, client_order_id: '123e4567-e89b-42d3-a456-426614174000' }
  const { order_id } = await desk.client(desk.alice).createTwapOrder(request)
  const { data: open } = await desk.get('/orders/twap', { account: alice })
  const created = await now()
  assert.deepEqual(open, [
    {
      order_id,
      client_order_id: request.client_order_id,
      symbol: 'BTC',
      side: 'bid',
      initial_amount: '0.06',
      filled_amount: '0',
      reduce_only: false,
      slippage_percent: '5',
      planned_sub_order_amount: '0.02',
      planned_sub_order_count: 3,
      past_sub_order_count: 0,
      total_filled_value: '0',
      expiration: created + 60_000,
      created_at: created,
      updated_at: created,
    },
  ])
  await desk.advance(61_000)
  assert.deepEqual((await desk.get('/orders/twap', { account: alice })).data, [])
  const { data: past } = await desk.get('/orders/twap/history', { account: alice })
  const [row] = past as [Json]
  assert.deepEqual([row.order_status, row.event_type], ['filled', 'fulfill_market'])
  assert.deepEqual([row.filled_amount, row.total_filled_value], ['0.06', '3690'])
  const { data: steps } = await desk.get('/orders/twap/history_by_id', { order_id })
  const slice = ['fulfill_market', 'twap_triggered']
  const events = [...slice, ...slice, ...slice, 'twap_created']
  assert.deepEqual(
    steps.map(({ event_type }) => event_type),
    events,
  )
  const { data: orders } = await desk.get('/orders/history', { account: alice, limit: 3 })
  assert.deepEqual(
    orders.map((slice) => [slice.parent_order_id, slice.filled_amount]),
    Array(3).fill([order_id, '0.02']),
  )
  const unknown = await desk.fetch('/orders/twap/history_by_id', { order_id: 999_999 })
  assert.equal(unknown.status, 404)
  assert.match(((await unknown.json()) as Reply).error!, /^ORDER_NOT_FOUND/)
})

test('a TWAP is cancelled, and rejected with the engine’s codes', async () => {
  const client = desk.client(desk.alice)
  const body = { symbol: 'BTC', amount: '0.06', side: 'bid', reduce_only: false } as const
  const timed = { ...body, slippage_percent: '5', duration_in_seconds: 600 }
  const { order_id } = await client.createTwapOrder(timed)
  const ref = { symbol: 'BTC', order_id }
  assert.equal(await client.cancelTwapOrder(ref), null)
  const [row] = (await desk.get('/orders/twap/history', { account: alice })).data as [Json]
  assert.deepEqual([row.order_status, row.event_type], ['cancelled', 'cancel'])
  await assert.rejects(client.cancelTwapOrder(ref), { code: 47 })
  await assert.rejects(client.createTwapOrder({ ...timed, duration_in_seconds: 59 }), { code: 46 })
  await assert.rejects(client.createTwapOrder({ ...timed, amount: '0.00002' }), { code: 45 })
})

test('the events of an iceberg are found by its id and by its client id', async () => {
  const client = desk.client(desk.alice)
  const client_order_id = randomUUID()
  const body = { symbol: 'BTC', side: 'ask', price: '61400', reduce_only: false } as const
  const parts = { amount: '0.05', display_amount: '0.02', client_order_id }
  const { order_id } = await client.createIcebergOrder({ ...body, ...parts })
  await desk.advance(1_000)
  for (let taken = 0; taken < 2; taken++) {
    await desk.order(desk.bob, 'bid', '0.02', '61400')
    await desk.advance(1_000)
  }
  await client.cancelOrder({ symbol: 'BTC', order_id })
  const { data: life } = await desk.get('/orders/history_by_id', { order_id })
  const named = { account: alice, client_order_id }
  assert.deepEqual((await desk.get('/orders/history_by_id', named)).data, life)
  assert.deepEqual(
    life.map((row) => [row.event_type, row.order_status, row.filled_amount, row.cancelled_amount]),
    [
      ['cancel', 'cancelled', '0.04', '0.01'],
      ['fulfill_limit', 'partially_filled', '0.04', '0'],
      ['fulfill_limit', 'partially_filled', '0.02', '0'],
      ['make', 'open', '0', '0'],
    ],
  )
  const [row] = (await desk.get('/orders/algo/history', { account: alice })).data as [Json]
  for (const field of ['symbol', 'side', 'price', 'initial_amount', 'filled_amount', 'reduce_only'])
    assert.deepEqual(life[0]![field], row[field], field)
  assert.equal(life[0]!.average_filled_price, '61400')
  const { data: orders } = await desk.get('/orders/history', { account: alice, limit: 3 })
  assert.deepEqual(
    orders.map((order) => [order.parent_order_id, order.filled_amount]),
    [[order_id, '0'], ...Array(2).fill([order_id, '0.02'])],
  )
  const [twap] = (await desk.get('/orders/twap/history', { account: alice })).data as [Json]
  const elsewhere = async (path: string, id: unknown) => {
    const reply = await desk.fetch(path, { order_id: id as number })
    assert.equal(reply.status, 404)
    return ((await reply.json()) as Reply).error!
  }
  assert.match(
    await elsewhere('/orders/history_by_id', twap.order_id),
    /\/orders\/twap\/history_by/,
  )
  assert.match(
    await elsewhere('/orders/twap/history_by_id', order_id),
    /for orders, .* use \/orders\/history_by_id/,
  )
})

/** All histories of both traders. */
async function everything(): Promise<Json> {
  const answers: Json = {}
  const ask = async (path: string, query: Json) => {
    // Prices arrive at a start too, so the newest entry is another one.
    const { last_order_id: _, ...answer } = (await desk.get(path, query)) as Reply & Json
    answers[`${path} ${JSON.stringify(query)}`] = answer
  }
  const { data: risk } = await desk.get<Json>('/info/risk')
  const fees = risk.fees as { address: string }
  for (const account of [alice, desk.bob.address, fees.address]) {
    for (const path of ['/trades/history', '/orders/history', '/positions/history'])
      await ask(path, { account, limit: 1_000 })
    for (const path of ['/funding/history', '/account/balance/history', '/orders/twap/history'])
      await ask(path, { account, limit: 4_000 })
    await ask('/portfolio', { account, time_range: 'all' })
  }
  for (const interval of intervals) {
    const query = { symbol: 'BTC', interval, start_time: 0, end_time: await now() }
    await ask('/kline', query)
    await ask('/kline/mark', query)
  }
  await ask('/funding_rate/history', { symbol: 'BTC' })
  await ask('/trades', { symbol: 'BTC' })
  const { data: prices } = await desk.get('/info/prices')
  const { volume_24h, yesterday_price } = prices.find(({ symbol }) => symbol === 'BTC')!
  return { ...answers, volume_24h, yesterday_price }
}

test('pages are stable while rows arrive', async () => {
  for (const [path, key] of [
    ['/account/balance/history', 'balance'],
    ['/trades/history', 'history_id'],
  ] as const) {
    const whole = await desk.get(path, { account: alice, limit: 4_000 })
    const shown: Json[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Reply = await desk.get(path, { account: alice, limit: 2, cursor })
      shown.push(...page.data)
      assert.equal(page.has_more, page.next_cursor !== null)
      cursor = page.next_cursor ?? null
      await desk.trade('0.001', '60900', 'ask')
    }
    assert.deepEqual(shown, whole.data, key)
    const wrong = await desk.fetch(path, { account: alice, cursor: 'bm90IG9uZQ' })
    assert.equal(wrong.status, 400)
  }
})

test('a page as CSV: the same rows, and the cursor in a header', async () => {
  const query = { account: alice, limit: 3 }
  for (const path of [
    '/trades/history',
    '/orders/history',
    '/funding/history',
    '/account/balance/history',
  ]) {
    const { data, next_cursor } = await desk.get(path, query)
    const reply = await desk.fetch(path, { ...query, format: 'csv' })
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(reply.headers.get('x-next-cursor'), next_cursor)
    const text = await reply.text()
    const [names, ...lines] = text.split('\r\n').slice(0, -1)
    assert.equal(names, Object.keys(data[0]!).join(','))
    const cells = data.map((row) => Object.values(row).map((value) => `${value ?? ''}`))
    assert.deepEqual(
      lines.map((line) => line.split(',')),
      cells,
    )
    const accepted = await desk.fetch(path, query, { accept: 'text/csv' })
    assert.equal(await accepted.text(), text)
  }
  const wrong = await desk.fetch('/funding/history', { account: alice, format: 'xml' })
  assert.equal(wrong.status, 400)
  const invalid = await desk.fetch('/funding/history', { account: 'unknown', format: 'csv' })
  assert.equal(invalid.status, 400)
  assert.match(invalid.headers.get('content-type')!, /json/)
})

test('the histories rebuilt from the journal return the same', async () => {
  const expected = await everything()
  await desk.stop()
  const warnings: string[] = []
  const rebuilt = await rebuildHistory(desk.data, {
    onProgress: () => undefined,
    onWarning: (text) => warnings.push(text),
  })
  assert.deepEqual([rebuilt.fromSeq, warnings], [0, []])
  assert.ok(rebuilt.events > 1_000)
  await desk.start()
  assert.deepEqual(await everything(), expected)
})

test('the store of a running exchange is not touched', async () => {
  const quiet = { onProgress: () => undefined, onWarning: () => undefined }
  await assert.rejects(rebuildHistory(desk.data, quiet), /in use|lock/)
})
